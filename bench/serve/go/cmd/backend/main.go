// The API behind the servers that convert: the map by gRPC, and by plain HTTP as Protobuf and as JSON.
//
// What it answers is written once, so that it takes little of the machine from those that are measured.
//
//	backend points.json 127.0.0.1:8001 127.0.0.1:8002
package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"wirewise/bench/serve/points"
)

// prepared is the codec of Protobuf, which has the map's bytes ready and takes bodies without a look at them.
type prepared struct {
	encoding.CodecV2
	list  *points.GeoPointList
	bytes []byte
}

func (p *prepared) Marshal(v any) (mem.BufferSlice, error) {
	if v == any(p.list) {
		return mem.BufferSlice{mem.SliceBuffer(p.bytes)}, nil
	}
	return p.CodecV2.Marshal(v)
}

func (p *prepared) Unmarshal(data mem.BufferSlice, v any) error {
	if list, ok := v.(*points.GeoPointList); ok {
		list.ProtoReflect().SetUnknown(data.Materialize())
		return nil
	}
	return p.CodecV2.Unmarshal(data, v)
}

type service struct {
	points.UnimplementedPointsServer
	list *points.GeoPointList
}

// last is the body that was sent last, for the harness to look at once: what one server sent is not taken for another's.
var last atomic.Pointer[[]byte]

func keep(bytes []byte) {
	last.Store(&bytes)
}

func taken() []byte {
	return *last.Swap(new([]byte))
}

func (s *service) List(context.Context, *points.Empty) (*points.GeoPointList, error) {
	return s.list, nil
}

func (s *service) Replace(_ context.Context, list *points.GeoPointList) (*points.Empty, error) {
	keep(list.ProtoReflect().GetUnknown())
	return &points.Empty{}, nil
}

func main() {
	list, err := points.Load(os.Args[1])
	check(err)
	protobuf, err := proto.Marshal(list)
	check(err)
	array, err := os.ReadFile(os.Args[1])
	check(err)
	text := append(append([]byte(`{"value":`), array...), '}')
	keep(nil)

	codec := &prepared{encoding.GetCodecV2("proto"), list, protobuf}
	server := grpc.NewServer(grpc.ForceServerCodecV2(codec), grpc.MaxRecvMsgSize(points.MaxMessage), grpc.MaxSendMsgSize(points.MaxMessage))
	points.RegisterPointsServer(server, &service{list: list})
	listener, err := net.Listen("tcp", os.Args[2])
	check(err)
	go func() { check(server.Serve(listener)) }()

	answer := func(media string, bytes []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", media)
			w.Header().Set("Content-Length", strconv.Itoa(len(bytes)))
			_, _ = w.Write(bytes)
		}
	}
	http.HandleFunc("GET /points", answer("application/protobuf", protobuf))
	http.HandleFunc("GET /plain/points", answer("application/protobuf", protobuf))
	http.HandleFunc("GET /json/points", answer("application/json", text))
	http.HandleFunc("GET /plain/json/points", answer("application/json", text))
	http.HandleFunc("GET /last", func(w http.ResponseWriter, r *http.Request) {
		answer("application/octet-stream", taken())(w, r)
	})
	http.HandleFunc("GET /last/anew", func(w http.ResponseWriter, r *http.Request) {
		list := &points.GeoPointList{}
		err := proto.Unmarshal(taken(), list)
		check(err)
		bytes, err := proto.Marshal(list)
		check(err)
		answer("application/protobuf", bytes)(w, r)
	})
	http.HandleFunc("POST /points", func(w http.ResponseWriter, r *http.Request) {
		bytes, err := io.ReadAll(http.MaxBytesReader(w, r.Body, points.MaxMessage))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		keep(bytes)
		w.WriteHeader(http.StatusNoContent)
	})
	check(http.ListenAndServe(os.Args[3], nil))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
