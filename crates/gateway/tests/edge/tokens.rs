use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use serde_json::{Value, json};

use crate::issuer::{AUDIENCE, ISSUER, Issuer, Key, base64, jwks, now};
use crate::server::{Server, header};

fn config(keys: &str) -> String {
    format!(
        "[auth]\nissuer = \"{ISSUER}\"\naudience = [\"other\", \"{AUDIENCE}\"]\nkeys.{keys}\nclock_skew = \"5s\"\n\
         [resources.places]\nscopes.read = [\"places:read\"]\nscopes.write = [\"places:write\"]\n"
    )
}

async fn with(server: &Server, token: &str) -> Response<Bytes> {
    server.get("/places", &[("authorization", &format!("Bearer {token}"))]).await
}

/// A server that knows this key from a file.
async fn knowing(keys: &[Value]) -> Server {
    Server::start(&config("file = \"FOLDER/keys.json\""), &[("keys.json", &jwks(keys))]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn good_tokens_are_let_in() {
    let (ed, ec) = (Key::ed(), Key::ec());
    let mut keys = vec![ed.jwk("one"), ec.jwk("two")];
    let mut all = vec![(ed, "one"), (ec, "two")];
    if let Some((rsa, _)) = Key::rsa() {
        keys.push(rsa.jwk("three"));
        all.push((rsa, "three"));
    }
    let server = knowing(&keys).await;
    for (key, kid) in &all {
        let token = key.token(kid, json!({}));
        for _ in 0..3 {
            let response = with(&server, &token).await;
            assert_eq!(response.status(), 200, "{}: {response:?}", key.algorithm());
            assert!(header(&response, "cache-control").starts_with("private, "), "{response:?}");
            assert!(header(&response, "vary").contains("Authorization"));
        }
        let without = key.token_with(&json!({ "alg": key.algorithm() }), &claims());
        assert_eq!(with(&server, &without).await.status(), 200, "a token need not name its key");
    }
    let (key, kid) = &all[0];
    for claims in [
        json!({ "scope": null, "scp": ["places:read"] }),
        json!({ "aud": ["x", AUDIENCE] }),
        json!({ "exp": now() - 2 }),
        json!({ "nbf": now() + 2 }),
    ] {
        assert_eq!(with(&server, &key.token(kid, claims.clone())).await.status(), 200, "{claims}");
    }
    // The schema is the resource's, too, and is for nobody else either.
    assert_eq!(server.get("/places/schema", &[]).await.status(), 401);
    let token = format!("bearer {}", key.token(kid, json!({})));
    let response = server.get("/places/schema?language=client", &[("authorization", &token)]).await;
    assert_eq!(response.status(), 200);
    assert!(header(&response, "cache-control").starts_with("private"), "{response:?}");
}

fn claims() -> Value {
    json!({ "iss": ISSUER, "aud": AUDIENCE, "exp": now() + 600, "scope": "places:read" })
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_tokens_are_not() {
    let (ed, ec, stranger) = (Key::ed(), Key::ec(), Key::ed());
    let server = knowing(&[ed.jwk("one"), ec.jwk("two")]).await;
    let head = |alg: &str, kid: &str| json!({ "alg": alg, "kid": kid });
    let unsigned = format!("{}.{}.", base64(head("none", "one").to_string()), base64(claims().to_string()));
    // The public key taken for a secret.
    let confused = {
        let message = format!("{}.{}", base64(head("HS256", "one").to_string()), base64(claims().to_string()));
        let Key::Ed(key) = &ed else { unreachable!() };
        let public = ring::signature::KeyPair::public_key(key).as_ref();
        let tag = ring::hmac::sign(&ring::hmac::Key::new(ring::hmac::HMAC_SHA256, public), message.as_bytes());
        format!("{message}.{}", base64(tag))
    };
    let good = ed.token("one", json!({}));
    let (rest, signature) = good.rsplit_once('.').unwrap();
    let forged =
        format!("{}.{}.{signature}", base64(head("EdDSA", "one").to_string()), base64(json!({"iss": 1}).to_string()));
    let cases = [
        (unsigned, "cannot be read"),
        (confused, "algorithm is not RS256, ES256 or EdDSA"),
        (ed.token_with(&head("HS256", "one"), &claims()), "algorithm is not"),
        (ed.token_with(&head("ES256", "one"), &claims()), "not that of the key"),
        (ec.token_with(&head("RS256", "two"), &claims()), "not that of the key"),
        (stranger.token("one", json!({})), "signature is wrong"),
        (forged, "signature is wrong"),
        (format!("{rest}."), "signature is wrong"),
        (ed.token("one", json!({ "exp": now() - 60 })), "has expired"),
        (ed.token("one", json!({ "exp": null })), "lacks one of the claims"),
        (ed.token("one", json!({ "exp": "tomorrow" })), ""),
        (ed.token("one", json!({ "nbf": now() + 60 })), "not valid yet"),
        (ed.token("one", json!({ "iss": "https://evil.test/" })), "another issuer"),
        (ed.token("one", json!({ "iss": null })), "lacks one of the claims"),
        (ed.token("one", json!({ "aud": "somebody" })), "another audience"),
        (ed.token("one", json!({ "aud": null })), "lacks one of the claims"),
        (ed.token("missing", json!({})), "key is not known"),
        ("x".to_owned(), "cannot be read"),
        ("a.b.c".to_owned(), "cannot be read"),
        ("a".repeat(20_000), "too long"),
    ];
    for (token, wrong) in &cases {
        let response = with(&server, token).await;
        let short = &token[..token.len().min(80)];
        assert_eq!(response.status(), 401, "{wrong}: {short}");
        let challenge = header(&response, "www-authenticate");
        assert!(challenge.starts_with("Bearer realm=\"wirewise\", error=\"invalid_token\""), "{challenge}");
        assert!(challenge.contains(wrong), "{wrong}: {challenge}");
        assert_eq!(header(&response, "content-type"), "application/problem+json");
        assert!(header(&response, "cache-control").contains("no-store"));
    }
    let response = server.get("/places", &[]).await;
    assert_eq!(
        (response.status().as_u16(), header(&response, "www-authenticate")),
        (401, "Bearer realm=\"wirewise\"".into())
    );
    let response = server.get("/places", &[("authorization", "Basic dTpw")]).await;
    assert_eq!(
        (response.status().as_u16(), header(&response, "www-authenticate")),
        (401, "Bearer realm=\"wirewise\"".into())
    );
    for twice in
        [&[("authorization", "Bearer a b")][..], &[("authorization", "Bearer a"), ("authorization", "Bearer b")]]
    {
        let response = server.get("/places", twice).await;
        assert_eq!(response.status(), 400);
        assert!(header(&response, "www-authenticate").contains("error=\"invalid_request\""));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn scopes_say_who_may_what() {
    let key = Key::ed();
    let server = knowing(&[key.jwk("one")]).await;
    for scope in [json!("places:reader"), json!(""), json!(null), json!(["other"])] {
        let response = with(&server, &key.token("one", json!({ "scope": scope }))).await;
        assert_eq!(response.status(), 403, "{scope}");
        let challenge = header(&response, "www-authenticate");
        assert!(challenge.contains("error=\"insufficient_scope\", scope=\"places:read\""), "{challenge}");
    }
    // Reading is not writing.
    let token = format!("Bearer {}", key.token("one", json!({})));
    let response = server.client().await.ask("POST", "/places", &[("authorization", &token)]).await.unwrap();
    assert_eq!(response.status(), 403);
    assert!(header(&response, "www-authenticate").contains("scope=\"places:write\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn public_resources_need_no_token() {
    let key = Key::ed();
    let config = config("file = \"FOLDER/keys.json\"");
    let config = &config[..config.find("scopes").unwrap()];
    let server = Server::start(&format!("{config}public = true\n"), &[("keys.json", &jwks(&[key.jwk("one")]))]).await;
    let response = server.get("/places", &[]).await;
    assert_eq!(response.status(), 200);
    assert!(header(&response, "cache-control").starts_with("public"));
    assert!(!header(&response, "vary").contains("Authorization"));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_had_from_a_url_and_change() {
    let (first, second) = (Key::ed(), Key::ec());
    let issuer = Issuer::start(&[first.jwk("first")]).await;
    let server = Server::start(&config(&format!("url = \"{}\"", issuer.url)), &[]).await;
    assert_eq!(with(&server, &first.token("first", json!({}))).await.status(), 200);
    let asked = issuer.asked.load(Ordering::SeqCst);
    assert_eq!(asked, 1, "keys are kept");
    // Whoever makes keys up does not have the issuer asked each time.
    for i in 0..20 {
        assert_eq!(with(&server, &second.token(&format!("made up {i}"), json!({}))).await.status(), 401);
    }
    assert!(issuer.asked.load(Ordering::SeqCst) <= asked + 1);
    // While the issuer is down its keys are good.
    issuer.is_down.store(true, Ordering::SeqCst);
    assert_eq!(with(&server, &first.token("first", json!({ "jti": "1" }))).await.status(), 200);
    // A new key is found as soon as a token names it and the issuer may be asked again.
    issuer.is_down.store(false, Ordering::SeqCst);
    *issuer.keys.lock().unwrap() = jwks(&[first.jwk("first"), second.jwk("second")]);
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(with(&server, &second.token("second", json!({}))).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_keys_nobody_is_let_in() {
    let key = Key::ed();
    let issuer = Issuer::start(&[key.jwk("one")]).await;
    issuer.is_down.store(true, Ordering::SeqCst);
    let config = format!(
        "{}refresh = \"100ms\"\n",
        config(&format!("url = \"{}\"", issuer.url)).replace("clock_skew", "refresh = \"100ms\"\nclock_skew")
    );
    let config = config.trim_end().trim_end_matches("refresh = \"100ms\"").to_owned();
    let server = Server::start(&config, &[]).await;
    let token = key.token("one", json!({}));
    assert_eq!(with(&server, &token).await.status(), 503);
    let (status, body) = server.telemetry("/health/ready").await;
    assert_eq!(status, 503);
    assert!(body.contains("waiting for keys"), "{body}");
    issuer.is_down.store(false, Ordering::SeqCst);
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if with(&server, &token).await.status() == 200 {
            return;
        }
    }
    panic!("the keys were never had");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_one_key_that_changes() {
    let Some((first, pem)) = Key::rsa() else { return };
    let config = config("file = \"FOLDER/keys.pem\"").replace("clock_skew", "refresh = \"50ms\"\nclock_skew");
    let server = Server::start(&config, &[("keys.pem", &pem)]).await;
    let token = first.token("any", json!({}));
    assert_eq!(with(&server, &token).await.status(), 200);
    let second = Key::ec();
    std::fs::write(server.file("keys.pem"), jwks(&[second.jwk("two")])).unwrap();
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if with(&server, &second.token("two", json!({}))).await.status() == 200 {
            assert_eq!(with(&server, &token).await.status(), 401, "what was verified is forgotten with the keys");
            return;
        }
    }
    panic!("the new key was never read");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_writes_are_apart_for_each_subject() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("create table people (name text); insert into people values ('Ada')").unwrap();
    let people = format!(
        "[resources.people]\nwrite.insert = \"people\"\n\
         source.sqlite = {{ database = {path:?}, query = \"select name from people\" }}\n"
    );
    let key = Key::ed();
    let files = jwks(&[key.jwk("one")]);
    let server = Server::start(&(config("file = \"FOLDER/keys.json\"") + &people), &[("keys.json", &files)]).await;
    for (subject, count) in [("a", 2), ("a", 2), ("b", 3), ("a", 3)] {
        let token = format!("Bearer {}", key.token("one", json!({ "sub": subject, "jti": count })));
        let headers = [("authorization", &*token), ("content-type", "application/json"), ("idempotency-key", "1")];
        let response = server.client().await.send("POST", "/people", &headers, r#"[{"name":"Bob"}]"#).await.unwrap();
        assert_eq!(response.status(), 201, "{:?}", response.body());
        let rows: i64 = connection.query_row("select count(*) from people", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, count, "{subject}");
    }
}
