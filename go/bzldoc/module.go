// Package bzldoc turns what Bazel knows of .bzl files into Markdown pages.
//
// Bazel's rule starlark_doc_extract writes one message stardoc_output.ModuleInfo for a .bzl file, in the encoding of
// protocol buffers: https://github.com/bazelbuild/bazel/blob/master/src/main/protobuf/stardoc_output.proto. Page makes a
// page of several such files. Only what the page shows is decoded, so that Bazel versions that tell more give the same
// page. A BUILD file has no such message; Targets makes a page of its comments.
package bzldoc

import (
	"fmt"
	"reflect"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// Module is what a .bzl file exports. A field's tag is its number in the message.
type Module struct {
	Rules           []Rule           `proto:"1"`
	Providers       []Provider       `proto:"2"`
	Functions       []Function       `proto:"3"`
	Doc             string           `proto:"5"`
	File            string           `proto:"6"`
	Extensions      []Extension      `proto:"7"`
	RepositoryRules []RepositoryRule `proto:"8"`
}

// Rule is a rule.
type Rule struct {
	Name       string        `proto:"1"`
	Doc        string        `proto:"2"`
	Attributes []Attribute   `proto:"3"`
	Provides   ProviderGroup `proto:"5"`
}

// RepositoryRule is a repository rule.
type RepositoryRule struct {
	Name       string      `proto:"1"`
	Doc        string      `proto:"2"`
	Attributes []Attribute `proto:"3"`
}

// Attribute is an attribute of a rule, a repository rule or a tag class.
type Attribute struct {
	Name      string          `proto:"1"`
	Doc       string          `proto:"2"`
	Type      int             `proto:"3"`
	Mandatory bool            `proto:"4"`
	Requires  []ProviderGroup `proto:"5"`
	Default   string          `proto:"6"`
}

// ProviderGroup is a set of providers that come together.
type ProviderGroup struct {
	Names []string `proto:"1"`
}

// Provider is a provider.
type Provider struct {
	Name   string  `proto:"1"`
	Doc    string  `proto:"2"`
	Fields []Field `proto:"3"`
}

// Field is a field of a provider.
type Field struct {
	Name string `proto:"1"`
	Doc  string `proto:"2"`
}

// Function is a function or a macro.
type Function struct {
	Name       string      `proto:"1"`
	Parameters []Parameter `proto:"2"`
	Doc        string      `proto:"3"`
	Return     Return      `proto:"4"`
}

// Return is what a function returns; its Doc is empty if it returns nothing.
type Return struct {
	Doc string `proto:"1"`
}

// Parameter is a parameter of a function. Bazel 7 knows no roles.
type Parameter struct {
	Name      string `proto:"1"`
	Doc       string `proto:"2"`
	Default   string `proto:"3"`
	Mandatory bool   `proto:"4"`
	Role      int    `proto:"5"`
}

// Extension is a module extension.
type Extension struct {
	Name string     `proto:"1"`
	Doc  string     `proto:"2"`
	Tags []TagClass `proto:"3"`
}

// TagClass is a kind of tag that a module extension reads.
type TagClass struct {
	Name       string      `proto:"1"`
	Doc        string      `proto:"2"`
	Attributes []Attribute `proto:"3"`
}

// Decode reads an encoded ModuleInfo. Fields that Module lacks are passed over; anything else that it does not
// understand is an error.
func Decode(data []byte) (*Module, error) {
	var m Module
	if err := decode(data, reflect.ValueOf(&m).Elem()); err != nil {
		return nil, fmt.Errorf("this is no stardoc_output.ModuleInfo: %w", err)
	}
	if m.File == "" {
		return nil, fmt.Errorf("this is no stardoc_output.ModuleInfo: it does not say which file it is about")
	}
	return &m, nil
}

// decode fills the struct v from a message.
func decode(data []byte, v reflect.Value) error {
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if n = protowire.ConsumeFieldValue(number, wire, data); n < 0 {
			return protowire.ParseError(n)
		}
		value := data[:n]
		data = data[n:]
		field, ok := fieldOf(v, number)
		if !ok {
			continue
		}
		if err := set(field, wire, value); err != nil {
			return fmt.Errorf("field %d of %s: %w", number, v.Type().Name(), err)
		}
	}
	return nil
}

func fieldOf(v reflect.Value, number protowire.Number) (reflect.Value, bool) {
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("proto") == strconv.Itoa(int(number)) {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// set stores a value that ConsumeFieldValue accepted.
func set(field reflect.Value, wire protowire.Type, value []byte) error {
	if field.Kind() == reflect.Slice {
		element := reflect.New(field.Type().Elem()).Elem()
		if err := set(element, wire, value); err != nil {
			return err
		}
		field.Set(reflect.Append(field, element))
		return nil
	}
	want := protowire.BytesType
	if field.Kind() == reflect.Bool || field.Kind() == reflect.Int {
		want = protowire.VarintType
	}
	if wire != want {
		return fmt.Errorf("wire type %d, not %d", wire, want)
	}
	switch field.Kind() {
	case reflect.Bool:
		number, _ := protowire.ConsumeVarint(value)
		field.SetBool(protowire.DecodeBool(number))
	case reflect.Int:
		number, _ := protowire.ConsumeVarint(value)
		field.SetInt(int64(number))
	case reflect.String:
		text, _ := protowire.ConsumeString(value)
		field.SetString(text)
	case reflect.Struct:
		message, _ := protowire.ConsumeBytes(value)
		return decode(message, field)
	}
	return nil
}
