//! Many requests about one cart at once, on two instances.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

use crate::shelf::{
    add, builder, guest, id_of, lines, path_of, product, quantities, read, rows, shop, token_of, with_cart,
};

const QUANTITY: Sql = sql!("SELECT quantity FROM cart_lines");
const SET_QUANTITY: Sql = sql!("UPDATE cart_lines SET quantity = $1");

/// Two instances on one database.
struct Pair {
    one: TestShop,
    other: TestShop,
}

impl Pair {
    async fn open(backend: Backend) -> Self {
        let one = shop(backend).await;
        let other = builder(backend).on(one.database()).clock(&one.clock).seed(2).open().await;
        Self { one, other }
    }

    /// A client of each instance, both with the same new cart.
    async fn guests(&self) -> [TestClient; 2] {
        let token = token_of(self.one.client().get("/cart").await);
        [with_cart(&self.one.client(), &token), with_cart(&self.other.client(), &token)]
    }

    async fn clients_of(&self, customer: &CustomerRecord) -> [TestClient; 2] {
        [self.one.client().token(customer, &[]).await, self.other.client().token(customer, &[]).await]
    }
}

/// Runs all requests at once.
async fn at_once<F>(requests: impl IntoIterator<Item = F>) -> Vec<TestResponse>
where
    F: Future<Output = TestResponse> + Send + 'static,
{
    let running = requests.into_iter().map(tokio::spawn).collect::<Vec<_>>();
    let mut answers = Vec::new();
    for request in running {
        answers.push(request.await.expect("the request ends"));
    }
    answers
}

/// How often each status was answered.
fn statuses(answers: &[TestResponse]) -> BTreeMap<u16, usize> {
    let mut found = BTreeMap::new();
    for answer in answers {
        *found.entry(answer.status.as_u16()).or_default() += 1;
    }
    found
}

async fn post(client: TestClient, product_id: i64, quantity: i64) -> TestResponse {
    client.post("/cart", &json!({"product_id": product_id, "quantity": quantity})).await
}

both_databases!(of_200_units_added_at_once_none_is_lost);
async fn of_200_units_added_at_once_none_is_lost(backend: Backend) {
    let pair = Pair::open(backend).await;
    let clients = pair.guests().await;
    let ids = [id_of(&pair.one, "book").await, id_of(&pair.one, "lamp").await, id_of(&pair.one, "pencil").await];
    let requests = (0..200).map(|number| post(clients[number % 2].clone(), ids[number % 3], 1));
    assert_eq!(statuses(&at_once(requests).await), [(200, 200)].into());
    let cart = read(&clients[0]).await;
    assert_eq!(quantities(&cart), [("book".into(), 67), ("lamp".into(), 67), ("pencil".into(), 66)].into());
    assert_eq!(rows(&pair.one).await, (1, 3));
}

// The control of the test above: whoever reads a quantity and writes it back later overwrites what came between.
both_databases!(what_is_read_before_it_is_written_loses_units);
async fn what_is_read_before_it_is_written_loses_units(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    add(&shop, &visitor, "book", 1).await;
    let db = &shop.parts.db;
    let mut seen = Vec::new();
    for _ in 0..2 {
        seen.push(db.read(QUANTITY).scalar::<i64>().await.expect("it is read"));
    }
    for quantity in seen {
        let set = db.write(async |tx| tx.run(SET_QUANTITY).bind(quantity + 1).execute().await);
        set.await.expect("it is written");
    }
    assert_eq!(read(&visitor).await["item_count"], 2, "of three units one is lost");
}

both_databases!(many_at_once_do_not_cross_99_units);
async fn many_at_once_do_not_cross_99_units(backend: Backend) {
    let pair = Pair::open(backend).await;
    let clients = pair.guests().await;
    add(&pair.one, &clients[0], "pencil", 90).await;
    let id = id_of(&pair.one, "pencil").await;
    let answers = at_once((0..12).map(|number| post(clients[number % 2].clone(), id, 4))).await;
    assert_eq!(statuses(&answers), [(200, 2), (422, 10)].into());
    assert_eq!(read(&clients[0]).await["item_count"], 98);
}

both_databases!(many_at_once_do_not_cross_100_lines);
async fn many_at_once_do_not_cross_100_lines(backend: Backend) {
    let pair = Pair::open(backend).await;
    let shop = &pair.one;
    shop.stock(&(0..112).map(|number| product(&format!("p{number}"), "Thing", 1)).collect::<Vec<_>>()).await;
    let clients = pair.guests().await;
    for number in 0..96 {
        add(shop, &clients[0], &format!("p{number}"), 1).await;
    }
    let mut ids = Vec::new();
    for number in 96..108 {
        ids.push(id_of(shop, &format!("p{number}")).await);
    }
    let answers =
        at_once(ids.into_iter().enumerate().map(|(number, id)| post(clients[number % 2].clone(), id, 1))).await;
    assert_eq!(statuses(&answers), [(200, 4), (422, 8)].into());
    assert_eq!(lines(&read(&clients[0]).await).len(), 100);
}

