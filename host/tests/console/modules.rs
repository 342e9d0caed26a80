//! Pages and boxes that modules bring to the console.

use http::Method;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::payments::record_payment;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases};
use stoa_kernel::http::table::Access;

use crate::forms::{fields_of, fill_in};
use crate::shelf::{MODULES, audit, browser, builder, number, paid_order, submit};

const BUYER: Sql = sql!("SELECT name FROM customers ORDER BY id LIMIT 1");

const STOCK: &str = "/console/m/inventory/stock";

async fn stocked(backend: Backend) -> TestShop {
    let shop = builder(backend).all_modules().config("[modules.inventory]\nenabled = true").open().await;
    let lamp = |sku: &str, quantity: i64| {
        json!({"type": "product", "slug": sku.to_lowercase(), "name": sku, "sku": sku, "price_amount": 2000,
               "capabilities": ["inventory"], "modules": {"inventory": {"quantity": quantity}}})
    };
    shop.stock(&[lamp("LAMP", 12), lamp("MUG", 2), lamp("VASE", 0)]).await;
    shop
}

both_databases!(stock_is_listed_counted_and_adjusted_by_forms_made_from_rule_tables);
async fn stock_is_listed_counted_and_adjusted_by_forms_made_from_rule_tables(backend: Backend) {
    let shop = stocked(backend).await;
    let mut warehouse = browser(&shop, "warehouse").await;
    let page = warehouse.get(STOCK).await.expect_status(200).text();
    assert!(page.contains("1–3 of 3") && page.contains("aria-current=\"page\">Stock<"), "{page}");
    let low = warehouse.get(&format!("{STOCK}?state=out")).await.expect_status(200).text();
    assert!(low.contains("VASE") && !low.contains("MUG"), "{low}");

    let adjust = format!("{STOCK}/adjust");
    let form = warehouse.get(&format!("{adjust}?sku=MUG")).await.expect_status(200).text();
    assert!(
        form.contains("name=\"sku\" value=\"MUG\"") && form.contains(">SKU<") && form.contains("<h1>Adjust</h1>"),
        "{form}"
    );
    let wrong = submit(&mut warehouse, &adjust, &adjust, &[("sku", "MUG"), ("change", "lots"), ("reason", "")]).await;
    let wrong = wrong.expect_status(422).text();
    assert!(wrong.contains("value=\"lots\"") && wrong.contains("must be a whole number"), "{wrong}");
    assert!(wrong.contains("role=\"alert\"") && wrong.contains("aria-invalid=\"true\""), "{wrong}");
    let unknown = [("sku", "NUG"), ("change", "1"), ("reason", "found")];
    let unknown = submit(&mut warehouse, &adjust, &adjust, &unknown).await.expect_status(422).text();
    assert!(unknown.contains("did you mean `MUG`"), "{unknown}");

    let change = [("sku", "MUG"), ("change", "3"), ("reason", "found three")];
    let done = submit(&mut warehouse, &adjust, &adjust, &change).await.expect_status(303);
    assert_eq!(done.header("location"), Some(format!("{STOCK}?state=out").as_str()), "the list as it was narrowed");
    let told = warehouse.get(STOCK).await.expect_status(200).text();
    assert!(told.contains("MUG: 5 on hand, 0 reserved, 5 available."), "{told}");
    let again = warehouse.get(STOCK).await.expect_status(200).text();
    assert!(!again.contains("5 available."), "it is told once: {again}");
    let row = audit(&shop).await.into_iter().find(|row| row.act == "inventory.change").expect("a row");
    assert_eq!((row.actor.as_str(), row.subject.as_str()), ("staff:warehouse@shop.example", "sku:MUG"));
    assert!(row.before.is_some_and(|before| before.contains("\"on_hand\":2")), "what was before");
}

both_databases!(what_a_module_knows_of_a_product_stands_on_its_page);
async fn what_a_module_knows_of_a_product_stands_on_its_page(backend: Backend) {
    let shop = stocked(backend).await;
    let mut viewer = browser(&shop, "viewer").await;
    let page = viewer.get("/console/products/mug").await.expect_status(200).text();
    let (_, stock) = page.split_once(">Stock</h2>").expect("a box with the stock");
    assert!(stock.contains(">MUG<") && stock.contains("low") && !stock.contains("LAMP"), "{stock}");
}

