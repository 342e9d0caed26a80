//! A service as customers and operators see it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use stoa_core::prelude::*;

use super::record::{ProvisionedService, Since};
use super::status::{Action, OverReason, Status};
use crate::provider::{Credentials, RemoteState};

/// The product that a service was sold as.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ServiceProduct")]
pub(crate) struct SoldProduct {
    /// The product's id.
    id: i64,
    /// The name in URLs.
    slug: String,
    /// The name, as it was sold.
    name: String,
}

/// A service as its owner sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Service")]
pub(crate) struct ServiceResource {
    /// The service's id.
    id: i64,
    /// The service's number, for people.
    number: String,
    /// How far it is.
    status: Status,
    /// What was sold.
    product: SoldProduct,
    /// The plan that was sold.
    plan: String,
    /// What the provider calls it; null until it has said so.
    external_ref: Option<String>,
    /// When it was first confirmed to run; null until then.
    activated_at: Since,
    /// Since when it is suspended; null while it is not.
    suspended_at: Since,
    /// When it was terminated; null until then.
    terminated_at: Since,
    /// The order that it was sold with.
    order_id: i64,
    /// When it was paid for.
    created_at: DateTime<Utc>,
    /// What to sign in with: in the detail alone, while the service is active and there is something.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, String>")]
    credentials: Option<BTreeMap<String, String>>,
}

impl ServiceResource {
    /// The service without what is secret.
    pub(crate) fn of(service: &ProvisionedService) -> Self {
        Self {
            id: service.id,
            number: service.number().to_string(),
            status: service.status,
            product: SoldProduct {
                id: service.product_id,
                slug: service.product_slug.clone(),
                name: service.product_name.clone(),
            },
            plan: service.plan.clone(),
            external_ref: service.external_ref.clone(),
            activated_at: service.activated_at,
            suspended_at: service.suspended_at,
            terminated_at: service.terminated_at,
            order_id: service.order_id,
            created_at: service.created_at,
            credentials: None,
        }
    }

    /// The same with what to sign in with.
    pub(crate) fn with_credentials(mut self, credentials: Option<Credentials>) -> Self {
        self.credentials = credentials.map(|Credentials(values)| values);
        self
    }
}

/// A service as the operator sees it: the members of the API first.
#[derive(Debug, Serialize)]
pub(crate) struct OperatorView {
    #[serde(flatten)]
    resource: ServiceResource,
    #[serde(rename = "order_item_id")]
    order_line_id: i64,
    unit: i64,
    customer_id: i64,
    provider: String,
    key: String,
    parameters: Map<String, Value>,
    remote_state: RemoteState,
    open_call: Option<Action>,
    needs_attention: bool,
    attempts: i64,
    next_attempt_at: Since,
    last_error: Option<String>,
    drift: Option<String>,
    operator_suspended_at: Since,
    entitlement_suspended_at: Since,
    hold_until: Since,
    over_at: Since,
    over_reason: Option<OverReason>,
    terminate_at: Since,
}

impl OperatorView {
    /// The service with all that is not secret.
    pub(crate) fn of(service: &ProvisionedService) -> Self {
        Self {
            resource: ServiceResource::of(service),
            order_line_id: service.order_line_id,
            unit: service.unit,
            customer_id: service.customer_id,
            provider: service.provider.clone(),
            key: service.service_key.clone(),
            parameters: service.parameters.0.clone(),
            remote_state: service.remote_state,
            open_call: service.open_call(),
            needs_attention: service.needs_attention,
            attempts: service.attempts,
            next_attempt_at: service.due_at,
            last_error: service.last_error.clone(),
            drift: service.drift.clone(),
            operator_suspended_at: service.operator_suspended_at,
            entitlement_suspended_at: service.entitlement_suspended_at,
            hold_until: service.hold_until,
            over_at: service.over_at,
            over_reason: service.over_reason(),
            terminate_at: service.terminate_at,
        }
    }

    /// The same with what to sign in with.
    pub(crate) fn with_credentials(mut self, credentials: Option<Credentials>) -> Self {
        self.resource = self.resource.with_credentials(credentials);
        self
    }
}
