//! Pages for whoever runs the shop.

use std::io;
use std::net::IpAddr;

use futures_util::future::BoxFuture;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::webhooks::{
    EndpointChange, NewEndpoint, Resolve, add_endpoint, change_endpoint, list_endpoints, secrets_of,
};

use crate::forms::{fields_of, fill_in};
use crate::shelf::{audit, browser, builder, filled, paid_order, shop, submit, told};

/// The pages, and the entry of the menu that each belongs to.
const PAGES: [(&str, &str); 9] = [
    ("/console/webhooks", "Webhooks"),
    ("/console/webhooks/deliveries", "Webhooks"),
    ("/console/jobs", "Jobs"),
    ("/console/events", "Events"),
    ("/console/mails", "Mails"),
    ("/console/mails/templates", "Mails"),
    ("/console/modules", "Modules"),
    ("/console/settings", "Settings"),
    ("/console/health", "Health"),
];

async fn endpoint(shop: &TestShop) -> i64 {
    let new = NewEndpoint {
        url: String::from("https://accounting.example.com/stoa"),
        kind: stoa_core::webhooks::EndpointKind::Http,
        events: vec![String::from("order.paid")],
        secret: None,
    };
    let parts = &shop.parts;
    let added = add_endpoint(&parts.db, &parts.random, &parts.cipher, &parts.config, new).await;
    added.expect("it is added").0.id
}

both_databases!(each_page_of_operation_opens_for_the_owner_and_for_nobody_without_its_ability);
async fn each_page_of_operation_opens_for_the_owner_and_for_nobody_without_its_ability(backend: Backend) {
    let shop = shop(backend).await;
    let (mut owner, mut warehouse) = (browser(&shop, "owner").await, browser(&shop, "warehouse").await);
    let home = warehouse.get("/console").await.expect_status(200).text();
    for (path, entry) in PAGES {
        let page = owner.get(path).await.expect_status(200).text();
        assert!(page.contains(&format!("aria-current=\"page\">{entry}<")), "{path}: {page}");
        warehouse.get(path).await.expect_status(403);
        assert!(!home.contains(&format!(">{entry}<")), "{home}");
    }
}

both_databases!(a_shop_without_a_mail_server_says_so);
async fn a_shop_without_a_mail_server_says_so(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let told = "his shop sends no mail: customers get no confirmation and no reply";
    let mails = owner.get("/console/mails").await.expect_status(200).text();
    assert!(mails.contains(told) && mails.contains("mail.smtp.host"), "{mails}");
    let health = owner.get("/console/health?problems=1").await.expect_status(200).text();
    assert!(health.contains(told) && health.contains("set mail.smtp.host and mail.from"), "{health}");
    let trying = builder(backend).config("[payments.simulated]\nenabled = true").open().await;
    let mut owner = browser(&trying, "owner").await;
    let health = owner.get("/console/health?problems=1").await.expect_status(200).text();
    assert!(!health.contains(told), "{health}");
}

both_databases!(a_shop_that_knows_where_it_is_and_has_no_tax_rate_is_told);
async fn a_shop_that_knows_where_it_is_and_has_no_tax_rate_is_told(backend: Backend) {
    let told = async |settings: &str| {
        let shop = builder(backend).config(settings).open().await;
        let page = browser(&shop, "owner").await.get("/console/health?problems=1").await.expect_status(200).text();
        page.contains("no tax rate is set: every order is sold with 0 % tax")
    };
    assert!(told("[seller]\ncountry = \"NL\"\n").await);
    assert!(told("[seller]\ntax_id = \"NL004495445B01\"\n").await);
    for fine in [
        "",
        "[seller]\ncountry = \"NL\"\n[tax]\nrates = { NL = 0 }\n",
        "[seller]\ncountry = \"NL\"\ntax_exemption = \"Exempt from VAT as a small business\"\n",
    ] {
        assert!(!told(fine).await, "{fine}");
    }
}