both_databases!(who_may_only_look_finds_no_acts_and_who_may_not_finds_no_entry);
async fn who_may_only_look_finds_no_acts_and_who_may_not_finds_no_entry(backend: Backend) {
    let shop = stocked(backend).await;
    let mut viewer = browser(&shop, "viewer").await;
    let page = viewer.get(STOCK).await.expect_status(200).text();
    assert!(page.contains("LAMP") && !page.contains("/adjust"), "{page}");
    viewer.get(&format!("{STOCK}/adjust")).await.expect_status(403);
    let mut accountant = browser(&shop, "accountant").await;
    let home = accountant.get("/console").await.expect_status(200).text();
    assert!(!home.contains(STOCK), "{home}");
    accountant.get(STOCK).await.expect_status(403);
    let answer = shop.browser().get(STOCK).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console/login?next=%2Fconsole%2Fm%2Finventory%2Fstock"));
}

both_databases!(a_module_that_is_off_has_no_page_and_no_entry);
async fn a_module_that_is_off_has_no_page_and_no_entry(backend: Backend) {
    let shop = builder(backend).all_modules().open().await;
    let mut owner = browser(&shop, "owner").await;
    owner.get(STOCK).await.expect_status(404);
    let home = owner.get("/console").await.expect_status(200).text();
    assert!(!home.contains("/m/inventory"), "{home}");
}

both_databases!(no_link_puts_words_into_a_page_and_the_console_begins_without_a_slash);
async fn no_link_puts_words_into_a_page_and_the_console_begins_without_a_slash(backend: Backend) {
    let shop = builder(backend).open().await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/orders?done=Everything+is+lost").await.expect_status(200).text();
    assert!(!page.contains("Everything is lost"), "{page}");
    assert_eq!(owner.get("/console/").await.expect_status(303).header("location"), Some("/console"));
}

both_databases!(each_page_of_a_module_opens_by_its_ability_and_works_in_an_empty_shop);
async fn each_page_of_a_module_opens_by_its_ability_and_works_in_an_empty_shop(backend: Backend) {
    let on = || builder(backend).all_modules().enabled(&MODULES);
    let program = on().freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let shop = on().open().await;
    let (mut owner, mut accountant) = (browser(&shop, "owner").await, browser(&shop, "accountant").await);
    let home = accountant.get("/console").await.expect_status(200).text();
    let own = program.registry.routes.entries.iter().filter(|owned| MODULES.contains(&owned.owner));
    let mut pages = 0;
    for owned in
        own.filter(|owned| matches!(owned.route.access, Access::Console(_)) && owned.route.method == Method::GET)
    {
        let path = owned.route.full_path();
        let page = owner.get(&path).await.expect_status(200).text();
        assert_eq!(page.matches("<h1>").count(), 1, "{path}: {page}");
        accountant.get(&path).await.expect_status(403);
        assert!(!home.contains(&path), "{home}");
        pages += 1;
    }
    assert!(pages >= 16, "{pages}");
}

/// A shop that has sold two tickets with an order, of this number, to a customer.
pub(crate) struct Concert {
    pub(crate) shop: TestShop,
    pub(crate) customer: TestClient,
    pub(crate) order: String,
}

pub(crate) async fn concert(backend: Backend) -> Concert {
    let shop = builder(backend).all_modules().config("[modules.event_tickets]\nenabled = true").open().await;
    let ticket = json!({"type": "product", "slug": "concert", "name": "Concert", "price_amount": 1000,
        "capabilities": ["event_ticket"], "options": [{"key": "holder", "label": "Name", "type": "text"}],
        "modules": {"event_tickets": {"event": "Symposium", "venue": "Agora", "starts_at": "2031-05-01T19:00:00+02:00",
                                      "capacity": 9, "ticket_type": "Standing"}}});
    shop.stock(&[ticket]).await;
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    client
        .post("/cart", &json!({"product_id": 1, "quantity": 2, "selections": {"holder": "Zeno"}}))
        .await
        .expect_status(200);
    let body = json!({"payment_method": "manual", "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1",
        "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"}});
    let order = client.post("/checkout", &body).await.expect_status(201).json()["data"].clone();
    record_payment(&shop.uses(), order["id"].as_i64().expect("an id")).await.expect("it is recorded");
    shop.run_jobs().await;
    Concert { shop, customer: client, order: number(&order) }
}

