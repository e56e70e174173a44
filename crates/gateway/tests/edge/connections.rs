use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::server::{Client, Server, header};

#[tokio::test(flavor = "multi_thread")]
async fn long_targets_and_heads_are_refused() {
    let server = Server::start("[limits]\ntarget = \"1KiB\"\nhead = \"16KiB\"\n", &[]).await;
    let response = server.get(&format!("/places?{}", "a".repeat(2000)), &[]).await;
    assert_eq!(response.status(), 414);
    assert_eq!(header(&response, "content-type"), "application/problem+json");
    assert_eq!(server.get(&format!("/places?{}", "a".repeat(900)), &[]).await.status(), 200);
    let field = "a".repeat(20_000);
    let answer = server.raw(format!("GET /places HTTP/1.1\r\nhost: x\r\nx: {field}\r\n\r\n").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let many: String = (0..200).map(|i| format!("x-{i}: 1\r\n")).collect();
    let answer = server.raw(format!("GET /places HTTP/1.1\r\nhost: x\r\n{many}\r\n").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let mut client = Client::http2(server.connect().await).await;
    let response = client.ask("GET", "/places", &[("x", &field)]).await;
    assert!(response.is_err() || response.as_ref().is_ok_and(|response| response.status() == 431), "{response:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_heads_and_idle_connections_end() {
    let server = Server::start("[limits]\nhead_time = \"300ms\"\nidle_time = \"500ms\"\n", &[]).await;
    let start = Instant::now();
    let answer = server.raw(b"GET /places HTTP/1.1\r\nhost: x\r\nx: ").await;
    assert!(start.elapsed() < Duration::from_secs(5) && !answer.contains("200 OK"), "{answer}");
    // Nothing at all, and half of the preface of HTTP/2.
    server.raw(b"").await;
    server.raw(b"PRI * HTTP/2.0\r\n").await;
    // A client of HTTP/2 that asks nothing more, but answers pings.
    let mut client = Client::http2(server.connect().await).await;
    assert_eq!(client.get("/places", &[]).await.status(), 200);
    tokio::time::sleep(Duration::from_millis(2000)).await;
    assert!(client.ask("GET", "/places", &[]).await.is_err());
    assert_eq!(server.metric("wirewise_connections_open").await, Some(0.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_bounded_and_wait_for_a_place() {
    let server = Server::start("[limits]\nconnections = 2\n", &[]).await;
    let first = server.client().await;
    let mut second = server.client().await;
    assert_eq!(second.get("/places", &[]).await.status(), 200);
    let mut third = server.client().await;
    let waiting = tokio::time::timeout(Duration::from_millis(300), third.get("/places", &[])).await;
    assert!(waiting.is_err(), "there are two already");
    drop((first, second));
    let mut fourth = server.client().await;
    let answered = tokio::time::timeout(Duration::from_secs(5), fourth.get("/places", &[])).await;
    assert_eq!(answered.unwrap().status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_nothing_is_cut_off() {
    let server = Server::start("[limits]\nsend_time = \"300ms\"\n", &[]).await;
    // Far more than sockets keep.
    let point = |i| format!("{{\"id\": {i}, \"name\": \"{}\"}}", "x".repeat(2000));
    let large = format!("[{}]", (0..10_000).map(point).collect::<Vec<_>>().join(","));
    std::fs::write(server.file("places.json"), &large).unwrap();
    for _ in 0..200 {
        let size = server
            .metric("wirewise_body_bytes{resource=\"places\",variant=\"json\",shaped=\"false\",coding=\"identity\"}");
        if size.await.is_some_and(|size| size > 1e7) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut stream = server.connect().await;
    stream.write_all(b"GET /places HTTP/1.1\r\nhost: x\r\naccept: application/json\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(server.metric("wirewise_connections_open").await, Some(0.0));
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(rest.len() < large.len());
    // Whoever takes all of it, if slowly, gets all of it.
    let whole = server.get("/places", &[("accept", "application/json")]).await;
    assert!(whole.body().len() > 10_000_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_cancelled_at_once_end_the_connection() {
    let server = Server::start("[limits]\nresets = 5\nstreams = 10\n", &[]).await;
    let mut stream = server.connect().await;
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    // :method GET, :scheme http, :path /places, :authority x, as HPACK without indices.
    let mut block = vec![0x82, 0x86, 0x04, 7];
    block.extend(b"/places");
    block.extend([0x01, 1, b'x']);
    for i in 0..1000_u32 {
        let id = (2 * i + 1).to_be_bytes();
        bytes.extend([0, 0, block.len() as u8, 1, 5]);
        bytes.extend(id);
        bytes.extend(&block);
        bytes.extend([0, 0, 4, 3, 0]);
        bytes.extend(id);
        bytes.extend([0, 0, 0, 8]);
    }
    let _ = stream.write_all(&bytes).await;
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(10), read).await.expect("the connection ends");
    // GOAWAY with ENHANCE_YOUR_CALM.
    assert!(answer.windows(4).any(|window| window == [0, 0, 0, 0x0b]), "{answer:?}");
    assert_eq!(server.get("/places", &[]).await.status(), 200);
}
