// Writes what Envoy wants to know of the service: a descriptor set in which the methods have the options of google.api.http.
// They are the rules that grpc-gateway is generated from.
//
//	descriptors points/gateway.yaml points.pb
package main

import (
	"encoding/json"
	"log"
	"os"

	"go.yaml.in/yaml/v3"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"wirewise/bench/serve/points"
)

func main() {
	file := protodesc.ToFileDescriptorProto(points.File_points_proto)
	selected := map[string]*annotations.HttpRule{}
	for _, rule := range rules(os.Args[1]) {
		selected[rule.Selector] = rule
	}
	for _, service := range file.Service {
		for _, method := range service.Method {
			rule := selected[file.GetPackage()+"."+service.GetName()+"."+method.GetName()]
			if rule == nil {
				log.Fatalf("there is no rule for %s", method.GetName())
			}
			method.Options = &descriptorpb.MethodOptions{}
			proto.SetExtension(method.Options, annotations.E_Http, rule)
		}
	}
	bytes, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}})
	check(err)
	check(os.WriteFile(os.Args[2], bytes, 0o644))
}

func rules(path string) []*annotations.HttpRule {
	text, err := os.ReadFile(path)
	check(err)
	var config struct{ Http map[string]any }
	check(yaml.Unmarshal(text, &config))
	text, err = json.Marshal(config.Http)
	check(err)
	http := &annotations.Http{}
	check(protojson.Unmarshal(text, http))
	return http.Rules
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