both_databases!(a_ticket_lets_in_once_and_the_door_is_told_who_it_is);
async fn a_ticket_lets_in_once_and_the_door_is_told_who_it_is(backend: Backend) {
    let Concert { shop, order, .. } = concert(backend).await;
    let mut warehouse = browser(&shop, "warehouse").await;
    let box_of_order = warehouse.get(&format!("/console/orders/{order}")).await.expect_status(200).text();
    assert!(box_of_order.contains(">Event tickets</h2>") && box_of_order.contains("ET-000002"), "{box_of_order}");
    let events = warehouse.get("/console/m/event_tickets/events").await.expect_status(200).text();
    assert!(events.contains("Symposium") && events.contains("1–1 of 1"), "{events}");
    let list = warehouse.get("/console/m/event_tickets/door?event=symposium-1").await.expect_status(200).text();
    assert!(list.contains("Zeno") && list.contains("1–2 of 2"), "{list}");

    let door = "/console/m/event_tickets/events/check-in";
    let form = warehouse.get(door).await.expect_status(200).text();
    let choice = "<option value=\"symposium-1\">Symposium, 2031-05-01 19:00 (UTC+02:00)</option>";
    assert!(form.contains(choice), "{form}");
    let first = submit(&mut warehouse, door, door, &[("code", "et-1"), ("gate", "north")]).await.expect_status(303);
    let next = format!("{door}?gate=north");
    assert_eq!(
        first.header("location"),
        Some(next.as_str()),
        "the next one is let in by the same page, at the same gate"
    );
    let told = warehouse.get(door).await.expect_status(200).text();
    let but = "Checked in, but for 2031-05-01 19:00 (UTC+02:00), not for today: ET-000001, Symposium, Standing, Zeno.";
    assert!(told.contains(&format!("<p class=\"told doubtful\" role=\"status\">{but}</p>")), "{told}");
    submit(&mut warehouse, door, door, &[("code", "ET-000001")]).await.expect_status(303);
    let told = warehouse.get(door).await.expect_status(200).text();
    assert!(
        told.contains("role=\"alert\">Already used since 2026-01-15 ") && told.contains("at north: ET-000001"),
        "{told}"
    );
    submit(&mut warehouse, door, door, &[("code", "T1.forged.code")]).await.expect_status(303);
    let told = warehouse.get(door).await.text();
    assert!(told.contains("role=\"alert\">Unknown.") && told.contains("What was shown: “T1.forged.code”."), "{told}");
    let rows = audit(&shop).await.into_iter().filter(|row| row.act == "event_tickets.check-in").collect::<Vec<_>>();
    assert_eq!(rows.iter().map(|row| row.subject.as_str()).collect::<Vec<_>>(), ["ticket:ET-000001"]);
}

both_databases!(the_form_at_the_door_leads_back_to_the_door_list);
async fn the_form_at_the_door_leads_back_to_the_door_list(backend: Backend) {
    let Concert { shop, .. } = concert(backend).await;
    let mut warehouse = browser(&shop, "warehouse").await;
    let (form, list) = ("/console/m/event_tickets/events/check-in", "/console/m/event_tickets/door");
    for query in ["", "?event=symposium-1"] {
        let page = warehouse.get(&format!("{form}{query}")).await.expect_status(200).text();
        assert!(page.contains(&format!("<a href=\"{list}{query}\">Back to the list</a>")), "{page}");
    }
}

both_databases!(units_are_named_for_a_refund_where_one_is_told_from_another);
async fn units_are_named_for_a_refund_where_one_is_told_from_another(backend: Backend) {
    let Concert { shop, order, .. } = concert(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let tickets = owner.get(&format!("/console/orders/{order}")).await.expect_status(200).text();
    assert!(tickets.contains(">Which units<") && tickets.contains(" name=\"units-"), "{tickets}");
    shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000,
        "capabilities": ["shippable"]})])
        .await;
    let lamps = number(&paid_order(&shop, 2).await);
    let lamps = owner.get(&format!("/console/orders/{lamps}")).await.expect_status(200).text();
    assert!(lamps.contains(">Refund</h2>") && !lamps.contains(">Which units<"), "{lamps}");
}

both_databases!(the_door_list_names_who_has_bought_and_is_searched);
async fn the_door_list_names_who_has_bought_and_is_searched(backend: Backend) {
    let Concert { shop, customer, .. } = concert(backend).await;
    customer.post("/cart", &json!({"product_id": 1, "quantity": 1, "selections": {}})).await.expect_status(200);
    let body = json!({"payment_method": "manual", "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1",
        "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"}});
    let order = customer.post("/checkout", &body).await.expect_status(201).json()["data"].clone();
    record_payment(&shop.uses(), order["id"].as_i64().expect("an id")).await.expect("it is recorded");
    shop.run_jobs().await;
    let buyer = shop.parts.db.read(BUYER).scalar::<String>().await.expect("somebody has bought");
    let mut warehouse = browser(&shop, "warehouse").await;
    let door = "/console/m/event_tickets/door";
    let none = warehouse.get(door).await.expect_status(200).text();
    assert!(none.contains("Choose an event first."), "{none}");
    let list = warehouse.get(&format!("{door}?event=symposium-1")).await.expect_status(200).text();
    assert!(list.contains("1–3 of 3") && list.contains(&format!("bought by {buyer}")), "{list}");
    assert!(list.contains(&format!(">{buyer}<")), "who bought without a holder is named: {list}");
    assert!(list.contains("<a href=\"/console/orders/O-000002\">O-000002</a>"), "{list}");
    let check_in = "/console/m/event_tickets/events/check-in";
    submit(&mut warehouse, check_in, check_in, &[("code", "et-3")]).await.expect_status(303);
    let told = warehouse.get(check_in).await.expect_status(200).text();
    assert!(told.contains(&format!("ET-000003, Symposium, Standing, {buyer}.")), "{told}");
    for (wanted, count) in [("zeno", 2), ("O-000002", 1), ("et-3", 1), (&*buyer.to_lowercase(), 3), ("nobody", 0)] {
        let wanted = wanted.replace(' ', "+");
        let found = warehouse.get(&format!("{door}?event=symposium-1&q={wanted}")).await.expect_status(200).text();
        assert!(found.contains(&format!("of {count}</p>")), "{wanted}: {found}");
    }
}

