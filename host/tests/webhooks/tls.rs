//! Encrypted destinations: whom the shop believes.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, TestShopBuilder};
use stoa_core::webhooks::{DeliveryState, EndpointKind};
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::destinations::Names;
use crate::receiver::Receiver;
use crate::shop::{delivery, hook_to, paid, send};

const NAME: &str = "hook.example.test";

/// A certificate authority of the test's own, in a file.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names are fine");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key is made");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("it signs itself");
        let folder = TempDir::new().expect("a temporary folder can be made");
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).expect("it can be written to");
        Self { issuer, folder }
    }

    fn config(&self) -> String {
        format!(
            "[webhooks]\nallow_private_destinations = true\nextra_ca_file = '{}'\n",
            self.folder.path().join("ca.pem").display()
        )
    }

    /// A server that shows a certificate for `name`.
    fn acceptor(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> TlsAcceptor {
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

fn here(builder: TestShopBuilder) -> TestShopBuilder {
    builder.resolver(Names::answering(&[&["127.0.0.1"]]))
}

async fn sent(shop: &TestShop, receiver: &Receiver) -> (DeliveryState, Option<String>) {
    hook_to(shop, &format!("https://{NAME}:{}/hook", receiver.port), EndpointKind::Http, &["*"]).await;
    shop.queue_webhook(&paid(1)).await;
    send(shop).await;
    let found = delivery(shop).await;
    (found.state, found.last_error)
}

#[tokio::test]
async fn a_certificate_of_the_extra_authority_is_believed_for_its_name() {
    let authority = Authority::new();
    let receiver = Receiver::open_tls(authority.acceptor(NAME, |_| {})).await;
    let shop = here(TestShop::builder(Backend::Sqlite).config(&authority.config())).open().await;
    assert_eq!(sent(&shop, &receiver).await, (DeliveryState::Delivered, None));
    let hit = receiver.only();
    assert_eq!(hit.header("host"), format!("{NAME}:{}", receiver.port));
}

#[tokio::test]
async fn a_certificate_that_is_not_believed_is_a_failure_of_the_transport() {
    let (authority, foreign) = (Authority::new(), Authority::new());
    let expired = |params: &mut CertificateParams| {
        (params.not_before, params.not_after) = (rcgen::date_time_ymd(2020, 1, 1), rcgen::date_time_ymd(2021, 1, 1));
    };
    for acceptor in [
        authority.acceptor("other.example.test", |_| {}),
        authority.acceptor(NAME, expired),
        foreign.acceptor(NAME, |_| {}),
    ] {
        let receiver = Receiver::open_tls(acceptor).await;
        let shop = here(TestShop::builder(Backend::Sqlite).config(&authority.config())).open().await;
        let (state, error) = sent(&shop, &receiver).await;
        assert_eq!((state, receiver.hits().len()), (DeliveryState::Pending, 0));
        assert!(error.as_deref().is_some_and(|error| error.contains("certificate")), "{error:?}");
    }
}
