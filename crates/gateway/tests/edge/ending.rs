use std::time::{Duration, Instant};

use crate::server::{Client, Server};

#[tokio::test(flavor = "multi_thread")]
async fn readiness_ends_first_and_connections_gently() {
    let mut server = Server::start("[limits]\ndrain_delay = \"700ms\"\ndrain_time = \"5s\"\n", &[]).await;
    let mut kept = server.client().await;
    let mut streams = Client::http2(server.connect().await).await;
    assert_eq!(kept.get("/places", &[]).await.status(), 200);
    assert_eq!(streams.get("/places", &[]).await.status(), 200);
    let start = Instant::now();
    server.stop();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (status, body) = server.telemetry("/health/ready").await;
    assert_eq!((status.as_u16(), body.contains("\"ending\"")), (503, true));
    // Until those who balance the load have seen that, everything is as it was.
    assert_eq!(kept.get("/places", &[]).await.status(), 200);
    assert_eq!(streams.get("/places", &[]).await.status(), 200);
    assert_eq!(server.get("/places", &[]).await.status(), 200);
    server.ended().await;
    // Idle connections do not keep it up.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert!(kept.ask("GET", "/places", &[]).await.is_err());
    assert!(streams.ask("GET", "/places", &[]).await.is_err());
    assert!(tokio::net::TcpStream::connect(server.addresses.clients).await.is_err());
}
