// grpc-gateway in front of the gRPC backend, as its manual sets it up.
//
//	grpcgateway 127.0.0.1:8001 127.0.0.1:8003
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"wirewise/bench/serve/points"
)

func main() {
	mux := runtime.NewServeMux()
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(points.MaxMessage), grpc.MaxCallSendMsgSize(points.MaxMessage)),
	}
	if err := points.RegisterPointsHandlerFromEndpoint(context.Background(), mux, os.Args[1], options); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[2], mux))
}
