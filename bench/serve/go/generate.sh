#!/bin/sh
# Writes the generated code of points/ with the plugins that go.mod names.
set -eu
cd "$(dirname "$0")"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
GOBIN="$bin" go install tool
PATH="$bin:$PATH" protoc --proto_path=points \
    --go_out=points --go_opt=paths=source_relative \
    --go-grpc_out=points --go-grpc_opt=paths=source_relative \
    --grpc-gateway_out=points --grpc-gateway_opt=paths=source_relative,grpc_api_configuration=points/gateway.yaml \
    --connect-go_out=points --connect-go_opt=paths=source_relative \
    points.proto
