//! A subscription as the API shows it, and as operators see it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use stoa_core::money::MoneyFormatter;
use stoa_core::prelude::*;

use crate::calendar::{Interval, Period};
use crate::config::Config;
use crate::model::{PeriodRecord, Status, Subscription};
use crate::queries;

/// The product that a subscription was sold as.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SubscriptionProduct")]
pub(crate) struct SoldProduct {
    /// The product's id.
    id: i64,
    /// The name in URLs, as it was sold.
    slug: String,
    /// The name, as it was sold.
    name: String,
}

/// A subscription as its owner sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Subscription")]
pub(crate) struct SubscriptionResource {
    /// The subscription's id.
    id: i64,
    /// The subscription's number, for people.
    number: String,
    /// What has become of it.
    status: Status,
    /// What was sold.
    product: SoldProduct,
    /// The unit of time between two periods.
    interval: Interval,
    /// How many of those a period lasts.
    interval_count: i64,
    /// Days of the first period, which costs nothing then; 0 without a trial.
    trial_days: i64,
    /// What each renewal costs, in minor units, before what shipping and taxes add. It stays as it was agreed on.
    price_amount: i64,
    /// The same for people.
    price_formatted: String,
    /// ISO 4217 code.
    currency: String,
    /// When the latest period that is paid begins; null before the order is paid.
    current_period_start: Option<DateTime<Utc>>,
    /// When that period ends.
    current_period_end: Option<DateTime<Utc>>,
    /// When the next renewal is billed; null when none will be.
    next_billing_at: Option<DateTime<Utc>>,
    /// Whether it ends with its period.
    cancel_at_period_end: bool,
    /// The order that it was bought with.
    order_id: i64,
    /// The order that is to be paid for it to go on; null when there is none.
    renewal_order_id: Option<i64>,
}

/// The renewal that waits to be paid.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub(crate) struct OpenRenewal {
    subscription_id: i64,
    number: i64,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    order_id: i64,
}

impl OpenRenewal {
    fn period(&self) -> Period {
        Period { number: self.number, starts_at: self.starts_at, ends_at: self.ends_at }
    }
}

impl SubscriptionResource {
    fn of(subscription: Subscription, open: Option<OpenRenewal>, config: &Config, money: &MoneyFormatter) -> Self {
        let goes_on = subscription.status.is_live() && !subscription.cancel_at_period_end;
        let last = open.map(|open| open.period()).or_else(|| subscription.current_period());
        Self {
            id: subscription.id,
            number: subscription.number().to_string(),
            status: subscription.status,
            next_billing_at: last.filter(|_| goes_on).map(|period| period.ahead(config.renew_ahead_days)),
            product: SoldProduct {
                id: subscription.product_id,
                slug: subscription.product_slug,
                name: subscription.product_name,
            },
            interval: subscription.interval,
            interval_count: subscription.interval_count,
            trial_days: subscription.trial_days,
            price_amount: subscription.price_amount,
            price_formatted: money.format_in(subscription.price_amount, &subscription.currency),
            currency: subscription.currency,
            current_period_start: subscription.current_period_start,
            current_period_end: subscription.current_period_end,
            cancel_at_period_end: subscription.cancel_at_period_end,
            order_id: subscription.order_id,
            renewal_order_id: open.map(|open| open.order_id),
        }
    }
}

/// Subscriptions as the API shows them, in their order.
pub(crate) async fn shown(
    subscriptions: Vec<Subscription>,
    config: &Config,
    db: &Db,
    money: &MoneyFormatter,
) -> Result<Vec<SubscriptionResource>, DbError> {
    let ids = subscriptions.iter().map(|subscription| json!({"id": subscription.id}));
    let ids = Value::Array(ids.collect()).to_string();
    let open = db.read(queries::OPEN_PERIODS).bind(ids).all::<OpenRenewal>().await?;
    let open = open.into_iter().map(|open| (open.subscription_id, open)).collect::<BTreeMap<_, _>>();
    let shown = subscriptions.into_iter().map(|subscription| {
        let open = open.get(&subscription.id).copied();
        SubscriptionResource::of(subscription, open, config, money)
    });
    Ok(shown.collect())
}

/// A subscription as the API shows it, with what only operators see.
#[derive(Debug, Serialize)]
pub(crate) struct SubscriptionDetails {
    #[serde(flatten)]
    resource: SubscriptionResource,
    pub(crate) customer_id: i64,
    #[serde(rename = "order_item_id")]
    pub(crate) order_line_id: i64,
    pub(crate) unit: i64,
    pub(crate) started_at: Option<DateTime<Utc>>,
    pub(crate) past_due_at: Option<DateTime<Utc>>,
    pub(crate) suspended_at: Option<DateTime<Utc>>,
    pub(crate) ended_at: Option<DateTime<Utc>>,
    pub(crate) end_reason: Option<String>,
    pub(crate) last_error: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
}

/// The same for operators.
pub(crate) async fn detailed(
    subscriptions: Vec<Subscription>,
    config: &Config,
    db: &Db,
    money: &MoneyFormatter,
) -> Result<Vec<SubscriptionDetails>, DbError> {
    let resources = shown(subscriptions.clone(), config, db, money).await?;
    let detailed = subscriptions.into_iter().zip(resources).map(|(own, resource)| SubscriptionDetails {
        resource,
        customer_id: own.customer_id,
        order_line_id: own.order_line_id,
        unit: own.unit,
        started_at: own.started_at,
        past_due_at: own.past_due_at,
        suspended_at: own.suspended_at,
        ended_at: own.ended_at,
        end_reason: own.end_reason,
        last_error: own.last_error,
        created_at: own.created_at,
    });
    Ok(detailed.collect())
}

/// The periods of a subscription, oldest first.
pub(crate) async fn periods_of(db: &Db, subscription_id: i64) -> Result<Vec<PeriodRecord>, DbError> {
    db.read(queries::LIST_PERIODS).bind(subscription_id).all().await
}
