//! The route table of a shop with all modules, and requests to its routes.

use http::Method;
use serde_json::Value;
use stoa as _; // this line links all modules of the stock program
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::http::table::{Access, Base};
use stoa_core::module::Linked;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_gift_wrap as _;

use crate::samples::{Sample, sample};

/// Everything is on, nothing is limited.
const CONFIG: &str = "
[shop]
consumer_rights = 'eu'
[limits]
catalog = { requests = 0, per_seconds = 60 }
protected = { requests = 0, per_seconds = 60 }
checkout = { requests = 0, per_seconds = 60 }
token_creation = { requests = 0, per_seconds = 60 }
failed_logins = { requests = 0, per_seconds = 60 }
[mail]
from = 'shop@shop.example'
smtp.host = '127.0.0.1'
[payments.stripe]
enabled = true
secret_key = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'
webhook_secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
";

/// What the table says about one route.
#[derive(Debug, Clone)]
pub(crate) struct RouteFacts {
    pub(crate) name: &'static str,
    pub(crate) method: Method,
    pub(crate) access: Access,
    /// The path as it was declared, from the shop's root.
    pub(crate) full_path: String,
    pub(crate) has_variables: bool,
    pub(crate) base: Base,
    /// Whether the key of an order's link opens it.
    pub(crate) by_order_key: bool,
}

impl RouteFacts {
    /// The ability that opens the route; none for one that needs no token.
    pub(crate) fn ability(&self) -> Option<&'static str> {
        match self.access {
            Access::Ability(ability) => Some(ability),
            Access::Unmapped | Access::ByPrefix => panic!("{}: no ability is mapped to its prefix", self.name),
            Access::Public(_)
            | Access::Cart
            | Access::Credentials
            | Access::FirstParty
            | Access::Session
            | Access::Page
            | Access::ShopPage
            | Access::Callback
            | Access::Console(_)
            | Access::ConsoleDoor => None,
        }
    }

    /// Whether it is for customers alone, who have to say who they are.
    pub(crate) fn is_for_customers(&self) -> bool {
        matches!(self.access, Access::Ability(_))
    }

    pub(crate) fn writes(&self) -> bool {
        self.method != Method::GET
    }

    /// A request to this route that succeeds for this customer.
    pub(crate) async fn sample(&self, shop: &TestShop, customer: &CustomerRecord) -> Sample {
        let sample = sample(shop, customer, self.name).await;
        sample.unwrap_or_else(|| panic!("{}: add a sample request to samples.rs", self.name))
    }

    /// Sends a sample with what the client has.
    pub(crate) async fn send(&self, client: &TestClient, sample: &Sample) -> TestResponse {
        let body = sample.body.as_ref().map(Value::to_string).unwrap_or_default();
        let mut request = client.site_request(self.method.clone(), &sample.path, body);
        if sample.body.is_some() {
            request.headers_mut().insert("content-type", "application/json".parse().expect("a header value"));
        }
        if let Some((name, value)) = &sample.header {
            request.headers_mut().insert(*name, value.parse().expect("a header value"));
        }
        client.send(request).await
    }
}

fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).all_modules().enabled(&Linked::collect().names()).config(CONFIG)
}

/// The shop.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    builder(backend).open().await
}

/// All its routes.
pub(crate) fn routes() -> Vec<RouteFacts> {
    let program = builder(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let facts = program.registry.routes.entries.iter().map(|owned| RouteFacts {
        name: owned.route.name,
        method: owned.route.method.clone(),
        access: owned.route.access,
        full_path: owned.route.full_path(),
        has_variables: !owned.route.operation.path.is_empty(),
        base: owned.route.base,
        by_order_key: owned.route.operation.by_order_key,
    });
    facts.collect()
}

/// Those that a token's ability opens.
pub(crate) fn protected_routes() -> Vec<(RouteFacts, &'static str)> {
    let found = routes().into_iter().filter_map(|route| route.ability().map(|ability| (route, ability)));
    let found = found.collect::<Vec<_>>();
    assert!(found.len() >= 8, "the walk has lost its routes");
    found
}

/// All abilities that a token of this shop may hold.
pub(crate) fn abilities() -> Vec<&'static str> {
    let program = builder(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    program.registry.abilities.names().collect()
}
