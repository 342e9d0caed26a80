//! The module's page of the operator's console: what is left in pools, and adding to them; and its box on the page of an order.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::availability::update_availability;
use crate::config::Config;
use crate::filling::{Candidate, Filled, fill, value_of};
use crate::oversight::{Stock, list_stocks};
use crate::pools::{NoPool, pool_of_product};
use crate::queries;
use crate::vault::VaultError;

const VIEW: &str = "digital_secrets.view";
const ADD: &str = "digital_secrets.add";

/// Values that are added in one transaction: few enough that buyers hardly wait.
const BATCH: usize = 200;

/// Most characters that are taken at once.
const MAX_VALUES: usize = 200_000;

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: &Config) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see how many keys and codes are left");
    cx.console_ability(ADD, "add keys and codes");
    let config = Arc::new(config.clone());
    let state = Arc::clone(&config);
    let add = form(ADD, "Add keys", ADD, move |new: NewValues, uses: (Db, Random, Cipher)| {
        let config = Arc::clone(&config);
        async move { add_values(&config, &new, &uses).await }
    });
    let add =
        add.about("Those who have paid and wait get theirs at once. Keys that the pool has had before are left out.");
    cx.console_page(state, page("digital_secrets.pools", "Keys", VIEW, pools).form(add))?;
    cx.console_panel(On::Order, VIEW, |order_id, db: Db| async move {
        let rows = db.read(queries::LIST_OF_ORDER).bind(order_id).all::<SoldSecret>().await?;
        let list = List::new("Keys", |sold: &SoldSecret| sold.id)
            .column("Product", |sold| sold.label.clone())
            .column("State", |sold| Cell::state(&sold.state))
            .column("Pool", |sold| sold.pool.clone())
            .column("Delivered", |sold| sold.granted_at);
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Keys").rows(list, rows)))
    });
    Ok(())
}

#[derive(sqlx::FromRow)]
struct SoldSecret {
    id: i64,
    state: String,
    label: String,
    pool: String,
    granted_at: Option<DateTime<Utc>>,
}

async fn pools(State(config): State<Arc<Config>>, db: Db, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let low_water = config.low_water;
    let stocks = list_stocks(&db).await?.into_iter().filter(|stock| stock.is_low(low_water) || !query.is_on("low"));
    let stocks = stocks.collect::<Vec<_>>();
    let list = List::keyed("Keys", |stock: &Stock| stock.name.clone())
        .about("What is left in each pool. A product takes its keys from the pool of its name, unless its settings name another.")
        .flag("low", "Low only")
        .button(ADD, "Add keys", "/m/digital_secrets/pools/add")
        .empty("There are no pools yet. Adding keys for a product makes one.")
        .column("Pool", |stock| stock.name.clone())
        .number("Available", |stock| stock.available)
        .number("Reserved", |stock| stock.reserved)
        .number("Waiting", |stock| stock.waiting)
        .number("Warn below", move |stock| stock.limit(low_water))
        .column("State", move |stock| Cell::state(if stock.is_low(low_water) { "low" } else { "ok" }));
    list.show_all(query, stocks).await
}

/// Values for the pool of a product.
#[derive(Debug, Deserialize)]
struct NewValues {
    product: String,
    keys: String,
}

impl Input for NewValues {
    const NAME: &'static str = "DigitalSecretsNew";

    fn rules() -> Rules {
        let product = field("product").describe("The product's name in addresses.").required();
        Rules::new([product, field("keys").label("Keys, one a line").multiline().max(MAX_VALUES).required()])
    }
}

async fn add_values(config: &Config, new: &NewValues, uses: &(Db, Random, Cipher)) -> Result<Told, Refused> {
    let (db, random, cipher) = uses;
    let pool = pool_of_product(db, &new.product).await.map_err(|error| match error {
        NoPool::Db(error) => error.into(),
        other => Refused::field("product", &other),
    })?;
    let mut candidates = Vec::new();
    for (line, text) in (1..).zip(new.keys.lines()) {
        let value = value_of(text).map_err(|reason| Refused::field("keys", &format!("line {line}: {reason}")))?;
        candidates.extend(value.map(|value| Candidate { line, value }));
    }
    let mut all = Filled::default();
    for batch in candidates.chunks(BATCH) {
        let filled = fill(db, random, cipher, &pool, batch).await.map_err(|error| match error {
            VaultError::Db(error) => Refused::from(error),
            other => Refused::because(&other),
        })?;
        all.added += filled.added;
        all.served += filled.served;
        all.duplicates.extend(filled.duplicates);
    }
    update_availability(db, config).await?;
    let left = db.read(queries::COUNT_AVAILABLE).bind(pool.as_str()).scalar::<i64>().await?;
    let mut told = format!("{} added to the pool {pool}; {left} are left.", all.added);
    if all.served > 0 {
        told = format!("{told} {} went to customers who had waited.", all.served);
    }
    if !all.duplicates.is_empty() {
        told = format!("{told} {} were left out, which the pool has had before.", all.duplicates.len());
    }
    Ok(told.into())
}
