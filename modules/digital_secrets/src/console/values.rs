//! What lies in pools and what was sold, in the console: without the values, which are shown one at a time, once each.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use stoa_core::console::ConsoleForm;
use stoa_core::encryption::Cipher;
use stoa_core::http::rules::Field;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use super::VIEW;
use crate::availability::update_availability;
use crate::config::Config;
use crate::filling::value_of;
use crate::queries;
use crate::reading::reveal_to_operator;
use crate::replacing::{LONGEST_REASON, ReplaceError, Replacement, replace, void};
use crate::vault::VaultError;

pub(super) const VALUES: &str = "/m/digital_secrets/values";
pub(super) const SOLD: &str = "/m/digital_secrets/sold";
const REPLACE: &str = "digital_secrets.replace";
const REVEAL: &str = "digital_secrets.reveal";

/// Registers the pages, and the box on the page of an order.
pub(super) fn register(cx: &mut ModuleContext<'_>, config: &Arc<Config>) -> Result<(), RegisterError> {
    cx.console_ability(REPLACE, "replace keys that do not work, and take keys out of pools");
    cx.console_ability(REVEAL, "read keys that were sold");
    let values = page("digital_secrets.values", "Keys of a pool", VIEW, values).unlisted();
    cx.console_page((), values.form(void_form(config)))?;
    let sold = page("digital_secrets.sold", "Sold keys", VIEW, sold).unlisted();
    cx.console_page((), sold.form(replace_form(config)).form(reveal_form()))?;
    cx.console_panel(On::Order, VIEW, |order_id, db: Db| async move {
        let rows = db.read(queries::LIST_OF_ORDER).bind(order_id).all::<SoldSecret>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Keys").rows(list("Keys"), rows)))
    });
    Ok(())
}

#[derive(sqlx::FromRow)]
struct PooledValue {
    id: i64,
    state: String,
    origin: String,
    hint: String,
    unit_id: Option<i64>,
    created_at: DateTime<Utc>,
    delivered_at: Option<DateTime<Utc>>,
}

async fn values(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let pool = query.get("pool").unwrap_or_default().to_owned();
    let state = query.get("state").map(str::to_owned);
    let counted = db.read(queries::COUNT_VALUES).bind(&pool).bind(state.clone()).bind(MOST_COUNTED + 1);
    let counted = counted.scalar().await?;
    let list = List::new("Keys of a pool", |value: &PooledValue| value.id)
        .about("What lies in a pool, the oldest first. No key is shown here, only how it ends.")
        .text("pool", "Pool", "agora-sans")
        .choice("state", "State", ["available", "reserved", "delivered", "revoked", "voided"])
        .way(VIEW, "Pools", "/m/digital_secrets/pools")
        .empty("Nothing lies there. Say which pool.")
        .column("Key", |value| Cell::from(value.id.to_string()).over(Cell::Code(value.hint.clone())))
        .column("State", |value| Cell::state(&value.state))
        .column("Origin", |value| value.origin.clone())
        .column("Sold as", |value| value.unit_id.map(|id| id.to_string()))
        .column("Added", |value| value.created_at)
        .column("Delivered", |value| value.delivered_at)
        .act(REPLACE, |value| {
            let id = value.id.to_string();
            let act = || RowAct::fill("Void", &format!("{VALUES}/void"), [("id", id.as_str())]);
            (value.state == "available").then(act)
        });
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, pool, state) = (db.clone(), pool.clone(), state.clone());
        async move {
            let read = db.read(queries::PAGE_VALUES).bind(pool).bind(state).bind(after.unwrap_or_default());
            read.bind(limit).all::<PooledValue>().await
        }
    })
    .await
}

#[derive(sqlx::FromRow)]
struct SoldSecret {
    id: i64,
    state: String,
    label: String,
    pool: String,
    granted_at: Option<DateTime<Utc>>,
    order_id: i64,
    hint: Option<String>,
}

fn list(title: &str) -> List<SoldSecret> {
    let fill = |label, act: &str, sold: &SoldSecret| {
        RowAct::fill(label, &format!("{SOLD}/{act}"), [("id", &*sold.id.to_string())])
    };
    List::new(title, |sold: &SoldSecret| sold.id)
        .column("Product", |sold| Cell::from(&sold.label).over(sold.hint.clone().map(Cell::Code)))
        .column("State", |sold| Cell::state(&sold.state))
        .column("Pool", |sold| sold.pool.clone())
        .column("Delivered", |sold| sold.granted_at)
        .act(REPLACE, move |sold| sold.hint.is_some().then(|| fill("Replace", "replace", sold)))
        .act(REVEAL, move |sold| sold.hint.is_some().then(|| fill("Show key", "reveal", sold)))
}

async fn sold(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let order = query.parsed::<OrderNumber>("order").map(OrderNumber::id);
    let email = query.get("customer").map(str::to_lowercase);
    let (pool, state) = (query.get("pool").map(str::to_owned), query.get("state").map(str::to_owned));
    let counted = db.read(queries::COUNT_SOLD).bind(order).bind(email.clone()).bind(pool.clone()).bind(state.clone());
    let counted = counted.bind(MOST_COUNTED + 1).scalar().await?;
    let list = list("Sold keys")
        .about("What was sold, the newest first, without the keys.")
        .text("order", "Order", "O-000042")
        .text("customer", "Customer", "ada@example.com")
        .text("pool", "Pool", "agora-sans")
        .choice("state", "State", ["promised", "waiting", "delivered", "revoked", "released"])
        .way(VIEW, "Pools", "/m/digital_secrets/pools")
        .empty("No keys were sold yet.")
        .column("Order", |sold| {
            let number = OrderNumber::of(sold.order_id).to_string();
            Cell::link(number.as_str(), format!("/orders/{number}"))
        });
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, email, pool, state) = (db.clone(), email.clone(), pool.clone(), state.clone());
        async move {
            let read = db.read(queries::PAGE_SOLD).bind(order).bind(email).bind(pool).bind(state);
            read.bind(after).bind(limit).all::<SoldSecret>().await
        }
    })
    .await
}

