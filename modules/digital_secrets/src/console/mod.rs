//! The module's pages of the operator's console: pools with what is left in them, and adding to them. What lies in them and what was
//! sold: `values`.

mod values;

use std::sync::Arc;

use stoa_core::console::ConsoleForm;
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::availability::update_availability;
use crate::config::Config;
use crate::filling::{Candidate, Filled, fill, value_of};
use crate::oversight::{Stock, list_stocks};
use crate::pools::{NoPool, pool_of_product, set_low_water};
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
    let (state, adding) = (Arc::clone(&config), Arc::clone(&config));
    let add = form(ADD, "Add keys", ADD, move |new: NewValues, uses: (Db, Random, Cipher)| {
        let config = Arc::clone(&adding);
        async move { add_values(&config, &new, &uses).await }
    });
    let add =
        add.about("Those who have paid and wait get theirs at once. Keys that the pool has had before are left out.");
    let pools = page("digital_secrets.pools", "Keys", VIEW, pools);
    cx.console_page(state, pools.form(add).form(low_water_form(&config)))?;
    values::register(cx, &config)
}

async fn pools(State(config): State<Arc<Config>>, db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let low_water = config.low_water;
    let stocks = list_stocks(&db).await?.into_iter().filter(|stock| stock.is_low(low_water) || !query.is_on("low"));
    let stocks = stocks.collect::<Vec<_>>();
    let list = List::keyed("Keys", |stock: &Stock| stock.name.clone())
        .about("What is left in each pool. A product takes its keys from the pool of its name, unless its settings name another.")
        .flag("low", "Low only")
        .button(ADD, "Add keys", "/m/digital_secrets/pools/add")
        .way(VIEW, "Sold keys", values::SOLD)
        .empty("There are no pools yet. Adding keys for a product makes one.")
        .column("Pool", |stock| Cell::list(&stock.name, values::VALUES, [("pool", stock.name.as_str())]))
        .sorted("pool", |stock| stock.name.clone())
        .number("Available", |stock| stock.available)
        .sorted("available", |stock| stock.available)
        .number("Reserved", |stock| stock.reserved)
        .number("Waiting", |stock| stock.waiting)
        .number("Warn below", move |stock| stock.limit(low_water))
        .column("State", move |stock| Cell::state(if stock.is_low(low_water) { "low" } else { "ok" }))
        .act(ADD, |stock| {
            let number = stock.low_water.map(|number| number.to_string()).unwrap_or_default();
            let values = [("pool", stock.name.as_str()), ("number", number.as_str())];
            Some(RowAct::fill("Warn below", "/m/digital_secrets/pools/low-water", values))
        });
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

/// Below how many values a pool runs low.
#[derive(Debug, Deserialize)]
struct LowWater {
    pool: String,
    number: Option<i64>,
}

impl Input for LowWater {
    const NAME: &'static str = "DigitalSecretsLowWater";

    fn rules() -> Rules {
        let number = field("number").label("Warn below").integer(0, 1_000_000_000);
        let number = number.describe("0 is never. Left empty, the pool follows the module's setting.");
        Rules::new([field("pool").required(), number])
    }
}

fn low_water_form(config: &Arc<Config>) -> ConsoleForm {
    let config = Arc::clone(config);
    form("digital_secrets.low-water", "Warn below", ADD, move |new: LowWater, db: Db| {
        let config = Arc::clone(&config);
        async move {
            if !set_low_water(&db, &new.pool, new.number).await? {
                return Err(Refused::field("pool", &"there is no such pool"));
            }
            update_availability(&db, &config).await?;
            let limit = new.number.unwrap_or(i64::from(config.low_water));
            Ok(match limit {
                0 => format!("Nobody is warned when the pool {} runs low.", new.pool).into(),
                limit => format!("The pool {} runs low below {limit}.", new.pool).into(),
            })
        }
    })
}
