//! Traces, against a receiver of OTLP over HTTP that reads what it gets.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use tokio::net::TcpListener;

use crate::server::Server;

#[derive(Default)]
struct Received {
    spans: Vec<Span>,
    services: Vec<String>,
    keys: Vec<String>,
    /// What a server that was asked for data was told of the trace.
    parents: Vec<String>,
}

async fn collector() -> (String, Arc<Mutex<Received>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let received = Arc::new(Mutex::new(Received::default()));
    let kept = received.clone();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let kept = kept.clone();
            tokio::spawn(async move {
                let service = service_fn(|request: Request<Incoming>| {
                    let kept = kept.clone();
                    async move {
                        if request.uri().path() == "/data" {
                            let parent = request.headers().get("traceparent");
                            let parent = parent.map(|parent| parent.to_str().unwrap().to_owned());
                            kept.lock().unwrap().parents.extend(parent);
                            let mut data = Response::new(Full::new(Bytes::from_static(b"[{\"id\": 1}]")));
                            data.headers_mut().insert("content-type", "application/json".parse().unwrap());
                            return Ok::<_, Infallible>(data);
                        }
                        assert_eq!(request.uri().path(), "/v1/traces");
                        assert_eq!(request.headers()["content-type"], "application/x-protobuf");
                        let key = request.headers().get("x-key").map(|key| key.to_str().unwrap().to_owned());
                        let body = request.into_body().collect().await.unwrap().to_bytes();
                        let message = ExportTraceServiceRequest::decode(body).unwrap();
                        let mut kept = kept.lock().unwrap();
                        kept.keys.extend(key);
                        for resource in message.resource_spans {
                            let about = resource.resource.unwrap().attributes;
                            let service = about.into_iter().find(|about| about.key == "service.name").unwrap();
                            kept.services.push(format!("{:?}", service.value.unwrap().value));
                            kept.spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
                        }
                        Ok(Response::new(Full::new(Bytes::new())))
                    }
                });
                let builder = hyper::server::conn::http1::Builder::new();
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    (url, received)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_traced_as_their_callers_want() {
    let (url, received) = collector().await;
    let config = format!(
        "[telemetry.traces]\nendpoint = \"{url}\"\nsample = 0.0\nservice = \"points\"\nheaders = {{ x-key = \"hunter2\" }}\n"
    );
    let mut server = Server::start(&config, &[]).await;
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    let asked = [("traceparent", parent.as_str()), ("accept-encoding", "zstd"), ("authorization", "Bearer secret")];
    assert_eq!(server.get("/places?token=secret", &asked).await.status(), 200);
    // Nobody asked for this one to be traced, and no part of them is.
    assert_eq!(server.get("/places", &[]).await.status(), 200);
    server.stop();
    server.ended().await;
    let received = received.lock().unwrap();
    let requests: Vec<_> = received.spans.iter().filter(|span| span.name == "GET places").collect();
    assert_eq!(requests.len(), 1, "{:?}", received.spans);
    let span = requests[0];
    assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (trace.to_owned(), "b7ad6b7169203331".to_owned()));
    let text = format!("{span:?}");
    for known in ["http.response.status_code", "/places", "zstd", "application/json"] {
        assert!(text.contains(known), "{known}: {text}");
    }
    assert!(!text.contains("secret"), "{text}");
    assert!(received.services.iter().all(|service| service.contains("points")));
    assert!(received.keys.iter().all(|key| key == "hunter2") && !received.keys.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn refreshes_are_traced_to_the_servers_that_they_ask() {
    let (url, received) = collector().await;
    let data = url.replace("/v1/traces", "/data");
    let config = format!(
        "[telemetry.traces]\nendpoint = \"{url}\"\n[resources.places]\n[resources.other]\nsource.http = {{ url = \"{data}\" }}\n"
    );
    let mut server = Server::start(&config, &[]).await;
    for _ in 0..100 {
        if server.get("/other", &[]).await.status() == 200 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    server.stop();
    server.ended().await;
    let received = received.lock().unwrap();
    let refresh = received.spans.iter().find(|span| span.name == "refresh other");
    let refresh = refresh.unwrap_or_else(|| panic!("{:?}", received.spans));
    let parent = format!("00-{}-{}-01", hex(&refresh.trace_id), hex(&refresh.span_id));
    assert!(received.parents.contains(&parent), "{parent}: {:?}", received.parents);
}
