use crate::server::{Server, header};

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_counted() {
    let server = Server::start("", &[]).await;
    let plain = server.get("/places", &[]).await;
    let packed = server.get("/places", &[("accept-encoding", "br"), ("accept", "application/protobuf")]).await;
    let etag = header(&plain, "etag");
    assert_eq!(server.get("/places", &[("if-none-match", &etag)]).await.status(), 304);
    assert_eq!(server.get("/places", &[("accept", "text/html")]).await.status(), 406);
    assert_eq!(server.get("/nothing", &[]).await.status(), 404);
    let (json, protobuf) = (plain.body().len() as f64, packed.body().len() as f64);
    let labels = |variant: &str, coding: &str| {
        format!("{{resource=\"places\",variant=\"{variant}\",shaped=\"false\",coding=\"{coding}\"}}")
    };
    for (name, value) in [
        ("wirewise_requests_total{resource=\"places\",method=\"GET\",status=\"200\"}", 2.0),
        ("wirewise_requests_total{resource=\"places\",method=\"GET\",status=\"304\"}", 1.0),
        ("wirewise_requests_total{resource=\"places\",method=\"GET\",status=\"406\"}", 1.0),
        ("wirewise_requests_total{resource=\"\",method=\"GET\",status=\"404\"}", 1.0),
        (&format!("wirewise_hits_total{}", labels("json", "identity")), 2.0),
        (&format!("wirewise_hits_total{}", labels("protobuf", "br")), 1.0),
        (&format!("wirewise_sent_bytes_total{}", labels("json", "identity")), json),
        (&format!("wirewise_sent_bytes_total{}", labels("protobuf", "br")), protobuf),
        (&format!("wirewise_saved_bytes_total{}", labels("json", "identity")), json),
        (&format!("wirewise_saved_bytes_total{}", labels("protobuf", "br")), json - protobuf),
        (&format!("wirewise_body_bytes{}", labels("protobuf", "br")), protobuf),
        ("wirewise_refreshes_total{resource=\"places\",result=\"ok\"}", 1.0),
        ("wirewise_refreshes_total{resource=\"places\",result=\"failed\"}", 0.0),
        ("wirewise_request_duration_seconds_count{resource=\"places\"}", 4.0),
        ("wirewise_request_duration_seconds_bucket{le=\"+Inf\",resource=\"places\"}", 4.0),
    ] {
        assert_eq!(server.metric(name).await, Some(value), "{name}\n{}", server.telemetry("/metrics").await.1);
    }
    for name in [
        "wirewise_encode_seconds{resource=\"places\",variant=\"protobuf\",shaped=\"false\"}",
        &format!("wirewise_compress_seconds{}", labels("protobuf", "zstd")),
        "wirewise_data_age_seconds{resource=\"places\"}",
    ] {
        assert!(server.metric(name).await.is_some_and(|value| value > 0.0 && value < 60.0), "{name}");
    }
    assert!(server.telemetry("/metrics").await.1.ends_with("# EOF\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn differences_are_counted_too() {
    let server = Server::start("", &[]).await;
    let asked = [("accept-encoding", "dcz, gzip"), ("accept", "application/json")];
    let before = server.get("/places", &[("accept", "application/json")]).await;
    server.get("/places", &asked).await;
    let known = {
        use base64::Engine as _;
        let hash = ring::digest::digest(&ring::digest::SHA256, before.body());
        format!(":{}:", base64::engine::general_purpose::STANDARD.encode(hash.as_ref()))
    };
    let changed = crate::server::places().replace("number 77", "number seventy-seven");
    std::fs::write(server.file("places.json"), changed).unwrap();
    for _ in 0..200 {
        let response = server.get("/places", &[asked[0], asked[1], ("available-dictionary", &known)]).await;
        if header(&response, "content-encoding") == "dcz" {
            let timing = header(&response, "server-timing");
            assert!(timing.contains("compress;desc=dcz;dur="), "{timing}");
            let name = "wirewise_hits_total{resource=\"places\",variant=\"json\",shaped=\"false\",coding=\"dcz\"}";
            assert_eq!(server.metric(name).await, Some(1.0));
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("there never was a difference");
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_say_how_they_came_to_be() {
    let server = Server::start("", &[]).await;
    let timing = header(&server.get("/places", &[]).await, "server-timing");
    assert!(timing.starts_with("encode;dur=") && timing.contains(", age;dur="), "{timing}");
    let timing = header(&server.get("/places", &[("accept-encoding", "zstd")]).await, "server-timing");
    assert!(timing.contains(", compress;desc=zstd;dur="), "{timing}");
    let silent = Server::start("[telemetry]\nserver_timing = false\n", &[]).await;
    assert_eq!(header(&silent.get("/places", &[]).await, "server-timing"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_says_what_is_the_matter() {
    let server = Server::start("[resources.places]\nstale = \"300ms\"\n", &[]).await;
    assert_eq!(server.telemetry("/health/live").await.0, 200);
    let (status, body) = server.telemetry("/health/ready").await;
    assert_eq!(status, 200, "{body}");
    std::fs::remove_file(server.file("places.json")).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    let (status, body) = server.telemetry("/health/ready").await;
    assert_eq!(status, 503);
    let json: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(json["resources"]["places"]["state"], "expired");
    assert!(json["resources"]["places"]["error"].as_str().unwrap().contains("places.json"), "{body}");
    assert_eq!(server.get("/places", &[]).await.status(), 503);
    assert_eq!(server.telemetry("/health/live").await.0, 200);
    assert_eq!(server.telemetry("/other").await.0, 404);
    // Nothing of it is where clients are.
    assert_eq!(server.get("/metrics", &[]).await.status(), 404);
    assert_eq!(server.get("/health/ready", &[]).await.status(), 404);
}
