package catalog_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/provider/catalog"
)

func ExampleLoad() {
	c, err := catalog.Load("aws-us-east-1")
	if err != nil {
		panic(err)
	}
	small, err := catalog.Filter{Families: []string{"m5"}, MaxCPU: resource.MustParse("4")}.Apply(c)
	if err != nil {
		panic(err)
	}
	for _, t := range small.InstanceTypes {
		o := t.Offerings[0]
		fmt.Printf("%s in %s, %s: $%g per hour\n", t.Name, o.Zone, o.CapacityType, o.Price)
	}
	// Output:
	// m5.large in us-east-1a, on-demand: $0.096 per hour
	// m5.xlarge in us-east-1a, on-demand: $0.192 per hour
}
