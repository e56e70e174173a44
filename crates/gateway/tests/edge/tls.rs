use std::time::Duration;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};

use crate::server::{Client, Server, header, places};

fn certificate() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).unwrap()
}

const TLS: &str = "[tls]\ncertificate = \"FOLDER/cert.pem\"\nkey = \"FOLDER/key.pem\"\nreload = \"50ms\"\n";

async fn server(made: &CertifiedKey<KeyPair>) -> Server {
    let (cert, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    Server::start(TLS, &[("cert.pem", &cert), ("key.pem", &key)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn both_protocols_by_tls() {
    let made = certificate();
    let server = server(&made).await;
    assert!(server.addresses.is_tls);
    let stream = server.tls(made.cert.der(), &["h2", "http/1.1"]).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let response = Client::http2(stream).await.get("/places", &[]).await;
    assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, "application/json".to_owned()));
    assert_eq!(header(&response, "x-content-type-options"), "nosniff");
    let stream = server.tls(made.cert.der(), &["http/1.1"]).await.unwrap();
    assert_eq!(stream.get_ref().1.protocol_version(), Some(rustls::ProtocolVersion::TLSv1_3));
    let response = Client::http1(stream).await.get("/places", &[]).await;
    assert!(response.body().len() > places().len() / 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn renewed_certificates_are_used_and_connections_stay() {
    let (first, second) = (certificate(), certificate());
    let server = server(&first).await;
    let stream = server.tls(first.cert.der(), &["h2"]).await.unwrap();
    let mut client = Client::http2(stream).await;
    assert_eq!(client.get("/places", &[]).await.status(), 200);
    // Half of a change is no change: the key does not belong to the certificate.
    std::fs::write(server.file("cert.pem"), second.cert.pem()).unwrap();
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(server.tls(first.cert.der(), &["h2"]).await.is_ok());
    std::fs::write(server.file("key.pem"), second.signing_key.serialize_pem()).unwrap();
    let mut renewed = Err(String::new());
    for _ in 0..100 {
        renewed = server.tls(second.cert.der(), &["h2"]).await;
        if renewed.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(renewed.is_ok(), "{renewed:?}");
    assert!(server.tls(first.cert.der(), &["h2"]).await.is_err());
    assert_eq!(client.get("/places", &[]).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_speak_tls_is_not_answered() {
    let server = server(&certificate()).await;
    let answer = server.raw(b"GET /places HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert!(!answer.contains("HTTP/"), "{answer}");
    assert_eq!(server.metric("wirewise_tls_handshakes_failed_total").await, Some(1.0));
}
