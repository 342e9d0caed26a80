//! A certificate authority of a test's own, and servers that show its certificates.

use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate authority, in a file.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    /// Another one each time.
    #[expect(clippy::new_without_default, reason = "each is another one")]
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names are fine");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key is made");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("it signs itself");
        let folder = TempDir::new().expect("a temporary folder can be made");
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).expect("it can be written to");
        Self { issuer, folder }
    }

    /// Where its certificate is, as PEM.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A server that shows a certificate for `name`, which `change` may spoil.
    pub fn acceptor(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        change(&mut params);
        let key = KeyPair::generate().expect("a key is made");
        let certificate = params.signed_by(&key, &self.issuer).expect("it is signed");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = builder.expect("there are versions").with_no_client_auth();
        let config = config.with_single_cert(vec![certificate.der().clone()], key).expect("they belong together");
        TlsAcceptor::from(Arc::new(config))
    }
}