both_databases!(a_customers_first_writes_at_once_make_one_cart);
async fn a_customers_first_writes_at_once_make_one_cart(backend: Backend) {
    let pair = Pair::open(backend).await;
    let clients = pair.clients_of(&pair.one.customer().await).await;
    let id = id_of(&pair.one, "book").await;
    let answers = at_once((0..20).map(|number| post(clients[number % 2].clone(), id, 1))).await;
    assert_eq!(statuses(&answers), [(200, 20)].into());
    assert_eq!((read(&clients[0]).await["item_count"].clone(), rows(&pair.one).await), (json!(20), (1, 1)));
}

both_databases!(changes_and_removals_at_once_leave_a_whole_cart);
async fn changes_and_removals_at_once_leave_a_whole_cart(backend: Backend) {
    let pair = Pair::open(backend).await;
    let clients = pair.guests().await;
    let id = id_of(&pair.one, "book").await;
    let path = path_of(&add(&pair.one, &clients[0], "book", 1).await["lines"][0]);
    let requests = (0..60).map(|number| {
        let (client, path) = (clients[number % 2].clone(), path.clone());
        async move {
            match number % 3 {
                0 => post(client, id, 1).await,
                1 => client.patch(&path, &json!({"quantity": 5})).await,
                _ => client.delete(&path).await,
            }
        }
    });
    let answers = at_once(requests).await;
    assert!(answers.iter().all(|answer| matches!(answer.status.as_u16(), 200 | 404)), "{:?}", statuses(&answers));
    add(&pair.one, &clients[0], "book", 1).await;
    let cart = read(&clients[1]).await;
    assert_eq!((lines(&cart).len(), &cart["lines"][0]["quantity"]), (1, &cart["item_count"]));
}

both_databases!(a_guests_cart_moves_once_however_many_bring_it);
async fn a_guests_cart_moves_once_however_many_bring_it(backend: Backend) {
    let pair = Pair::open(backend).await;
    let shop = &pair.one;
    for _ in 0..4 {
        let own = pair.clients_of(&shop.customer().await).await;
        add(shop, &own[0], "book", 1).await;
        let cart = add(shop, &shop.client(), "book", 10).await;
        let token = cart["token"].as_str().expect("a token");
        let lamp = id_of(shop, "lamp").await;
        let requests = (0..12).map(|number| {
            let client = with_cart(&own[number % 2], token);
            async move { if number % 3 == 0 { post(client, lamp, 1).await } else { client.get("/cart").await } }
        });
        assert_eq!(statuses(&at_once(requests).await), [(200, 12)].into());
        assert_eq!(quantities(&read(&own[0]).await), [("book".into(), 11), ("lamp".into(), 4)].into());
    }
}

both_databases!(a_guests_cart_goes_to_one_of_two_customers);
async fn a_guests_cart_goes_to_one_of_two_customers(backend: Backend) {
    let pair = Pair::open(backend).await;
    let shop = &pair.one;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let (ada, bob) = (pair.clients_of(&ada).await, pair.clients_of(&bob).await);
    for number in 1..=6 {
        let cart = add(shop, &shop.client(), "book", 10).await;
        let token = cart["token"].as_str().expect("a token");
        let clients = [&ada[0], &bob[1], &ada[1], &bob[0]].map(|client| with_cart(client, token));
        at_once(clients.map(|client| async move { client.get("/cart").await })).await;
        let count = |cart: Value| cart["item_count"].as_i64().expect("a number");
        assert_eq!(count(read(&ada[0]).await) + count(read(&bob[0]).await), 10 * number);
    }
}

both_databases!(nothing_that_a_guest_adds_while_the_cart_moves_is_lost);
async fn nothing_that_a_guest_adds_while_the_cart_moves_is_lost(backend: Backend) {
    let pair = Pair::open(backend).await;
    let shop = &pair.one;
    let own = pair.clients_of(&shop.customer().await).await;
    let guests = pair.guests().await;
    let token = token_of(guests[0].get("/cart").await);
    let id = id_of(shop, "book").await;
    let requests = (0..60).map(|number| {
        let (guest, own) = (guests[number % 2].clone(), with_cart(&own[number % 2], &token));
        async move { if number % 3 == 0 { own.get("/cart").await } else { post(guest, id, 1).await } }
    });
    assert_eq!(statuses(&at_once(requests).await), [(200, 60)].into());
    assert_eq!(read(&with_cart(&own[0], &token)).await["item_count"], 40);
    assert_eq!(rows(shop).await, (1, 1));
}
