//! Endpoints of the configuration.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::webhooks::{
    ChangeError, DeliveryState, Endpoint, EndpointKind, list_endpoints, remove_endpoint, rotate_secret,
    set_endpoint_enabled,
};

use crate::receiver::Receiver;
use crate::shop::{builder, hook, paid, send, states};

fn listed(receiver: &Receiver, rest: &str) -> String {
    format!("[[webhooks.endpoints]]\nname = 'books'\nurl = '{}'\n{rest}\n", receiver.url())
}

/// The same shop, started again with another configuration.
async fn restarted(shop: &TestShop, backend: Backend, seed: u64, config: &str) -> TestShop {
    builder(backend).on(shop.database()).clock(&shop.clock).seed(seed).config(config).open().await
}

async fn endpoints(shop: &TestShop) -> Vec<Endpoint> {
    list_endpoints(&shop.parts.db).await.expect("the database answers")
}

both_databases!(an_endpoint_of_the_configuration_is_taken_over_changed_and_removed_at_the_start);
async fn an_endpoint_of_the_configuration_is_taken_over_changed_and_removed_at_the_start(backend: Backend) {
    let receiver = Receiver::open().await;
    let shop = builder(backend).config(&listed(&receiver, "secret = 'first-secret'")).open().await;
    let (own, _) = hook(&shop, &receiver).await;
    let first = endpoints(&shop).await.remove(0);
    assert_eq!(
        (first.name.as_deref(), first.kind, first.events),
        (Some("books"), EndpointKind::Http, vec!["*".to_owned()])
    );
    shop.queue_webhook(&paid(1)).await;
    assert_eq!(send(&shop).await, 2);
    assert!(receiver.hits().iter().any(|hit| hit.is_signed_with("first-secret")));

    let same = restarted(&shop, backend, 2, &listed(&receiver, "secret = 'first-secret'")).await;
    assert_eq!(endpoints(&same).await[0].updated_at, first.updated_at);

    let rest = "secret = 'second-secret'\nkind = 'chat'\nevents = ['order.paid', 'order.created']";
    let changed = restarted(&shop, backend, 3, &listed(&receiver, rest)).await;
    let found = endpoints(&changed).await.remove(0);
    assert_eq!((found.id, found.kind, found.events.len()), (first.id, EndpointKind::Chat, 2));
    assert_eq!(found.previous_secret_until, Some(shop.now() + TimeDelta::hours(24)));
    changed.queue_webhook(&paid(2)).await;
    send(&changed).await;
    let both = receiver.hits().into_iter().find(|hit| hit.is_signed_with("second-secret")).expect("it is signed");
    assert!(both.is_signed_with("first-secret"));

    let off = restarted(&shop, backend, 4, &listed(&receiver, "secret = 'second-secret'\nenabled = false")).await;
    off.queue_webhook(&paid(3)).await;
    assert_eq!(send(&off).await, 1);

    let gone = restarted(&shop, backend, 7, "").await;
    assert_eq!(endpoints(&gone).await.iter().map(|endpoint| endpoint.id).collect::<Vec<_>>(), [own.id]);
    assert!(states(&gone).await.iter().all(|state| *state == DeliveryState::Delivered));
}

both_databases!(commands_do_not_change_what_the_next_start_would_undo);
async fn commands_do_not_change_what_the_next_start_would_undo(backend: Backend) {
    let receiver = Receiver::open().await;
    let shop = builder(backend).config(&listed(&receiver, "secret = 's3cret'")).open().await;
    let id = endpoints(&shop).await[0].id;
    let parts = &shop.parts;
    for refused in [
        set_endpoint_enabled(&parts.db, id, false).await.map(drop),
        remove_endpoint(&parts.db, id).await.map(drop),
        rotate_secret(&parts.db, &parts.random, &parts.cipher, id, None, TimeDelta::zero()).await.map(drop),
    ] {
        assert!(matches!(&refused, Err(ChangeError::Configured { name, .. }) if name == "books"), "{refused:?}");
    }
}

#[test]
fn mistakes_in_an_endpoint_are_named() {
    for (rest, words) in [
        ("secret = ''", "endpoints"),
        ("secret = 'x'\nkind = 'fax'", "kind"),
        ("secret = 'x'\nevents = ['order.payed']", "order.payed"),
        ("secret = 'x'\nevents = []", "at least one event"),
        ("secret = 'x'\ntimeout = 5", "timeout"),
        ("kind = 'http'", "secret"),
    ] {
        let config = format!("[[webhooks.endpoints]]\nname = 'books'\nurl = 'https://example.com/'\n{rest}\n");
        let problems = TestShop::builder(Backend::Sqlite).config(&config).freeze().err().expect("it is refused");
        assert!(problems.to_string().contains(words), "{rest}: {problems}");
    }
    for url in ["http://example.com/", "https://10.0.0.1/", "https://user@example.com/", "example.com"] {
        let config = format!("[[webhooks.endpoints]]\nname = 'books'\nurl = '{url}'\nsecret = 'hunter2'\n");
        let problems = TestShop::builder(Backend::Sqlite).config(&config).freeze().err().expect("it is refused");
        let said = problems.to_string();
        assert!(said.contains("url") && !said.contains("hunter2"), "{url}: {said}");
    }
}