fn id(label: &'static str) -> Field {
    field("id").label(label).integer(1, i64::MAX).required()
}

fn reason() -> Field {
    field("reason").max(LONGEST_REASON).describe("For the record.")
}

/// A value that is taken out.
#[derive(Debug, Deserialize)]
struct Voided {
    id: i64,
    reason: Option<String>,
}

impl Input for Voided {
    const NAME: &'static str = "DigitalSecretVoided";

    fn rules() -> Rules {
        Rules::new([id("Key"), reason()])
    }
}

fn void_form(config: &Arc<Config>) -> ConsoleForm {
    let config = Arc::clone(config);
    let void = form("digital_secrets.void", "Void key", REPLACE, move |taken: Voided, db: Db| {
        let config = Arc::clone(&config);
        async move {
            void(&db, taken.id, taken.reason.as_deref()).await.map_err(refused)?;
            update_availability(&db, &config).await?;
            Ok(format!("Key {} is void: nobody gets it.", taken.id).into())
        }
    });
    void.about("It is taken out of its pool before anybody gets it, for good.")
}

/// A value that does not work.
#[derive(Debug, Deserialize)]
struct Replaced {
    id: i64,
    key: Option<String>,
    reason: Option<String>,
}

impl Input for Replaced {
    const NAME: &'static str = "DigitalSecretReplaced";

    fn rules() -> Rules {
        let key = field("key").label("New key").max(4096);
        Rules::new([
            id("Sold key"),
            key.describe("Else the next of the pool, or one of the product's pattern."),
            reason(),
        ])
    }
}

fn replace_form(config: &Arc<Config>) -> ConsoleForm {
    type Uses = (Db, Random, Cipher);
    let config = Arc::clone(config);
    let replace = form("digital_secrets.replace", "Replace key", REPLACE, move |new: Replaced, uses: Uses| {
        let config = Arc::clone(&config);
        async move {
            let (db, random, cipher) = &uses;
            let given =
                new.key.as_deref().map(value_of).transpose().map_err(|reason| Refused::field("key", &reason))?;
            let with = given.flatten().map_or(Replacement::Next, Replacement::Given);
            let done = replace(db, random, cipher, new.id, &with, new.reason.as_deref()).await.map_err(refused)?;
            update_availability(db, &config).await?;
            Ok(format!("The customer finds another key now; key {} is void.", done.voided_value_id).into())
        }
    });
    let replace =
        replace.about("The old key is void: nobody sees it any more. The customer finds the new one in its place.");
    replace.hides(&["id"]).begins(begin)
}

/// Whose value is shown.
#[derive(Debug, Deserialize)]
struct Revealed {
    id: i64,
}

impl Input for Revealed {
    const NAME: &'static str = "DigitalSecretRevealed";

    fn rules() -> Rules {
        Rules::new([id("Sold key")])
    }
}

fn reveal_form() -> ConsoleForm {
    let reveal =
        form("digital_secrets.reveal", "Show key", REVEAL, |wanted: Revealed, uses: (Db, Random, Cipher)| async move {
            let (db, random, cipher) = &uses;
            let found = reveal_to_operator(db, random, cipher, wanted.id, "console").await.map_err(unreadable)?;
            let value =
                found.ok_or_else(|| Refused::because(&"it has no key that could be shown, or it was erased"))?;
            Ok(Told::new("That you have read it is written down.").once("Key", value))
        });
    reveal.about("It is shown once, and that you have read it is written down.").hides(&["id"]).begins(begin)
}

/// Says which sold key it is, and leads back to its order.
async fn begin(values: FormValues, db: Db) -> ApiResult<FormStart> {
    let id = values.get("id").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
    let found = db.read(queries::FIND_SOLD).bind(id).optional::<SoldSecret>().await?;
    Ok(found.map_or_else(FormStart::default, |sold| {
        let order = OrderNumber::of(sold.order_id);
        let hint = sold.hint.map(|hint| format!(", which ends in {hint}")).unwrap_or_default();
        FormStart::about(format!("{} of the order {order}{hint}.", sold.label)).back(format!("/orders/{order}"))
    }))
}

fn unreadable(error: VaultError) -> Refused {
    match error {
        VaultError::Db(error) => error.into(),
        other => Refused::because(&other),
    }
}

fn refused(error: ReplaceError) -> Refused {
    match error {
        ReplaceError::UnknownUnit(_) => Refused::field("id", &"there is no such key that was sold"),
        ReplaceError::UnknownValue(_) => Refused::field("id", &"there is no such key"),
        ReplaceError::Duplicate => Refused::field("key", &error),
        ReplaceError::Empty(pool) => {
            Refused::because(&format!("the pool {pool} is empty: add keys to it, or give one here"))
        }
        ReplaceError::Db(error) => error.into(),
        ReplaceError::Vault(error) => unreadable(error),
        other @ (ReplaceError::NotReplaceable(..) | ReplaceError::NotAvailable(..) | ReplaceError::Failed(_)) => {
            Refused::because(&other)
        }
    }
}
