use crate::server::{Client, Server, header};

const SOME: &str = "[cors]\norigins = [\"https://example.org\", \"http://localhost:3000\"]\nmax_age = \"1h\"\n";

#[tokio::test(flavor = "multi_thread")]
async fn origins_that_are_named_may_read() {
    let server = Server::start(SOME, &[]).await;
    let response = server.get("/places", &[("origin", "https://example.org")]).await;
    assert_eq!(header(&response, "access-control-allow-origin"), "https://example.org");
    assert!(header(&response, "vary").contains("Origin"), "{response:?}");
    for exposed in ["ETag", "Link", "Server-Timing", "Age"] {
        assert!(header(&response, "access-control-expose-headers").contains(exposed));
    }
    for origin in ["https://example.org.evil.test", "https://EXAMPLE.org", "null", "http://example.org"] {
        let response = server.get("/places", &[("origin", origin)]).await;
        assert_eq!(header(&response, "access-control-allow-origin"), "", "{origin}");
        assert!(header(&response, "vary").contains("Origin"));
    }
    let response = server.get("/places", &[]).await;
    assert!(header(&response, "vary").contains("Origin"), "caches are to know even if nobody asks");
    assert_eq!(
        header(&server.get("/nothing", &[("origin", "https://example.org")]).await, "access-control-allow-origin"),
        "https://example.org"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_ask_first() {
    let server = Server::start(SOME, &[]).await;
    let asks = |origin: &'static str| [("origin", origin), ("access-control-request-method", "GET")];
    let mut client = Client::http2(server.connect().await).await;
    let response = client.ask("OPTIONS", "/places", &asks("http://localhost:3000")).await.unwrap();
    assert_eq!(response.status(), 204);
    assert_eq!(header(&response, "access-control-allow-origin"), "http://localhost:3000");
    assert_eq!(header(&response, "access-control-max-age"), "3600");
    assert!(header(&response, "access-control-allow-methods").contains("GET"));
    assert!(header(&response, "access-control-allow-headers").contains("Authorization"));
    assert_eq!(header(&response, "access-control-allow-credentials"), "");
    let response = client.ask("OPTIONS", "/places", &asks("https://evil.test")).await.unwrap();
    assert_eq!(header(&response, "access-control-allow-origin"), "");
    assert_eq!(header(&response, "access-control-allow-methods"), "");
    // No question of a browser.
    assert_eq!(client.ask("OPTIONS", "/places", &[]).await.unwrap().status(), 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_origins_or_credentials() {
    let server = Server::start("[cors]\norigins = [\"*\"]\n", &[]).await;
    let response = server.get("/places", &[("origin", "https://example.org")]).await;
    assert_eq!(header(&response, "access-control-allow-origin"), "*");
    assert!(!header(&response, "vary").contains("Origin"));
    let some = SOME.replace("max_age", "credentials = true\nmax_age");
    let server = Server::start(&some, &[]).await;
    let response = server.get("/places", &[("origin", "https://example.org")]).await;
    assert_eq!(header(&response, "access-control-allow-credentials"), "true");
}
