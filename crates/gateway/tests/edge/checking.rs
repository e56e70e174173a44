use wirewise_gateway::config::place;
use wirewise_gateway::{Config, Findings, check};

use crate::server::Here;

/// What is found, each at the text that it is about.
async fn found(config: &str) -> (Vec<String>, Findings) {
    let findings = check(&Config::parse(config).unwrap(), &Here::default()).await;
    let places = findings.errors.iter().chain(&findings.warnings).map(|error| {
        let span = error.span.clone().or_else(|| place(config, &error.key));
        format!("{} | {error}", span.map_or("", |span| &config[span]))
    });
    (places.collect(), findings)
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_found_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (bad, data) = (write("bad.pem", "no PEM"), write("data.json", "[1]"));
    let config = format!(
        r#"
listen = "127.0.0.1:7000"
[tls]
certificate = "{bad}"
key = "/nonexistent/key.pem"
[cors]
origins = ["https://example.org/path"]
[telemetry]
listen = "127.0.0.1:7000"
[telemetry.traces]
endpoint = "http://localhost:4318/v1/traces"
headers = {{ x-key = {{ env = "WIREWISE_NOT_THERE" }} }}
[auth]
issuer = "https://issuer.test/"
audience = "a"
keys.url = "http://issuer.test/jwks"
[resources.one]
path = "/same"
source.file = {{ path = "{data}" }}
[resources.two]
path = "/same"
scopes.read = ["two words"]
source.file = {{ path = "{data}" }}
[resources.three]
source.file = {{ path = "/nonexistent/three.json" }}
"#
    );
    let (found, findings) = found(&config).await;
    let all = found.join("\n");
    for (at, what) in [
        (format!("{bad:?}"), "has no certificate in it"),
        ("[\"https://example.org/path\"]".to_owned(), "is no origin"),
        ("\"127.0.0.1:7000\"".to_owned(), "clients are answered at this address too"),
        ("\"http://issuer.test/jwks\"".to_owned(), "is not encrypted"),
        ("\"/same\"".to_owned(), "one has the path /same too"),
        ("scopes".to_owned(), "\"two words\" is no scope"),
        ("\"/nonexistent/three.json\"".to_owned(), "cannot read /nonexistent/three.json"),
        ("x-key".to_owned(), "WIREWISE_NOT_THERE is not set"),
    ] {
        assert!(found.iter().any(|found| found.starts_with(&at) && found.contains(what)), "{at} {what}\n{all}");
    }
    assert!(findings.warnings.is_empty(), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_down_are_no_errors() {
    let config = "[auth]\nissuer = 'i'\naudience = 'a'\nkeys.url = 'http://127.0.0.1:9/jwks'\n";
    let (found, findings) = found(config).await;
    assert!(findings.errors.is_empty(), "{found:?}");
    assert_eq!(findings.warnings.len(), 1);
    assert!(found[0].starts_with("keys | cannot ask 127.0.0.1"), "{found:?}");
}

#[test]
fn unknown_keys_and_wrong_values_have_their_place() {
    for (text, at, what) in [
        ("[tls]\ncertificat = 'x'\n", "certificat", "unknown field `certificat`"),
        ("[limits]\nstreams = -1\n", "-1", "invalid value"),
        ("[telemetry]\nlog = 'xml'\n", "'xml'", "unknown variant `xml`"),
        ("[auth]\nissuer = 'i'\naudience = 'a'\nkeys.uri = 'x'\n", "uri", "unknown variant `uri`"),
        ("[cors]\norigins = ['*']\nmax_age = 'long'\n", "'long'", "is no span of time"),
    ] {
        let error = Config::parse(text).unwrap_err();
        assert!(error.message.contains(what), "{error}");
        assert!(text[error.span.clone().unwrap()].contains(at), "{error:?}");
    }
}
