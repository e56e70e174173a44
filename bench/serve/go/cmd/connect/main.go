// A service of connect-go, whose clients speak JSON and whose methods ask the gRPC backend.
//
//	connect 127.0.0.1:8001 127.0.0.1:8004
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"connectrpc.com/connect"

	"wirewise/bench/serve/points"
	"wirewise/bench/serve/points/pointsconnect"
)

type service struct{ backend pointsconnect.PointsClient }

func (s service) List(ctx context.Context, r *connect.Request[points.Empty]) (*connect.Response[points.GeoPointList], error) {
	answer, err := s.backend.List(ctx, connect.NewRequest(r.Msg))
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(answer.Msg), nil
}

func (s service) Replace(ctx context.Context, r *connect.Request[points.GeoPointList]) (*connect.Response[points.Empty], error) {
	answer, err := s.backend.Replace(ctx, connect.NewRequest(r.Msg))
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(answer.Msg), nil
}

func main() {
	// gRPC without TLS is HTTP/2 that both sides know of.
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	backend := pointsconnect.NewPointsClient(client, "http://"+os.Args[1], connect.WithGRPC())
	mux := http.NewServeMux()
	mux.Handle(pointsconnect.NewPointsHandler(service{backend}))
	log.Fatal(http.ListenAndServe(os.Args[2], mux))
}