both_databases!(health_names_checks_in_words_and_leads_to_the_page_that_does_what_a_command_would);
async fn health_names_checks_in_words_and_leads_to_the_page_that_does_what_a_command_would(backend: Backend) {
    let shop = shop(backend).await;
    let category = json!({"type": "category", "slug": "winter", "name": "Winter", "active": false});
    let sled = json!({"type": "product", "slug": "sled", "name": "Sled", "price_amount": 900, "category": "winter"});
    shop.stock(&[category, sled]).await;
    let page = browser(&shop, "owner").await.get("/console/health?problems=1").await.expect_status(200).text();
    assert!(page.contains("Catalog: categories <br><span class=\"quiet\">catalog.categories</span>"), "{page}");
    assert!(page.contains("href=\"/console/categories\" aria-label=\"Open Catalog: categories\""), "{page}");
    let below = "Open its page, or on the command line:</span> <br><span class=\"quiet\"><span class=\"long\">stoa category activate winter<";
    assert!(page.contains(below), "{page}");
}

both_databases!(a_job_is_run_now_and_that_is_written_down);
async fn a_job_is_run_now_and_that_is_written_down(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    submit(&mut owner, "/console/jobs", "/console/jobs/run", &[("name", "retention.prune")]).await.expect_status(303);
    let page = owner.get("/console/jobs").await.expect_status(200).text();
    assert!(page.contains("retention.prune is done."), "{page}");
    let unknown = submit(&mut owner, "/console/jobs", "/console/jobs/run", &[("name", "no.such")]).await;
    assert!(unknown.expect_status(422).text().contains("There is no such job"));
    let row = audit(&shop).await.into_iter().find(|row| row.act == "jobs.run").expect("a row");
    assert_eq!((row.subject.as_str(), row.actor.as_str()), ("job:retention.prune", "staff:owner@shop.example"));
}

both_databases!(an_endpoint_is_switched_off_and_deleted);
async fn an_endpoint_is_switched_off_and_deleted(backend: Backend) {
    let shop = shop(backend).await;
    let id = endpoint(&shop).await.to_string();
    let mut owner = browser(&shop, "owner").await;
    let here = "/console/webhooks";
    submit(&mut owner, here, "/console/webhooks/disable", &[("id", &id)]).await.expect_status(303);
    let page = owner.get(here).await.expect_status(200).text();
    assert!(page.contains("https://accounting.example.com/stoa is off now."), "{page}");
    assert!(page.contains("aria-label=\"Enable https://accounting.example.com/stoa\""), "{page}");
    submit(&mut owner, here, "/console/webhooks/delete", &[("id", &id)]).await.expect_status(303);
    assert_eq!(list_endpoints(&shop.parts.db).await.expect("they are listed"), []);
    let again = submit(&mut owner, here, "/console/webhooks/delete", &[("id", &id)]).await.expect_status(409);
    assert!(again.text().contains("role=\"alert\""), "{}", again.text());
    let acts = audit(&shop).await.into_iter().map(|row| row.act).collect::<Vec<_>>();
    assert!(acts.starts_with(&[String::from("webhooks.remove"), String::from("webhooks.disable")]), "{acts:?}");
}

both_databases!(settings_are_told_with_their_origin_and_no_secret_is);
async fn settings_are_told_with_their_origin_and_no_secret_is(backend: Backend) {
    let secret = "[mail.smtp]\nhost = \"mail.example\"\nusername = \"shop\"\npassword = \"geheim-geheim\"\n[mail]\nfrom = \"shop@shop.example\"";
    let shop = builder(backend).config(secret).open().await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/settings?q=mail.smtp").await.expect_status(200).text();
    assert!(page.contains("mail.smtp.host") && page.contains("mail.example"), "{page}");
    assert!(page.contains("(hidden)") && !page.contains("geheim"), "{page}");
    let csv = owner.get("/console/settings?format=csv").await.expect_status(200).text();
    assert!(csv.contains("server.listen") && !csv.contains("geheim"), "{csv}");
    let mut manager = browser(&shop, "manager").await;
    manager.get("/console/settings").await.expect_status(403);
}