both_databases!(the_time_of_an_event_is_typed_as_people_write_it);
async fn the_time_of_an_event_is_typed_as_people_write_it(backend: Backend) {
    let Concert { shop, .. } = concert(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let add = "/console/m/event_tickets/events/add-event";
    let shown = owner.get(add).await.expect_status(200).text();
    assert!(shown.contains("Such as 2031-05-01 19:00 +02:00; without the offset of the place, UTC."), "{shown}");
    for (name, typed, begins) in [
        ("With offset", "2031-06-01 19:00 +02:00", "2031-06-01 19:00 (UTC+02:00)"),
        ("Without", "2031-06-02 19:00", "2031-06-02 19:00 (UTC+00:00)"),
        ("By a browser", "2031-06-03T19:00", "2031-06-03 19:00 (UTC+00:00)"),
    ] {
        submit(&mut owner, add, add, &[("name", name), ("starts_at", typed)]).await.expect_status(303);
        let events = owner.get("/console/m/event_tickets/events").await.expect_status(200).text();
        assert!(events.contains(name) && events.contains(begins), "{typed}: {events}");
    }
    let wrong = submit(&mut owner, add, add, &[("name", "Never"), ("starts_at", "tomorrow")]).await;
    let wrong = wrong.expect_status(422).text();
    assert!(wrong.contains("value=\"tomorrow\"") && wrong.contains("such as 2031-05-01 19:00 +02:00"), "{wrong}");
    let product = "/console/products/concert";
    let begins = [("modules.event_tickets.starts_at", "2031-05-02 20:00 +02:00")];
    fill_in(&mut owner, product, product, &begins, &[]).await.expect_status(303);
    let saved = owner.get(product).await.expect_status(200).text();
    assert!(saved.contains("value=\"2031-05-02T20:00:00+02:00\""), "{saved}");
}

both_databases!(what_somebody_else_has_changed_of_an_event_is_told_before_it_is_overwritten);
async fn what_somebody_else_has_changed_of_an_event_is_told_before_it_is_overwritten(backend: Backend) {
    let Concert { shop, .. } = concert(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let mut manager = browser(&shop, "manager").await;
    let set = "/console/m/event_tickets/events/set-event";
    let page = format!("{set}?event=symposium-1");
    let opened = owner.get(&page).await.expect_status(200).text();
    fill_in(&mut manager, &page, set, &[("venue", "Stoa")], &[]).await.expect_status(303);
    let mut fields = fields_of(&opened, set);
    fields.retain(|(name, _)| name != "name");
    fields.push((String::from("name"), String::from("Banquet")));
    let stale = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    let refused = owner.submit(set, &stale).await.expect_status(409).text();
    assert!(refused.contains("“Venue” is “Stoa” now, saving makes it “Agora”."), "{refused}");
    assert!(refused.contains("value=\"Banquet\"") && !refused.contains("“Name” is"), "{refused}");
    let kept = owner.get(&page).await.expect_status(200).text();
    assert!(kept.contains("value=\"Stoa\"") && !kept.contains("Banquet"), "nothing was saved: {kept}");
    let again = fields_of(&refused, set);
    let again = again.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(set, &again).await.expect_status(303);
    let saved = owner.get(&page).await.expect_status(200).text();
    assert!(saved.contains("value=\"Agora\"") && saved.contains("value=\"Banquet\""), "{saved}");
    // What two want alike is no quarrel.
    let opened = owner.get(&page).await.expect_status(200).text();
    fill_in(&mut manager, &page, set, &[("venue", "Lyceum")], &[]).await.expect_status(303);
    let mut same = fields_of(&opened, set);
    same.retain(|(name, _)| name != "venue");
    same.push((String::from("venue"), String::from("Lyceum")));
    let same = same.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(set, &same).await.expect_status(303);
}
