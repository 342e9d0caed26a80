//! Whatever is done in the console leaves a row in the audit log that says who did it.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::payments::record_payment;
use stoa_core::prelude::*;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder, both_databases};
use stoa_kernel::http::table::Access;

use crate::forms::fill_in;
use crate::shelf::{MODULES, PASSWORD, audit, browser, builder, staff};

/// What other tests look at, which need more than a shop that works.
const ELSEWHERE: [&str; 9] = [
    // What a provider is asked or has told: payments.rs.
    "console.payments.ask",
    "console.payments.callback.retry",
    // Second factors: factor.rs.
    "console.security.factor",
    "console.security.factor.remove",
    // It does nothing but lead on.
    "console.security.go-on",
    // Passkeys: passkeys.rs.
    "console.security.passkey",
    "console.security.passkey.remove",
    // An event that nobody took: the kernel's tests.
    "console.events.retry",
    // A provider that has failed: the tests of the module.
    "services.retry",
];

const FLAG: Sql = sql!("UPDATE orders SET review_reason = 'Look at it' WHERE id = $1");
const FAIL_MAIL: Sql = sql!("UPDATE tasks SET state = 'failed' WHERE kind = 'mail.send'");

/// A form that is filled in: its route, the page it stands on, where it is sent to, and what is typed.
pub(crate) type Sample = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What is done, in this order, each below the console's path.
pub(crate) const SAMPLES: &[Sample] = &[
    (
        "console.webhooks.add",
        "/webhooks/add",
        "/webhooks/add",
        // Where nobody listens.
        &[("url", "http://127.0.0.1:9/stoa"), ("events", "order.paid")],
    ),
    ("console.webhooks.set", "/webhooks/set?id=1", "/webhooks/set", &[("events", "*")]),
    ("console.webhooks.rotate-secret", "/webhooks/rotate-secret?id=1", "/webhooks/rotate-secret", &[]),
    ("console.categories.create", "/categories", "/categories", &[("name", "Lamps"), ("slug", "lamps")]),
    ("console.categories.save", "/categories/lamps", "/categories/lamps", &[("name", "All lamps")]),
    ("console.categories.delete", "/categories/lamps", "/categories/lamps/delete", &[("confirm", "1")]),
    (
        "console.products.create",
        "/products/new",
        "/products",
        &[("name", "Vase"), ("slug", "vase"), ("price_amount", "9.00")],
    ),
    ("console.products.save", "/products/vase", "/products/vase", &[("name", "Big vase")]),
    ("console.products.bulk", "/products", "/bulk/products", &[("row", "vase"), ("do", "deactivate")]),
    ("console.products.delete", "/products/vase", "/products/vase/delete", &[("confirm", "1")]),
    ("console.imports.run", "/imports/1", "/imports/1/run", &[]),
    ("console.orders.note", "/orders/O-000002", "/orders/O-000002/note", &[("note", "Call her")]),
    ("console.orders.reviewed", "/orders/O-000002", "/orders/O-000002/reviewed", &[]),
    ("console.orders.cancel", "/orders/O-000002", "/orders/O-000002/cancel", &[("confirm", "1")]),
    ("console.orders.paid", "/orders/O-000003", "/orders/O-000003/paid", &[]),
    ("console.orders.ship", "/orders/O-000003", "/orders/O-000003/ship", &[]),
    (
        "console.orders.refund",
        "/orders/O-000003",
        "/orders/O-000003/refund",
        &[("amount", "1.00"), ("reason", "It hums"), ("confirm", "1")],
    ),
    ("console.orders.mail", "/orders/O-000001", "/orders/O-000001/mail", &[]),
    ("console.mails.resend", "/mails?state=sent", "/mails/resend", &[]),
    ("console.mails.test", "/mails/test", "/mails/test", &[("to", "ada@example.com")]),
    ("console.mails.retry", "/mails?state=failed", "/mails/retry", &[]),
    (
        "console.customers.create",
        "/customers/new",
        "/customers/new",
        &[("name", "Zeno"), ("email", "zeno@example.com")],
    ),
    ("console.customers.edit", "/customers/1002", "/customers/1002", &[("name", "Zeno of Citium")]),
    ("console.customers.address", "/customers/1002", "/customers/1002/address", &[("city", "Athens")]),
    ("console.customers.verify", "/customers/1002", "/customers/1002/verify", &[]),
    ("console.customers.password", "/customers/1002", "/customers/1002/password", &[("password", PASSWORD)]),
    ("console.customers.note", "/customers/1002", "/customers/1002/note", &[("note", "He walks")]),
    ("console.customers.token", "/customers/token?customer=1001", "/customers/token", &[("name", "Reports")]),
    ("console.customers.revoke", "/customers/1001", "/customers/1001/revoke", &[]),
    ("console.customers.log_out", "/customers/1001", "/customers/1001/log-out", &[]),
    ("console.customers.export", "/customers/1002", "/customers/1002/export", &[]),
    ("console.customers.anonymize", "/customers/1002", "/customers/1002/anonymize", &[("confirm", "1")]),
    (
        "console.support.create",
        "/support/new",
        "/support/new",
        &[("customer", "1001"), ("subject", "A question"), ("body", "Where is it?")],
    ),
    ("console.support.reply", "/support/T-000001", "/support/T-000001/reply", &[("body", "Here.")]),
    ("console.support.close", "/support/T-000001", "/support/T-000001/close", &[]),
    ("console.support.reopen", "/support/T-000001", "/support/T-000001/reopen", &[]),
    ("console.discounts.create", "/discounts/new", "/discounts/new", &[("code", "TEN"), ("value", "10")]),
    ("console.discounts.change", "/discounts/1/edit", "/discounts/1/edit", &[("value", "12")]),
    ("console.discounts.switch", "/discounts/1", "/discounts/1/switch", &[]),
    ("console.discounts.remove", "/discounts/1", "/discounts/1/remove", &[("confirm", "1")]),
    ("console.withdrawals.refuse", "/withdrawals/W-000001", "/withdrawals/W-000001/refuse", &[("reason", "Too late")]),
    ("console.withdrawals.accept", "/withdrawals/W-000002", "/withdrawals/W-000002/accept", &[("refund", "")]),
    ("console.withdrawals.complete", "/withdrawals/W-000002", "/withdrawals/W-000002/complete", &[("anyhow", "1")]),
    ("console.webhooks.retry", "/webhooks/deliveries", "/webhooks/retry", &[]),
    ("console.webhooks.retry-all", "/webhooks/retry-all", "/webhooks/retry-all", &[("state", "pending")]),
    ("console.webhooks.test", "/webhooks", "/webhooks/test", &[]),
    ("console.webhooks.disable", "/webhooks", "/webhooks/disable", &[]),
    ("console.webhooks.enable", "/webhooks", "/webhooks/enable", &[]),
    ("console.webhooks.delete", "/webhooks/delete?id=1", "/webhooks/delete", &[]),
    ("console.jobs.run", "/jobs", "/jobs/run", &[("name", "retention.prune")]),
    (
        "console.staff.create",
        "/staff",
        "/staff",
        &[("name", "Ada"), ("email", "ada@shop.example"), ("role", "support")],
    ),
    ("console.staff.role", "/staff", "/staff/role", &[("email", "viewer@shop.example"), ("role", "support")]),
    ("console.staff.link", "/staff", "/staff/link", &[("email", "viewer@shop.example")]),
    ("console.staff.reset", "/staff", "/staff/reset", &[("email", "viewer@shop.example"), ("confirm", "1")]),
    ("console.staff.disable", "/staff", "/staff/disable", &[("email", "viewer@shop.example")]),
    ("console.staff.enable", "/staff", "/staff/enable", &[("email", "viewer@shop.example")]),
    ("inventory.count", "/m/inventory/stock/count?sku=LAMP", "/m/inventory/stock/count", &[("on_hand", "9")]),
    (
        "inventory.adjust",
        "/m/inventory/stock/adjust?sku=LAMP",
        "/m/inventory/stock/adjust",
        &[("change", "2"), ("reason", "Found")],
    ),
    (
        "inventory.backorder",
        "/m/inventory/stock/backorder?sku=LAMP",
        "/m/inventory/stock/backorder",
        &[("backorder", "1")],
    ),
    ("inventory.forget", "/m/inventory/stock/forget?sku=LAMP", "/m/inventory/stock/forget", &[]),
    (
        "event_tickets.add-event",
        "/m/event_tickets/events/add-event",
        "/m/event_tickets/events/add-event",
        &[("name", "Symposium"), ("starts_at", "2031-05-01T19:00:00+02:00")],
    ),
    (
        "event_tickets.set-event",
        "/m/event_tickets/events/set-event?event=concert-1",
        "/m/event_tickets/events/set-event",
        &[("venue", "Agora")],
    ),
    (
        "event_tickets.set-quota",
        "/m/event_tickets/quotas/set-quota",
        "/m/event_tickets/quotas/set-quota",
        &[("event", "concert-1"), ("name", "Hall"), ("capacity", "50")],
    ),
    (
        "event_tickets.set-type",
        "/m/event_tickets/types/set-type?id=1",
        "/m/event_tickets/types/set-type",
        &[("quota", "Hall")],
    ),
    (
        "event_tickets.check-in",
        "/m/event_tickets/events/check-in?code=ET-000001",
        "/m/event_tickets/events/check-in",
        &[],
    ),
    ("event_tickets.undo", "/m/event_tickets/door/undo?ticket=ET-000001", "/m/event_tickets/door/undo", &[]),
    (
        "event_tickets.void",
        "/m/event_tickets/door/void?ticket=ET-000001&from=order",
        "/m/event_tickets/door/void",
        &[("reason", "Sold on")],
    ),
    (
        "digital_secrets.add",
        "/m/digital_secrets/pools/add",
        "/m/digital_secrets/pools/add",
        &[("product", "font"), ("keys", "KEY-4\nKEY-5\n")],
    ),
    (
        "digital_secrets.low-water",
        "/m/digital_secrets/pools/low-water?pool=font",
        "/m/digital_secrets/pools/low-water",
        &[("number", "5")],
    ),
    ("digital_secrets.reveal", "/m/digital_secrets/sold/reveal?id=1", "/m/digital_secrets/sold/reveal", &[]),
    (
        "digital_secrets.replace",
        "/m/digital_secrets/sold/replace?id=1",
        "/m/digital_secrets/sold/replace",
        &[("reason", "Used before")],
    ),
    ("digital_secrets.void", "/m/digital_secrets/values/void?id=3", "/m/digital_secrets/values/void", &[]),
    ("downloads.extend", "/m/downloads/grants/extend?id=1", "/m/downloads/grants/extend", &[("downloads", "9")]),
    ("downloads.revoke", "/m/downloads/grants/revoke?id=1", "/m/downloads/grants/revoke", &[("reason", "Shared")]),
    ("downloads.give-back", "/m/downloads/grants", "/m/downloads/grants/give-back", &[]),
    ("downloads.detach", "/m/downloads/files/detach?product=songs&name=songs.zip", "/m/downloads/files/detach", &[]),
    ("services.activate", "/m/services/list/activate?number=SV-000001", "/m/services/list/activate", &[]),
    ("services.hold", "/m/services/list/hold?number=SV-000001", "/m/services/list/hold", &[("until", "2040-01-01")]),
    ("services.suspend", "/m/services/list/suspend?number=SV-000001", "/m/services/list/suspend", &[]),
    ("services.resume", "/m/services/list/resume?number=SV-000001", "/m/services/list/resume", &[]),
    ("services.terminate", "/m/services/list/terminate?number=SV-000001", "/m/services/list/terminate", &[]),
    ("subscriptions.cancel", "/m/subscriptions/list/cancel?number=S-000001", "/m/subscriptions/list/cancel", &[]),
    ("subscriptions.resume", "/m/subscriptions/list", "/m/subscriptions/list/resume", &[]),
    (
        "console.security.password",
        "/security",
        "/security/password",
        &[("current", PASSWORD), ("password", "another horse battery staple")],
    ),
    ("console.security.session", "/security", "/security/session", &[]),
];