both_databases!(settings_begin_with_what_an_operator_wants_to_know);
async fn settings_begin_with_what_an_operator_wants_to_know(backend: Backend) {
    let config = "[tax]\nrates = { DE = 1900, FR = 550 }\n[seller]\ncountry = \"DE\"";
    let shop = builder(backend).config(config).open().await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/settings").await.expect_status(200).text();
    assert!(page.contains("<p>This page only shows how the shop is set up."), "{page}");
    assert!(page.contains("<dt>Country</dt><dd>Germany</dd>"), "{page}");
    assert!(page.contains("<dt>VAT</dt><dd>Germany 19%, France 5.5%<br>"), "{page}");
    assert!(page.contains("<dt>Mail</dt><dd>Not set up: the shop sends no mails"), "{page}");
    assert!(!page.contains("How settings are changed"), "no documentation is served: {page}");
    let one = owner.get("/console/settings?q=payments.manual.expiry").await.expect_status(200).text();
    assert!(one.contains("20160") && one.contains("1 of "), "{one}");
}

both_databases!(the_menu_has_groups_of_what_somebody_may_open);
async fn the_menu_has_groups_of_what_somebody_may_open(backend: Backend) {
    let shop = shop(backend).await;
    let (mut owner, mut warehouse) = (browser(&shop, "owner").await, browser(&shop, "warehouse").await);
    let headings = |page: &str| {
        let parts = page.split("<p id=\"menu-").skip(1);
        let headings = parts.map(|part| part.split(['>', '<']).nth(1).expect("a heading").to_owned());
        headings.collect::<Vec<_>>()
    };
    let page = owner.get("/console").await.expect_status(200).text();
    assert_eq!(headings(&page), ["Sell", "People", "Documents", "Technical"]);
    assert!(!page.contains("See the shop"), "there is no storefront: {page}");
    let page = warehouse.get("/console").await.expect_status(200).text();
    assert!(!headings(&page).contains(&String::from("Technical")), "{page}");
}

both_databases!(the_console_leads_to_the_shop_and_to_its_documentation);
async fn the_console_leads_to_the_shop_and_to_its_documentation(backend: Backend) {
    let on = "[modules.storefront]\nenabled = true\n[modules.documentation]\nenabled = true";
    let shop = builder(backend).all_modules().config(on).open().await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/settings").await.expect_status(200).text();
    for way in ["<a href=\"/\">See the shop</a>", "<a href=\"/docs\">Documentation</a>"] {
        assert!(page.contains(way), "{way}: {page}");
    }
    let docs = "/docs/reference/operation/configuration";
    assert!(page.contains(&format!("href=\"{docs}\">How settings are changed<")), "{page}");
    owner.get(docs).await.expect_status(200);
}

both_databases!(a_test_mail_that_cannot_be_sent_says_why);
async fn a_test_mail_that_cannot_be_sent_says_why(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let here = "/console/mails/test";
    let wrong = submit(&mut owner, here, here, &[("to", "nobody")]).await.expect_status(422).text();
    assert!(wrong.contains("value=\"nobody\"") && wrong.contains("aria-invalid=\"true\""), "{wrong}");
    let refused = submit(&mut owner, here, here, &[("to", "ada@example.com")]).await.expect_status(409).text();
    assert!(refused.contains("role=\"alert\""), "{refused}");
}

/// What a page shows once.
fn shown_once(page: &str) -> String {
    let (_, rest) = page.split_once("<output class=\"secret\"").unwrap_or_else(|| panic!("nothing is shown: {page}"));
    let (_, value) = rest.split_once('>').expect("a tag ends");
    value.split('<').next().expect("it ends").to_owned()
}

