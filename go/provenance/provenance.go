// Package provenance writes and checks what a build says of itself: one in-toto
// statement (v1) with the SLSA provenance predicate (v1) for each wheel.
//
// A statement names the wheel by its digest and lists, by digest, all that the
// build read from outside: the upstream source, the patches, and the files of
// the tools. It is made by the build that made the wheel, which nobody attests,
// so that it reaches SLSA build level 1 and no more; a builder that signs it
// names itself with another Builder.
package provenance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	slsa "github.com/in-toto/attestation/go/predicates/provenance/v1"
	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/sparkwheels/sparkwheels/go/materials"
)

const (
	// BuildType says how to read the parameters; docs/sbom.md describes it.
	BuildType = "https://github.com/sparkwheels/sparkwheels/blob/main/docs/sbom.md#build-type-v1"
	// Builder is whoever ran Bazel, unattested: SLSA build level 1.
	Builder = "https://github.com/sparkwheels/sparkwheels/blob/main/docs/sbom.md#unattested-builder"
	// Predicate is the predicate's type.
	Predicate = "https://slsa.dev/provenance/v1"
)

// Link is a wheel built here that another one was built with: the chain from
// one statement to the next.
type Link struct {
	// Name and SHA256 are the wheel's, Statement the digest of its statement.
	Name, SHA256, Statement string
}

// Generate gives the statement for a wheel. chain are the wheels built here
// that it was built with. The text follows from the arguments and the patch
// files alone.
func Generate(name, sha256 string, bill *materials.Bill, builder string, chain []Link) ([]byte, error) {
	dependencies, err := dependencies(bill)
	if err != nil {
		return nil, err
	}
	for _, link := range chain {
		annotations, err := structpb.NewStruct(map[string]any{"provenance_sha256": link.Statement})
		if err != nil {
			return nil, err
		}
		dependencies = append(dependencies, &intoto.ResourceDescriptor{
			Name: link.Name, Digest: map[string]string{"sha256": link.SHA256}, Annotations: annotations,
		})
	}
	parameters := map[string]any{"pin": bill.Pin, "platform": bill.Platform, "target": bill.Target}
	for key, value := range bill.Parameters {
		parameters[key] = value
	}
	external, err := structpb.NewStruct(parameters)
	if err != nil {
		return nil, err
	}
	predicate := &slsa.Provenance{
		BuildDefinition: &slsa.BuildDefinition{BuildType: BuildType, ExternalParameters: external, ResolvedDependencies: dependencies},
		RunDetails:      &slsa.RunDetails{Builder: &slsa.Builder{Id: builder}},
	}
	if err := predicate.Validate(); err != nil {
		return nil, err
	}
	data, err := protojson.Marshal(predicate)
	if err != nil {
		return nil, err
	}
	body := &structpb.Struct{}
	if err := protojson.Unmarshal(data, body); err != nil {
		return nil, err
	}
	statement := &intoto.Statement{
		Type:          intoto.StatementTypeUri,
		Subject:       []*intoto.ResourceDescriptor{{Name: name, Digest: map[string]string{"sha256": sha256}}},
		PredicateType: Predicate,
		Predicate:     body,
	}
	if err := statement.Validate(); err != nil {
		return nil, err
	}
	if data, err = protojson.Marshal(statement); err != nil {
		return nil, err
	}
	return stable(data)
}

// stable gives JSON one form: protojson varies its white space on purpose.
func stable(data []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return out.Bytes(), err
}

func dependencies(bill *materials.Bill) ([]*intoto.ResourceDescriptor, error) {
	all := []*intoto.ResourceDescriptor{descriptor(&bill.Source, "source")}
	for _, patch := range bill.Patches {
		sum, err := patch.Digest()
		if err != nil {
			return nil, err
		}
		all = append(all, &intoto.ResourceDescriptor{Name: patch.Name, Digest: map[string]string{"sha256": sum}})
	}
	for i := range bill.Dependencies {
		all = append(all, descriptor(&bill.Dependencies[i], ""))
	}
	return all, nil
}

func descriptor(material *materials.Material, role string) *intoto.ResourceDescriptor {
	d := &intoto.ResourceDescriptor{Name: material.Name, Uri: material.PURL}
	if role != "" {
		d.Name = role
	}
	switch {
	case material.SHA256 != "":
		d.Digest = map[string]string{"sha256": material.SHA256}
	case material.Commit != "":
		d.Digest = map[string]string{"gitCommit": material.Commit}
	}
	return d
}

// Subject reads a statement and gives the name and digest of the wheel that it
// is about. The error names the file.
func Subject(file string) (name, sha256 string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	statement := &intoto.Statement{}
	if err := protojson.Unmarshal(data, statement); err != nil {
		return "", "", fmt.Errorf("%s: is no in-toto statement: %w", file, err)
	}
	if err := statement.Validate(); err != nil {
		return "", "", fmt.Errorf("%s: %w", file, err)
	}
	if statement.PredicateType != Predicate || len(statement.Subject) != 1 {
		return "", "", fmt.Errorf("%s: is no SLSA provenance (v1) of one wheel", file)
	}
	return statement.Subject[0].Name, statement.Subject[0].Digest["sha256"], nil
}
