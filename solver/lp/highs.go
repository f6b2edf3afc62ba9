package lp

import (
	"fmt"
	"sync"

	"github.com/mortise-io/mortise/solver/lp/native"
)

// highs are the functions of HiGHS's C interface that are used here. Models
// and the programs inside them are C's own memory, known by address.
type highs struct {
	library *native.Library

	version  func() string
	intSize  func(model uintptr) uintptr
	create   func() uintptr
	destroy  func(model uintptr)
	setBool  func(model uintptr, option string, value int32) int32
	setInt   func(model uintptr, option string, value int32) int32
	setFloat func(model uintptr, option string, value float64) int32
	setText  func(model uintptr, option, value string) int32

	addColumns      func(model uintptr, n int32, cost, lower, upper *float64, nonzeros int32, starts, rows *int32, values *float64) int32
	addRows         func(model uintptr, n int32, lower, upper *float64, nonzeros int32, starts, columns *int32, values *float64) int32
	deleteColumns   func(model uintptr, n int32, columns *int32) int32
	setCost         func(model uintptr, column int32, cost float64) int32
	setColumnBounds func(model uintptr, column int32, lower, upper float64) int32
	setRowBounds    func(model uintptr, row int32, lower, upper float64) int32
	setIntegrality  func(model uintptr, column, kind int32) int32

	zeroClocks func(model uintptr) int32
	run        func(model uintptr) int32
	status     func(model uintptr) int32

	infoInt   func(model uintptr, name string, value *int32) int32
	infoInt64 func(model uintptr, name string, value *int64) int32
	infoFloat func(model uintptr, name string, value *float64) int32
	solution  func(model uintptr, values, reduced, activities, duals *float64) int32
	start     func(model uintptr, values, activities, reduced, duals *float64) int32
	basis     func(model uintptr, columns, rows *int32) int32
	setBasis  func(model uintptr, columns, rows *int32) int32
}

// symbols pairs each function with its name in the library.
func (h *highs) symbols() map[string]any {
	return map[string]any{
		"Highs_version": &h.version, "Highs_getSizeofHighsInt": &h.intSize, "Highs_create": &h.create, "Highs_destroy": &h.destroy,
		"Highs_setBoolOptionValue": &h.setBool, "Highs_setIntOptionValue": &h.setInt, "Highs_setDoubleOptionValue": &h.setFloat,
		"Highs_setStringOptionValue": &h.setText,
		"Highs_addCols":              &h.addColumns, "Highs_addRows": &h.addRows, "Highs_deleteColsBySet": &h.deleteColumns,
		"Highs_changeColCost": &h.setCost, "Highs_changeColBounds": &h.setColumnBounds, "Highs_changeRowBounds": &h.setRowBounds,
		"Highs_changeColIntegrality": &h.setIntegrality,
		"Highs_zeroAllClocks":        &h.zeroClocks, "Highs_run": &h.run, "Highs_getModelStatus": &h.status,
		"Highs_getIntInfoValue": &h.infoInt, "Highs_getInt64InfoValue": &h.infoInt64, "Highs_getDoubleInfoValue": &h.infoFloat,
		"Highs_getSolution": &h.solution, "Highs_setSolution": &h.start, "Highs_getBasis": &h.basis, "Highs_setBasis": &h.setBasis,
	}
}

// openHiGHS loads the library at the first call; later ones get the same answer.
var openHiGHS = sync.OnceValues(func() (*highs, error) {
	library, err := native.Open(native.HiGHS)
	if err != nil {
		return nil, err
	}
	h := &highs{library: library}
	for symbol, f := range h.symbols() {
		if err := library.Bind(symbol, f); err != nil {
			return nil, err
		}
	}
	if size := h.intSize(0); size != 4 {
		return nil, fmt.Errorf("%s: integers of %d bytes, expected 4", library.Path, size)
	}
	return h, nil
})
