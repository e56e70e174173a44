//! An issuer of tokens: keys, signatures, and a server that answers its keys.

use std::convert::Infallible;
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::Response;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub(crate) enum Key {
    Ed(Ed25519KeyPair),
    Ec(EcdsaKeyPair),
    Rsa(RsaKeyPair),
}

pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Key {
    pub(crate) fn ed() -> Key {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Key::Ed(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap())
    }

    pub(crate) fn ec() -> Key {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        Key::Ec(EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random).unwrap())
    }

    /// Made by OpenSSL; `None` where that is missing. The other value is the public key as PEM.
    pub(crate) fn rsa() -> Option<(Key, String)> {
        let mut made = wirewise_testkit::foreign::tool("openssl")?;
        let args = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-outform", "DER"];
        let made = made.args(args).output().unwrap();
        assert!(made.status.success());
        let mut public = wirewise_testkit::foreign::tool("openssl")?;
        let public = public.args(["pkey", "-inform", "DER", "-pubout"]);
        let mut public = public.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        public.stdin.take().unwrap().write_all(&made.stdout).unwrap();
        let public = String::from_utf8(public.wait_with_output().unwrap().stdout).unwrap();
        // Which of the two it writes depends on its version.
        let key = RsaKeyPair::from_pkcs8(&made.stdout).or_else(|_| RsaKeyPair::from_der(&made.stdout));
        Some((Key::Rsa(key.unwrap()), public))
    }

    pub(crate) fn algorithm(&self) -> &'static str {
        match self {
            Key::Ed(_) => "EdDSA",
            Key::Ec(_) => "ES256",
            Key::Rsa(_) => "RS256",
        }
    }

    pub(crate) fn jwk(&self, kid: &str) -> Value {
        match self {
            Key::Ed(key) => {
                json!({ "kid": kid, "kty": "OKP", "crv": "Ed25519", "x": base64(key.public_key()), "alg": "EdDSA" })
            }
            Key::Ec(key) => {
                let point = key.public_key().as_ref();
                let (x, y) = (base64(&point[1..33]), base64(&point[33..]));
                json!({ "kid": kid, "kty": "EC", "crv": "P-256", "x": x, "y": y, "use": "sig" })
            }
            Key::Rsa(key) => {
                let public = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({ "kid": kid, "kty": "RSA", "n": base64(public.n), "e": base64(public.e), "alg": "RS256" })
            }
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Key::Ed(key) => key.sign(message).as_ref().to_vec(),
            Key::Ec(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Key::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
        }
    }

    /// A token with this head and these claims.
    pub(crate) fn token_with(&self, head: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", base64(head.to_string()), base64(claims.to_string()));
        let signature = base64(self.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    /// A good one, but for these claims, which replace others; null takes one away.
    pub(crate) fn token(&self, kid: &str, claims: Value) -> String {
        let mut all = json!({ "iss": ISSUER, "aud": AUDIENCE, "exp": now() + 600, "scope": "places:read other" });
        for (name, value) in claims.as_object().unwrap() {
            all[name] = value.clone();
        }
        all.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        self.token_with(&json!({ "alg": self.algorithm(), "kid": kid, "typ": "JWT" }), &all)
    }
}

pub(crate) const ISSUER: &str = "https://issuer.test/";
pub(crate) const AUDIENCE: &str = "wirewise-test";

pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64
}

pub(crate) fn jwks(keys: &[Value]) -> String {
    json!({ "keys": keys }).to_string()
}

/// A server that answers keys.
pub(crate) struct Issuer {
    pub(crate) url: String,
    pub(crate) keys: Mutex<String>,
    pub(crate) asked: AtomicUsize,
    pub(crate) is_down: AtomicBool,
}

impl Issuer {
    pub(crate) async fn start(keys: &[Value]) -> Arc<Issuer> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = Arc::new(Issuer {
            url: format!("http://{}/jwks.json", listener.local_addr().unwrap()),
            keys: Mutex::new(jwks(keys)),
            asked: AtomicUsize::new(0),
            is_down: AtomicBool::new(false),
        });
        let answering = issuer.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let issuer = answering.clone();
                tokio::spawn(async move {
                    let service = service_fn(|_| {
                        issuer.asked.fetch_add(1, Ordering::SeqCst);
                        let mut response = Response::new(Full::new(Bytes::from(issuer.keys.lock().unwrap().clone())));
                        if issuer.is_down.load(Ordering::SeqCst) {
                            *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
                        }
                        async { Ok::<_, Infallible>(response) }
                    });
                    let builder = hyper::server::conn::http1::Builder::new();
                    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        issuer
    }
}
