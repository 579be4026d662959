// Package spawnpb holds the messages of Bazel's execution log.
//
// spawn.proto is the unchanged file src/main/protobuf/spawn.proto of Bazel 7.7.1, as Debian's package bazel-bootstrap
// installs it (Apache-2.0). spawn.pb.go was made from it by protoc-gen-go v1.36.10:
//
//	protoc --go_out=. --go_opt=paths=source_relative \
//	    --go_opt=Mspawn.proto=github.com/sparkwheels/sparkwheels/go/execlog/spawnpb spawn.proto
package spawnpb
