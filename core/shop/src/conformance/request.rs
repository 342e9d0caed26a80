//! Requests to the shop under examination.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::body::Body;
use http::{HeaderValue, Method, Request, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tower_service::Service;

use stoa_customers::customers::{CustomerRecord, NewCustomer, create_customer};
use stoa_kernel::auth::{NewToken, issue_token};
use stoa_kernel::db::DbError;
use stoa_kernel::http::{API_BASE, PeerAddress};

use super::subject::describe;
use crate::program::Shop;

/// Where requests come from: an address of the documentation.
const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// What came back.
#[derive(Debug, PartialEq)]
pub(super) struct TestAnswer {
    pub(super) status: u16,
    pub(super) body: Value,
}

impl TestAnswer {
    /// The answer in a few words.
    pub(super) fn describe(&self) -> String {
        match self.body["code"].as_str() {
            Some(code) => format!("{} `{code}`", self.status),
            None => self.status.to_string(),
        }
    }

    pub(super) fn is(&self, status: u16, code: &str) -> bool {
        self.status == status && self.body["code"] == code
    }
}

/// Sends a request; the path is relative to `/api/v1`.
pub(super) async fn ask(
    shop: &Shop,
    method: &Method,
    path: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Result<TestAnswer, String> {
    let content = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let mut request = Request::builder().method(method).uri(format!("{API_BASE}{path}"));
    if body.is_some() {
        request = request.header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let mut request = request.body(content).map_err(|error| describe(&error))?;
    request.extensions_mut().insert(PeerAddress::new(SocketAddr::new(CLIENT, 40_000)));
    let Ok(response) = shop.front.clone().call(request).await;
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.map_err(|error| describe(&error))?.to_bytes();
    Ok(TestAnswer { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) })
}

/// Makes a customer.
pub(super) async fn customer(shop: &Shop, name: &str) -> Result<CustomerRecord, String> {
    let new = NewCustomer {
        email: format!("{name}@check.invalid"),
        name: name.to_owned(),
        password_hash: None,
        verified: true,
    };
    create_customer(&shop.parts.db, new).await.map_err(|error| describe(&error))
}

/// Makes a token of a customer with one ability.
pub(super) async fn token(shop: &Shop, customer: &CustomerRecord, ability: &str) -> Result<String, String> {
    let abilities = [ability.to_owned()];
    let new =
        NewToken { customer_id: customer.id, name: "check", abilities: &abilities, networks: &[], expires_at: None };
    let parts = &shop.parts;
    let issued = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    issued.await.map_err(|error| describe(&error))
}