both_databases!(the_secret_of_an_endpoint_is_shown_once_and_what_others_change_is_not_overwritten);
async fn the_secret_of_an_endpoint_is_shown_once_and_what_others_change_is_not_overwritten(backend: Backend) {
    let shop = builder(backend).config("[webhooks]\nallow_private_destinations = true").open().await;
    let mut owner = browser(&shop, "owner").await;
    let (add, set) = ("/console/webhooks/add", "/console/webhooks/set");
    let url = ("url", "http://127.0.0.1:9/stoa");
    let wrong = fill_in(&mut owner, add, add, &[url, ("events", "order.lost")], &[]).await.expect_status(422).text();
    assert!(wrong.contains("There is no event `order.lost`"), "{wrong}");
    let none = fill_in(&mut owner, add, add, &[url], &[]).await.expect_status(422).text();
    assert!(none.contains("The field “Events” is required."), "{none}");
    assert!(none.contains("Look at what is marked below."), "{none}");
    assert_eq!(none.matches(" autofocus").count(), 1, "one looks at what is wrong first: {none}");
    assert!(!none.contains("maxlength=\"2048\" autofocus"), "{none}");
    let added = fill_in(&mut owner, add, add, &[url, ("events", "order.paid")], &[]).await.expect_status(200);
    assert_eq!(added.header("cache-control"), Some("private, no-store"));
    let secret = shown_once(&added.text());
    let id = list_endpoints(&shop.parts.db).await.expect("they are listed")[0].id;
    let signs = async || {
        let all = secrets_of(&shop.parts.db, &shop.parts.cipher).await.expect("they are read");
        all[0].1.iter().map(|secret| secret.expose().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(signs().await, std::slice::from_ref(&secret));
    assert!(!owner.get("/console/webhooks").await.text().contains(&secret), "it is shown once");

    let rotate = "/console/webhooks/rotate-secret";
    let page = fill_in(&mut owner, &format!("{rotate}?id={id}"), rotate, &[], &[]).await.expect_status(200).text();
    assert!(page.contains("The secret before signs too until"), "{page}");
    assert_eq!(signs().await, [shown_once(&page), secret]);

    let opened = owner.get(&format!("{set}?id={id}")).await.expect_status(200).text();
    assert!(opened.contains("value=\"order.paid\" checked"), "{opened}");
    let before = EndpointChange::of(&list_endpoints(&shop.parts.db).await.expect("they are listed")[0]);
    let others = EndpointChange { events: vec![String::from("order.cancelled")], ..before.clone() };
    change_endpoint(&shop.parts.db, id, &before, &others).await.expect("somebody else changes it");
    let mut fields = fields_of(&opened, set);
    fields.push((String::from("events"), String::from("order.shipped")));
    let stale = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    let refused = owner.submit(set, &stale).await.expect_status(409).text();
    assert!(refused.contains("Somebody has changed this endpoint meanwhile"), "{refused}");
    assert!(refused.contains("of order.cancelled. Nothing was saved."), "{refused}");
    let again = fields_of(&refused, set);
    let again = again.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(set, &again).await.expect_status(303);
    let events = list_endpoints(&shop.parts.db).await.expect("they are listed")[0].events.clone();
    assert_eq!(events, ["order.paid", "order.shipped"]);
}

struct NoNames;

impl Resolve for NoNames {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async { Err(io::Error::other("the name server is away")) })
    }
}

both_databases!(what_is_not_right_with_a_new_endpoint_stands_apart_from_what_was_done);
async fn what_is_not_right_with_a_new_endpoint_stands_apart_from_what_was_done(backend: Backend) {
    let shop = builder(backend).resolver(NoNames).open().await;
    let mut owner = browser(&shop, "owner").await;
    let (add, set) = ("/console/webhooks/add", "/console/webhooks/set");
    let fields = [("url", "https://hook.example.com/stoa"), ("events", "order.paid")];
    let page = fill_in(&mut owner, add, add, &fields, &[]).await.expect_status(200).text();
    let done = "<p class=\"told\" role=\"status\">https://hook.example.com/stoa is told of events from now on.</p>";
    let (_, rest) = page.split_once(done).unwrap_or_else(|| panic!("not {done} in {page}"));
    assert!(rest.trim_start().starts_with("<p class=\"warns\" role=\"status\">"), "{page}");
    assert!(rest.contains("cannot be resolved"), "{page}");
    let id = list_endpoints(&shop.parts.db).await.expect("they are listed")[0].id;
    let changed = fill_in(&mut owner, &format!("{set}?id={id}"), set, &[("events", "order.paid")], &[]).await;
    let told = told(&mut owner, changed).await;
    assert!(told.contains(" is changed. ") && told.contains("cannot be resolved"), "{told}");
}

