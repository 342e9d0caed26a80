//! The page by which customers withdraw from a contract.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{browser, builder, buy_a_book, goods, guest, shop, value_of};

both_databases!(an_order_is_withdrawn_from_in_two_steps);
async fn an_order_is_withdrawn_from_in_two_steps(backend: Backend) {
    let shop = builder(backend).config("[shop]\nconsumer_rights = \"eu\"").open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    buy_a_book(&mut ada).await;
    let fields = [("order_number", "O-000001"), ("email", "ada@example.com")];
    let first = ada.submit("/withdrawal", &fields).await.expect_status(200).text();
    assert!(first.contains("Confirm withdrawal") && first.contains("1 × Reading book"), "{first}");
    let mut confirmed = fields.to_vec();
    confirmed.push(("confirm", "1"));
    let done = ada.submit("/withdrawal", &confirmed).await.expect_status(200).text();
    assert!(done.contains("We have received your withdrawal. Its number is W-000001."), "{done}");
    let order = ada.get("/order/O-000001").await.expect_status(200).text();
    assert!(order.contains("<h2>Withdrawn</h2>") && order.contains("1 × Reading book"), "{order}");
    let again = ada.get("/withdrawal?order_number=O-000001").await.expect_status(200).text();
    assert!(again.contains("Nothing of this order can be withdrawn any more."), "{again}");
}

both_databases!(whoever_is_unknown_is_not_told_whether_there_is_such_an_order);
async fn whoever_is_unknown_is_not_told_whether_there_is_such_an_order(backend: Backend) {
    let shop = builder(backend).config("[shop]\nconsumer_rights = \"eu\"").open().await;
    shop.stock(&goods()).await;
    buy_a_book(&mut browser(&shop)).await;
    let mut said = Vec::new();
    for number in ["O-000001", "O-000009"] {
        let mut eve = browser(&shop);
        let fields = [("order_number", number), ("email", "ada@example.com")];
        let step = eve.submit("/withdrawal", &fields).await.expect_status(200).text();
        assert!(step.contains("Confirm withdrawal") && !step.contains("Reading book"), "{step}");
        let mut confirmed = fields.to_vec();
        confirmed.push(("confirm", "1"));
        said.push(eve.submit("/withdrawal", &confirmed).await.expect_status(200).text().replace(number, "O-…"));
    }
    assert!(said[0].contains("If O-… was ordered with ada@example.com, your withdrawal is declared"), "{}", said[0]);
    assert_eq!(said[0], said[1]);
}

both_databases!(a_customer_chooses_what_is_withdrawn);
async fn a_customer_chooses_what_is_withdrawn(backend: Backend) {
    let shop = builder(backend).config("[shop]\nconsumer_rights = \"eu\"").open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "2")]).await;
    let page = ada.get("/checkout").await.expect_status(200).text();
    let key = value_of(&page, "idempotency_key");
    assert_eq!(ada.submit("/checkout", &guest(&key, "3000")).await.status, 303);
    let page = ada.get("/withdrawal?order_number=O-000001").await.expect_status(200).text();
    let (_, rest) = page.split_once("name=\"quantity.").expect("a line to choose from");
    let line = format!("quantity.{}", rest.split('"').next().unwrap_or_default());
    let fields = |quantity| [("order_number", "O-000001"), (line.as_str(), quantity)];
    let none = ada.submit("/withdrawal", &fields("0")).await.expect_status(422).text();
    assert!(none.contains("Please choose at least one item"), "{none}");
    let confirm = |quantity| [fields(quantity).as_slice(), &[("confirm", "1")]].concat();
    let much = ada.submit("/withdrawal", &confirm("3")).await.expect_status(422).text();
    for part in [
        "role=\"alert\"",
        "href=\"#lines.0.quantity\"",
        "<input id=\"lines.0.quantity\"",
        "id=\"lines.0.quantity-wrong\"",
    ] {
        assert!(much.contains(part), "{part}: {much}");
    }
    let done = ada.submit("/withdrawal", &confirm("1")).await.expect_status(200).text();
    assert!(done.contains("W-000001") && done.contains("1 × Reading book"), "{done}");
}

both_databases!(an_empty_form_is_refused_before_anything_is_asked);
async fn an_empty_form_is_refused_before_anything_is_asked(backend: Backend) {
    let shop = builder(backend).config("[shop]\nconsumer_rights = \"eu\"").open().await;
    let mut eve = browser(&shop);
    let page = eve.submit("/withdrawal", &[("order_number", ""), ("email", "")]).await.expect_status(422).text();
    for part in ["id=\"order_number-wrong\"", "id=\"email-wrong\"", "role=\"alert\"", "Enter the order number."] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("Confirm withdrawal"), "{page}");
    let typed = [("order_number", "O-000001"), ("email", "no address")];
    let page = eve.submit("/withdrawal", &typed).await.expect_status(422).text();
    assert!(page.contains("value=\"O-000001\"") && !page.contains("id=\"order_number-wrong\""), "{page}");
}

both_databases!(a_double_click_withdraws_once);
async fn a_double_click_withdraws_once(backend: Backend) {
    let shop = builder(backend).config("[shop]\nconsumer_rights = \"eu\"").open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "2")]).await;
    let key = value_of(&ada.get("/checkout").await.expect_status(200).text(), "idempotency_key");
    assert_eq!(ada.submit("/checkout", &guest(&key, "3000")).await.status, 303);
    let page = ada.get("/withdrawal?order_number=O-000001").await.expect_status(200).text();
    let (_, rest) = page.split_once("name=\"quantity.").expect("a line to choose from");
    let line = format!("quantity.{}", rest.split('"').next().unwrap_or_default());
    let fields = [("order_number", "O-000001"), (line.as_str(), "1")];
    let asked = ada.submit("/withdrawal", &fields).await.expect_status(200).text();
    let key = value_of(&asked, "idempotency_key");
    assert_eq!(value_of(&asked, &line), "1");
    let confirmed = [fields.as_slice(), &[("idempotency_key", &*key), ("confirm", "1")]].concat();
    for _ in 0..2 {
        let done = ada.submit("/withdrawal", &confirmed).await.expect_status(200).text();
        assert!(done.contains("W-000001") && done.contains("1 × Reading book"), "{done}");
    }
    let left = ada.get("/withdrawal?order_number=O-000001").await.expect_status(200).text();
    assert!(left.contains("(of 1)"), "{left}");
}

both_databases!(a_shop_without_that_right_has_no_such_page);
async fn a_shop_without_that_right_has_no_such_page(backend: Backend) {
    let shop = shop(backend).await;
    browser(&shop).get("/withdrawal").await.expect_status(404);
}
