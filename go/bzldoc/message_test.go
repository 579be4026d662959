package bzldoc

import (
	"reflect"
	"strconv"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// encode is the reverse of decode, for tests: it writes every field that is not empty.
func encode(t *testing.T, v reflect.Value) []byte {
	t.Helper()
	var out []byte
	for i := range v.NumField() {
		number, err := strconv.Atoi(v.Type().Field(i).Tag.Get("proto"))
		if err != nil {
			t.Fatalf("%s.%s has no number: %v", v.Type(), v.Type().Field(i).Name, err)
		}
		values := []reflect.Value{v.Field(i)}
		if f := v.Field(i); f.Kind() == reflect.Slice {
			values = nil
			for j := range f.Len() {
				values = append(values, f.Index(j))
			}
		}
		for _, value := range values {
			if !value.IsZero() {
				out = appendValue(t, out, protowire.Number(number), value)
			}
		}
	}
	return out
}

func appendValue(t *testing.T, out []byte, number protowire.Number, value reflect.Value) []byte {
	t.Helper()
	switch value.Kind() {
	case reflect.Bool:
		return protowire.AppendVarint(protowire.AppendTag(out, number, protowire.VarintType), 1)
	case reflect.Int:
		return protowire.AppendVarint(protowire.AppendTag(out, number, protowire.VarintType), uint64(value.Int()))
	case reflect.String:
		return protowire.AppendString(protowire.AppendTag(out, number, protowire.BytesType), value.String())
	case reflect.Struct:
		return protowire.AppendBytes(protowire.AppendTag(out, number, protowire.BytesType), encode(t, value))
	}
	t.Fatalf("no encoding of a %s", value.Type())
	return nil
}