/// A field for a file, with the file's name and what is in it.
type SentFile = (&'static str, &'static str, &'static [u8]);

/// The same with a file.
type FileSample = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)], SentFile);

/// Files that are sent: the route, its page, its path, the field and the file's name and content.
const FILES: &[FileSample] = &[
    (
        "console.imports.upload",
        "/imports",
        "/imports",
        &[],
        ("file", "more.jsonl", b"{\"type\":\"category\",\"slug\":\"glass\",\"name\":\"Glass\"}\n"),
    ),
    (
        "inventory.import",
        "/m/inventory/stock/import",
        "/m/inventory/stock/import",
        &[],
        ("counts", "counts.csv", b"sku,quantity\nLAMP,30\n"),
    ),
    (
        "downloads.attach",
        "/m/downloads/files/attach?product=songs",
        "/m/downloads/files/attach",
        &[],
        ("file", "songs.zip", b"all the songs"),
    ),
];

fn everything(smtp: &SmtpFake, backend: Backend) -> TestShopBuilder {
    let more = "[shop]\nconsumer_rights = 'eu'\n[webhooks]\nallow_private_destinations = true\n";
    builder(backend).all_modules().enabled(&MODULES).config(&smtp.config()).config(more)
}

/// Places an order of one of each of these; gives its id.
async fn place(token: &TestClient, slugs: &[&str]) -> i64 {
    for slug in slugs {
        let product = token.get(&format!("/products/{slug}")).await.expect_status(200).json();
        token.post("/cart", &json!({"product_id": product["data"]["id"], "quantity": 1})).await.expect_status(200);
    }
    let mut body = json!({"payment_method": "manual", "consents": ["digital_waiver"],
        "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                    "country": "NL"}});
    if slugs.contains(&"lamp") {
        body["shipping_method_id"] = "standard".into();
        body["consents"] = Value::Array(Vec::new());
    }
    let order = token.post("/checkout", &body).await.expect_status(201).json()["data"]["id"].as_i64();
    order.expect("an id")
}

/// A shop in which everything can be done: what is for sale, five orders, two withdrawals, and mails.
pub(crate) async fn filled(smtp: &SmtpFake, backend: Backend) -> TestShop {
    let shop = everything(smtp, backend).open().await;
    let product = |slug: &str, capability: &str, modules: Value| {
        json!({"type": "product", "slug": slug, "name": slug, "sku": slug.to_uppercase(), "price_amount": 2000,
               "capabilities": [capability], "modules": modules})
    };
    let tickets = json!({"event_tickets": {"event": "Concert", "starts_at": "2031-05-01T19:00:00Z", "capacity": 100}});
    shop.stock(&[
        json!({"type": "product", "slug": "lamp", "name": "Lamp", "sku": "LAMP", "price_amount": 2000,
               "capabilities": ["shippable", "inventory"], "modules": {"inventory": {"quantity": 12}}}),
        product("font", "digital_secret", json!({})),
        product("songs", "digital", json!({})),
        product("concert", "event_ticket", tickets),
        product("hosting", "provisionable", json!({"services": {"provider": "manual"}})),
        product("tea", "subscribable", json!({"subscriptions": {"interval": "month"}})),
    ])
    .await;
    for (name, content) in [("songs.zip", "some songs"), ("keys.txt", "KEY-1\nKEY-2\nKEY-3\n")] {
        std::fs::write(shop.folder().join(name), content).expect("the folder can be written");
    }
    shop.command(&["downloads", "attach", "songs", "songs.zip"]).await.expect_success();
    shop.command(&["digital-secrets", "add", "font", "keys.txt"]).await.expect_success();
    let customer = shop.customer().await;
    shop.browser().log_in(&customer).await.expect_status(200);
    let token = shop.client().token(&customer, &["*"]).await;
    let pay = async |id: i64| drop(record_payment(&shop.uses(), id).await.expect("it is recorded"));
    pay(place(&token, &["font", "songs", "concert", "hosting", "tea"]).await).await;
    let to_cancel = place(&token, &["lamp"]).await;
    place(&token, &["lamp"]).await;
    for _ in 0..2 {
        let id = place(&token, &["lamp"]).await;
        pay(id).await;
        token.post("/withdrawals", &json!({"order_id": id})).await.expect_status(201);
    }
    let flag = async |tx: &mut Tx| -> Result<u64, DbError> { tx.run(FLAG).bind(to_cancel).execute().await };
    shop.parts.db.write(flag).await.expect("it is flagged");
    shop.run_jobs().await;
    shop
}

both_databases!(each_form_of_the_console_leaves_a_row_that_says_who_has_sent_it);
async fn each_form_of_the_console_leaves_a_row_that_says_who_has_sent_it(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(&smtp, backend).await;
    let mut owner = browser(&shop, "owner").await;
    staff(&shop, "viewer").await;
    let mut done = BTreeSet::new();
    let mut rows = audit(&shop).await.len();
    let files = FILES.iter().map(|(name, page, path, typed, file)| (*name, *page, *path, *typed, Some(*file)));
    let samples = files.chain(SAMPLES.iter().map(|(name, page, path, typed)| (*name, *page, *path, *typed, None)));
    for (name, page, path, typed, file) in samples {
        if name == "console.mails.retry" {
            // One that nobody takes.
            let resend = "/console/mails/resend";
            fill_in(&mut owner, "/console/mails?state=sent", resend, &[], &[]).await.expect_status(303);
            rows = audit(&shop).await.len();
            let fail = async |tx: &mut Tx| -> Result<u64, DbError> { tx.run(FAIL_MAIL).execute().await };
            shop.parts.db.write(fail).await.expect("they fail");
        }
        let (page, path) = (format!("/console{page}"), format!("/console{path}"));
        let answer = fill_in(&mut owner, &page, &path, typed, file.as_slice()).await;
        assert!(answer.status.is_success() || answer.status == 303, "{name}: {} {}", answer.status, answer.text());
        let log = audit(&shop).await;
        assert!(log.len() > rows, "{name} leaves no row: {}", answer.text());
        assert_eq!(log[0].actor, "staff:owner@shop.example", "{name}");
        assert!(log[0].address.is_some(), "{name}");
        done.insert(name);
        // What is sent has to be, for what is done next with it.
        shop.run_jobs().await;
        rows = audit(&shop).await.len();
    }
    let program = everything(&smtp, backend).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let routes = program.registry.routes.entries.iter().filter(|owned| owned.route.method == Method::POST);
    let forms = routes.filter(|owned| matches!(owned.route.access, Access::Console(_)));
    let forms = forms.map(|owned| owned.route.name).filter(|name| *name != "console.logout");
    let missing = forms.filter(|name| !done.contains(name) && !ELSEWHERE.contains(name)).collect::<Vec<_>>();
    assert_eq!(missing, Vec::<&str>::new(), "each form is tried");
}
