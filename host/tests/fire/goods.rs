//! A product of each module, and what of it was granted to whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use stoa_core::db::{Backend, Db, Sql};
use stoa_core::sql;

use crate::place::ShopFolder;

/// Lines of an import file, which the benchmark of modules sells too. Nothing but the pool of [`fill_pool`] can run out.
const CATALOG: &str = include_str!("goods.jsonl");

/// All of them on.
const MODULES: &str = include_str!("goods.toml");

/// The most units of one product in an order: as many as `SOLD` can tell apart.
pub(crate) const MOST_UNITS: i64 = 3;

const PRODUCT_IDS: Sql = sql!("SELECT slug, id FROM products ORDER BY id");

/// What was paid: product, item, quantity.
const PAID: Sql = sql!(
    "SELECT i.slug, i.id, i.quantity FROM order_lines i JOIN orders o ON o.id = i.order_id
     WHERE o.status = 'paid' ORDER BY i.id"
);

/// Of what the ledger says, so that a second sale of the same item shows.
const SOLD: Sql = sql!(
    "SELECT h.order_line_id, u.unit
     FROM inventory_movements m
     JOIN inventory_allocations h ON h.order_id = m.order_id AND h.sku = m.sku
     JOIN (SELECT CAST(1 AS BIGINT) AS unit UNION ALL SELECT 2 UNION ALL SELECT 3) u ON u.unit <= -m.on_hand_change
     WHERE m.kind = 'sell'"
);
const DELIVERED: Sql = sql!(
    "SELECT u.order_line_id, u.unit
     FROM digital_secrets_values v JOIN digital_secrets_units u ON u.id = v.unit_id
     WHERE v.state = 'delivered' AND u.state = 'delivered'"
);
const DOWNLOADABLE: Sql = sql!("SELECT order_line_id, unit FROM downloads_grants WHERE revoked_at IS NULL");
const ISSUED: Sql = sql!("SELECT order_line_id, unit FROM event_tickets_tickets WHERE status = 'issued'");
const STARTED: Sql = sql!(
    "SELECT s.order_line_id, s.unit
     FROM subscriptions_periods p JOIN subscriptions_subscriptions s ON s.id = p.subscription_id
     WHERE p.state = 'paid' AND s.status = 'active'"
);
const PLANNED: Sql = sql!("SELECT order_line_id, unit FROM services_services");

/// Each product with the statement that finds the units of it that were granted, as item and number within the item.
const GRANTED: [(&str, Sql); 6] = [
    ("mug", SOLD),
    ("font", DELIVERED),
    ("film", DOWNLOADABLE),
    ("concert", ISSUED),
    ("magazine", STARTED),
    ("hosting", PLANNED),
];

/// A unit of a product that was sold: the product, the order's item, the number within the item.
pub(crate) type Unit = (String, i64, i64);

/// Makes a place with these products, every module switched on, and so many values in the pool.
pub(crate) async fn place_with_goods(backend: Backend, configuration: &str, values: usize) -> ShopFolder {
    let place = ShopFolder::on(backend).await;
    place.configure(&format!("{configuration}{MODULES}"));
    place.run(["migrate"]).await.succeeded();
    place.write("goods.jsonl", CATALOG);
    place.run(["import", "goods.jsonl", "--format", "stoa"]).await.succeeded();
    place.write("film.mp4", "a film");
    place.run(["downloads", "attach", "film", "film.mp4"]).await.succeeded();
    fill_pool(&place, values).await;
    place
}

async fn fill_pool(place: &ShopFolder, values: usize) {
    let mut lines = String::new();
    for value in 0..values {
        let _ = writeln!(lines, "FONT-{value:06}");
    }
    place.write("values.txt", &lines);
    place.run(["digital-secrets", "add", "font", "values.txt"]).await.succeeded();
}

/// The products' ids.
pub(crate) async fn product_ids(db: &Db) -> Vec<i64> {
    let products = db.read(PRODUCT_IDS).all::<(String, i64)>().await.expect("they are read");
    assert!(products.iter().map(|(slug, _)| slug.as_str()).eq(GRANTED.map(|(slug, _)| slug)), "{products:?}");
    products.into_iter().map(|(_, id)| id).collect()
}

/// What was paid, and what was granted.
pub(crate) struct Goods {
    /// All units of all orders that are paid.
    pub(crate) paid: BTreeSet<Unit>,
    /// How often each unit was granted.
    granted: BTreeMap<Unit, usize>,
}

impl Goods {
    /// As the database says now.
    pub(crate) async fn look(db: &Db) -> Self {
        let items = db.read(PAID).all::<(String, i64, i64)>().await.expect("they are read");
        let units = items
            .into_iter()
            .flat_map(|(slug, item, quantity)| (1..=quantity).map(move |unit| (slug.clone(), item, unit)));
        let mut goods = Self { paid: units.collect(), granted: BTreeMap::new() };
        for (slug, granted) in GRANTED {
            for (item, unit) in db.read(granted).all::<(i64, i64)>().await.expect("they are read") {
                *goods.granted.entry((slug.to_owned(), item, unit)).or_default() += 1;
            }
        }
        goods
    }

    /// Units that are paid and not granted.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &Unit> {
        self.paid.iter().filter(|unit| !self.granted.contains_key(*unit))
    }

    /// Everything in which grants differ from one for each unit that is paid.
    pub(crate) fn differences(&self) -> Vec<String> {
        let missing = self.missing().map(|unit| format!("{unit:?} is paid and not granted"));
        let unpaid = self.granted.keys().filter(|unit| !self.paid.contains(*unit));
        let unpaid = unpaid.map(|unit| format!("{unit:?} is granted and not paid"));
        let repeated = self.granted.iter().filter(|(_, times)| **times > 1);
        let repeated = repeated.map(|(unit, times)| format!("{unit:?} is granted {times} times"));
        missing.chain(unpaid).chain(repeated).collect()
    }
}