both_databases!(an_endpoint_that_fails_is_told_on_the_first_page_before_anything_is_given_up);
async fn an_endpoint_that_fails_is_told_on_the_first_page_before_anything_is_given_up(backend: Backend) {
    let shop = filled(builder(backend).config("[webhooks]\nallow_private_destinations = true")).await;
    let mut owner = browser(&shop, "owner").await;
    let add = "/console/webhooks/add";
    // Where nobody listens.
    let fields = [("url", "http://127.0.0.1:9/stoa"), ("events", "order.paid")];
    fill_in(&mut owner, add, add, &fields, &[]).await.expect_status(200);
    paid_order(&shop, 1).await;
    shop.run_jobs().await;
    let today = owner.get("/console").await.expect_status(200).text();
    let tile = "href=\"/console/webhooks\"><span>Webhook endpoints with errors</span> <strong>1</strong>";
    assert!(today.contains(tile), "{today}");
    let given_up = "/console/webhooks/deliveries?state=dead_letter";
    let quiet = format!("<li><a href=\"{given_up}\"><span>Webhooks given up</span> <strong>0</strong>");
    assert!(today.contains(&quiet), "{today}");
    let (urgent, waits) = (today.find(tile), today.find(&quiet));
    assert!(urgent < waits, "what waits stands before what does not: {today}");
    let page = owner.get(given_up).await.expect_status(200).text();
    assert!(page.contains("value=\"dead_letter\" selected") && page.contains("0 of 0"), "{page}");
    let all = owner.get("/console/webhooks/deliveries").await.expect_status(200).text();
    let health = owner.get("/console/health").await.expect_status(200).text();
    let link = "href=\"/console/webhooks\" aria-label=\"Open Webhooks\"";
    assert!(health.contains(link), "private destinations are a warning: {health}");
    assert!(all.contains(">http://127.0.0.1:9/stoa</td>") && all.contains("1–1 of 1"), "{all}");
    // One delivery, with its attempt and what is sent.
    let (_, address) = all.split_once("href=\"/console/webhooks/deliveries/").expect("it is a link");
    let address = format!("/console/webhooks/deliveries/{}", address.split('"').next().unwrap_or_default());
    let one = owner.get(&address).await.expect_status(200).text();
    assert!(one.contains("<h1>order.paid</h1>") && one.contains("http://127.0.0.1:9/stoa"), "{one}");
    assert!(one.contains("<th scope=\"row\">1</th>") && one.contains("refused"), "{one}");
    assert!(one.contains("&#34;order_id&#34;: 1") && one.contains(">Retry</button>"), "{one}");
    owner.get("/console/webhooks/deliveries/none").await.expect_status(404);
    let endpoints = owner.get("/console/webhooks").await.expect_status(200).text();
    assert!(endpoints.contains(">failing</span>"), "{endpoints}");
}

both_databases!(the_audit_log_tells_each_change_as_a_line);
async fn the_audit_log_tells_each_change_as_a_line(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    browser(&shop, "viewer").await;
    let role = [("email", "viewer@shop.example"), ("role", "support")];
    submit(&mut owner, "/console/staff", "/console/staff/role", &role).await.expect_status(303);
    let page = owner.get("/console/audit?subject=staff%3Aviewer%40shop.example").await.expect_status(200).text();
    assert!(page.contains("<li>role: viewer → support</li>"), "{page}");
    let csv = owner.get("/console/audit?act=staff&format=csv").await.expect_status(200).text();
    assert!(csv.contains("role: viewer → support"), "{csv}");
}

both_databases!(the_audit_log_is_searched_by_numbers_and_says_amounts_as_money);
async fn the_audit_log_is_searched_by_numbers_and_says_amounts_as_money(backend: Backend) {
    let shop = shop(backend).await;
    paid_order(&shop, 1).await;
    let mut owner = browser(&shop, "owner").await;
    let order = "/console/orders/O-000001";
    let refund = [("amount", "1.00"), ("reason", "It hums"), ("confirm", "1")];
    fill_in(&mut owner, order, &format!("{order}/refund"), &refund, &[]).await.expect_status(303);
    let page = owner.get("/console/audit?subject=o-1&act=orders.refund").await.expect_status(200).text();
    assert!(page.contains("<a href=\"/console/orders/O-000001\">O-000001</a>"), "{page}");
    assert!(page.contains("<li>amount: €1.00</li>") && !page.contains("refunded: "), "{page}");
    let by_subject = owner.get("/console/audit?subject=order%3A1&act=orders.refund").await.text();
    assert!(by_subject.contains("1–1 of 1") && page.contains("1–1 of 1"), "{by_subject}");
    let other = owner.get("/console/audit?subject=O-000002").await.expect_status(200).text();
    assert!(other.contains("0 of 0"), "{other}");
}
