//! Encrypted destinations: whom the shop believes.

use rcgen::CertificateParams;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, TestShopBuilder};
use stoa_core::webhooks::{DeliveryState, EndpointKind};
use stoa_fakes::Authority;

use crate::destinations::Names;
use crate::receiver::Receiver;
use crate::shop::{delivery, hook_to, paid, send};

const NAME: &str = "hook.example.test";

fn config(authority: &Authority) -> String {
    format!("[webhooks]\nallow_private_destinations = true\nextra_ca_file = '{}'\n", authority.file().display())
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
    let shop = here(TestShop::builder(Backend::Sqlite).config(&config(&authority))).open().await;
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
        let shop = here(TestShop::builder(Backend::Sqlite).config(&config(&authority))).open().await;
        let (state, error) = sent(&shop, &receiver).await;
        assert_eq!((state, receiver.hits().len()), (DeliveryState::Pending, 0));
        assert!(error.as_deref().is_some_and(|error| error.contains("certificate")), "{error:?}");
    }
}
