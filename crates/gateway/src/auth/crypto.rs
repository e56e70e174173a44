//! The signatures of tokens, verified by `ring`, which TLS needs anyway. Nothing is ever signed.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use signature::Verifier;

/// The algorithms that are known, and the keys that each is for.
pub(super) const ALGORITHMS: [(Algorithm, AlgorithmFamily); 3] = [
    (Algorithm::RS256, AlgorithmFamily::Rsa),
    (Algorithm::ES256, AlgorithmFamily::Ec),
    (Algorithm::EdDSA, AlgorithmFamily::Ed),
];

/// Makes `jsonwebtoken` use it. Whoever did that before in this process stays.
pub(super) fn install() {
    static PROVIDER: CryptoProvider =
        CryptoProvider { signer_factory: signer, verifier_factory: verifier, key_utils: KeyUtils::new_unimplemented() };
    let _ = PROVIDER.install_default();
}

fn signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    // A key of one kind never verifies a signature of another: an RSA key is no secret of HMAC.
    match ALGORITHMS.iter().find(|(known, _)| known == algorithm) {
        Some((_, family)) if *family == key.family() => {
            Ok(Box::new(Signature { algorithm: *algorithm, key: key.clone() }))
        }
        Some(_) => Err(ErrorKind::InvalidKeyFormat.into()),
        None => Err(ErrorKind::UnsupportedAlgorithm.into()),
    }
}

struct Signature {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for Signature {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for Signature {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), signature::Error> {
        let verified = match (self.algorithm, self.key.kind()) {
            (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
            (Algorithm::RS256, DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key).verify(message, signature)
            }
            (Algorithm::ES256, DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(message, signature)
            }
            (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(&ED25519, key).verify(message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}
