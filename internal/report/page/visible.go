package page

import (
	"reflect"

	"github.com/pigate/pigate/internal/text"
)

// visible is a copy of a report in which every text is as text.Visible writes
// it. All that is written for people is made from such a copy, so that no field
// can be forgotten.
func visible(r *Report) *Report {
	return copied(reflect.ValueOf(r)).Interface().(*Report)
}

func copied(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		to.SetString(text.Visible(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			to.Set(reflect.New(v.Type().Elem()))
			to.Elem().Set(copied(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			to.Field(i).Set(copied(v.Field(i)))
		}
	case reflect.Slice:
		if !v.IsNil() {
			to.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			to.Index(i).Set(copied(v.Index(i)))
		}
	default:
		to.Set(v) // numbers, and maps of them
	}
	return to
}
