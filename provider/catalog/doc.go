// Package catalog holds what can be bought and for how much: the catalogs
// compiled into the binary, and the readers of catalogs that users bring.
//
// A catalog is a v1alpha1.Catalog: the instance types of one provider and
// region, each with its offerings, priced in USD per hour. The built-in ones
// are tables of public figures; where a figure is old, estimated or assumed,
// the catalog's notes say so and Resolve hands them on as warnings.
//
// The tables are text, one instance type a line, so that a change of a price
// is one line of a diff:
//
//	data/index.json             what is built in: an Info for each catalog
//	data/PROVIDER/types.tsv     capacity, overhead and labels of the types
//	data/PROVIDER/REGION.tsv    on-demand and spot prices of one region
//
// They are written by the generate command below this folder.
package catalog

//go:generate go run ./generate -to data
