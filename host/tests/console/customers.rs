//! Customers in the console: found by what people know of them, and changed by the functions of the command line.

use stoa_core::customers::{find_account, find_account_by_email, list_sessions};
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};
use stoa_core::tokens::list_tokens_of;

use crate::forms::{fields_of, fill_in};
use crate::shelf::{audit, browser, order, shop, submit};

/// The ids of the customers that a list shows, in its order.
async fn listed(browser: &mut TestBrowser, query: &str) -> Vec<i64> {
    let page = browser.get(&format!("/console/customers?{query}")).await.expect_status(200).text();
    let links = page.split("<th scope=\"row\"><a href=\"/console/customers/").skip(1);
    links.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
}

async fn acts(shop: &TestShop) -> Vec<String> {
    audit(shop).await.into_iter().map(|row| row.act).collect()
}

both_databases!(customers_are_found_by_what_people_know_of_them);
async fn customers_are_found_by_what_people_know_of_them(backend: Backend) {
    let shop = shop(backend).await;
    let first = shop.customer().await;
    let (ada, ben) = (first.id, shop.customer().await.id);
    order(&shop, 1).await;
    let buyer = ben + 1;
    let mut owner = browser(&shop, "owner").await;
    submit(
        &mut owner,
        &format!("/console/customers/{ada}"),
        &format!("/console/customers/{ada}"),
        &[
            ("was_name", "Customer 1"),
            ("was_email", &first.email),
            ("name", "Ada Lovelace"),
            ("email", "ada@example.com"),
        ],
    )
    .await
    .expect_status(303);
    for (query, found) in [
        (String::new(), vec![buyer, ben, ada]),
        (format!("q={ben}"), vec![ben]),
        (String::from("q=ada+lov"), vec![ada]),
        (String::from("q=ADA%40example"), vec![ada]),
        (String::from("q=customer"), vec![buyer, ben]),
        (String::from("q=nobody"), vec![]),
        (String::from("state=guest"), vec![]),
        (String::from("bought=once"), vec![buyer]),
        (String::from("bought=never"), vec![ben, ada]),
        (String::from("from=2026-01-16"), vec![]),
        (String::from("to=2026-01-15"), vec![buyer, ben, ada]),
    ] {
        assert_eq!(listed(&mut owner, &query).await, found, "{query}");
    }
    let csv = owner.get("/console/customers?q=ada&format=csv").await.expect_status(200).text();
    assert!(csv.contains(&format!("Ada Lovelace ada@example.com,{ada},unverified,")), "{csv}");
}

both_databases!(a_customer_is_changed_unless_somebody_was_faster);
async fn a_customer_is_changed_unless_somebody_was_faster(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, ben) = (shop.customer().await, shop.customer().await);
    let mut owner = browser(&shop, "owner").await;
    let page = format!("/console/customers/{}", ada.id);
    let was = [("was_name", "Customer 1"), ("was_email", ada.email.as_str())];
    let with = |name: &'static str| [was[0], was[1], ("name", name), ("email", ada.email.as_str())];
    let taken = [was[0], was[1], ("name", "Ada"), ("email", ben.email.as_str())];
    let refused = submit(&mut owner, &page, &page, &taken).await;
    let refused = refused.expect_status(422).text();
    assert!(refused.contains(&format!("value=\"{}\"", ben.email)) && refused.contains("aria-invalid"), "{refused}");
    submit(&mut owner, &page, &page, &with("Ada")).await.expect_status(303);
    let stale = submit(&mut owner, &page, &page, &with("Ben")).await.expect_status(409).text();
    assert!(stale.contains("Somebody has changed this customer meanwhile"), "{stale}");
    assert!(stale.contains("the name is “Ada” now, saving makes it “Ben”"), "{stale}");
    assert!(stale.contains("name=\"name\" value=\"Ben\""), "{stale}");
    let account = find_account(&shop.parts.db, ada.id).await.expect("it is read").expect("it is there");
    assert_eq!(account.name, "Ada");
    let missing = format!("/console/customers/{}", ben.id + 1000);
    owner.get(&missing).await.expect_status(404);
    assert_eq!(acts(&shop).await[0], "customers.edit");
}

both_databases!(what_somebody_else_has_changed_of_a_customer_stays_where_it_was_not_typed_anew);
async fn what_somebody_else_has_changed_of_a_customer_stays_where_it_was_not_typed_anew(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let mut owner = browser(&shop, "owner").await;
    let page = format!("/console/customers/{}", ada.id);
    let opened = owner.get(&page).await.expect_status(200).text();
    fill_in(&mut owner, &page, &page, &[("name", "Ada")], &[]).await.expect_status(303);
    let mut fields = fields_of(&opened, &page);
    fields.retain(|(name, _)| name != "email" && name != "csrf");
    let typed = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let typed = typed.chain([("email", "countess@example.com")]).collect::<Vec<_>>();
    let stale = submit(&mut owner, &page, &page, &typed).await.expect_status(409).text();
    assert!(stale.contains("Nothing was saved: the name is “Ada” now. What you did not change"), "{stale}");
    let fields = fields_of(&stale, &page);
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(&page, &fields).await.expect_status(303);
    let account = find_account(&shop.parts.db, ada.id).await.expect("it is read").expect("it is there");
    assert_eq!((account.name.as_str(), account.email.as_str()), ("Ada", "countess@example.com"));
}

both_databases!(a_customer_is_verified_logged_out_and_noted_on);
async fn a_customer_is_verified_logged_out_and_noted_on(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    shop.client().token(&ada, &["*"]).await;
    let mut owner = browser(&shop, "owner").await;
    let page = format!("/console/customers/{}", ada.id);
    let path = |act: &str| format!("{page}/{act}");
    submit(&mut owner, &page, &path("verify"), &[("unverify", "1")]).await.expect_status(303);
    submit(&mut owner, &page, &path("note"), &[("note", " ")]).await.expect_status(422);
    submit(&mut owner, &page, &path("note"), &[("note", "Calls on Mondays <b>")]).await.expect_status(303);
    let shown = owner.get(&page).await.text();
    assert!(shown.contains("Calls on Mondays &#60;b&#62;") && shown.contains("staff:owner@shop.example"), "{shown}");
    let short = submit(&mut owner, &page, &path("password"), &[("password", "x")]).await.expect_status(422).text();
    assert!(!short.contains("value=\"x\"") && short.contains("Calls on Mondays"), "{short}");
    let token = list_tokens_of(&shop.parts.db, ada.id).await.expect("they are read")[0].id.to_string();
    submit(&mut owner, &page, &path("revoke"), &[("token", "999999")]).await.expect_status(404);
    submit(&mut owner, &page, &path("revoke"), &[("token", &token)]).await.expect_status(303);
    assert!(list_tokens_of(&shop.parts.db, ada.id).await.expect("they are read").is_empty());
    submit(&mut owner, &page, &path("password"), &[("password", "a long walk at night")]).await.expect_status(303);
    let expected = ["customers.set-password", "tokens.revoke", "customers.note", "customers.verify-email"];
    assert_eq!(acts(&shop).await[..4], expected);
    let account = find_account(&shop.parts.db, ada.id).await.expect("it is read").expect("it is there");
    assert!(account.email_verified_at.is_none());
}

both_databases!(a_customers_data_is_given_out_and_erased_once_it_was_asked);
async fn a_customers_data_is_given_out_and_erased_once_it_was_asked(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let mut owner = browser(&shop, "owner").await;
    let page = format!("/console/customers/{}", ada.id);
    let path = |act: &str| format!("{page}/{act}");
    submit(&mut owner, &page, &path("note"), &[("note", "Likes lamps")]).await.expect_status(303);
    let export = submit(&mut owner, &page, &path("export"), &[]).await.expect_status(200);
    assert!(export.header("content-disposition").is_some_and(|text| text.contains("attachment")));
    let document = export.json();
    assert_eq!(document["account"]["email"], ada.email.as_str());
    assert_eq!(document["notes"][0]["note"], "Likes lamps");
    let asked = submit(&mut owner, &page, &path("anonymize"), &[]).await.expect_status(200).text();
    assert!(asked.contains("This cannot be undone"), "{asked}");
    assert!(find_account_by_email(&shop.parts.db, &ada.email).await.expect("it is read").is_some());
    submit(&mut owner, &page, &path("anonymize"), &[("confirm", "1")]).await.expect_status(303);
    let erased = owner.get(&page).await.expect_status(200).text();
    assert!(!erased.contains("Likes lamps") && !erased.contains(&ada.email), "{erased}");
    assert_eq!(acts(&shop).await[..2], ["customers.anonymize", "customers.export"]);
    submit(&mut owner, &page, &path("note"), &[("note", "late")]).await.expect_status(409);
}

both_databases!(somebody_is_added_by_hand);
async fn somebody_is_added_by_hand(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let new = "/console/customers/new";
    let refused =
        submit(&mut owner, new, new, &[("name", "Ada"), ("email", "nonsense")]).await.expect_status(422).text();
    assert!(refused.contains("value=\"Ada\"") && refused.contains("aria-describedby=\"wrong-email\""), "{refused}");
    submit(&mut owner, new, new, &[("name", "Ada"), ("email", "ada@example.com"), ("verified", "1")])
        .await
        .expect_status(303);
    let account = find_account_by_email(&shop.parts.db, "ada@example.com").await.expect("it is read");
    assert!(account.is_some_and(|account| account.email_verified_at.is_some()));
    let mut viewer = browser(&shop, "viewer").await;
    viewer.get(new).await.expect_status(403);
    let listed = viewer.get("/console/customers").await.expect_status(200).text();
    assert!(!listed.contains("Create customer"));
}

both_databases!(what_is_known_of_an_address_is_changed_and_checked);
async fn what_is_known_of_an_address_is_changed_and_checked(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let mut owner = browser(&shop, "owner").await;
    let page = format!("/console/customers/{}", ada.id);
    let path = format!("{page}/address");
    let wrong = [("city", "London"), ("country", "Narnia")];
    let refused = submit(&mut owner, &page, &path, &wrong).await.expect_status(422).text();
    assert!(refused.contains("value=\"Narnia\"") && refused.contains("role=\"alert\""), "{refused}");
    submit(&mut owner, &page, &path, &[("city", "London"), ("phone", "+44 20 1")]).await.expect_status(303);
    submit(&mut owner, &page, &path, &[("city", "Leiden"), ("phone", "")]).await.expect_status(303);
    let account = find_account(&shop.parts.db, ada.id).await.expect("it is read").expect("it is there");
    assert_eq!(account.properties.0.get("city").and_then(|city| city.as_str()), Some("Leiden"));
    assert_eq!(account.properties.0.get("phone"), None);
    assert_eq!(acts(&shop).await[0], "customers.edit");
}

both_databases!(two_who_change_an_address_at_once_overwrite_nothing_of_each_other_unsaid);
async fn two_who_change_an_address_at_once_overwrite_nothing_of_each_other_unsaid(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let (mut owner, mut manager) = (browser(&shop, "owner").await, browser(&shop, "manager").await);
    let page = format!("/console/customers/{}", ada.id);
    let path = format!("{page}/address");
    let first = [("city", "London"), ("phone", "+44 20 1")];
    fill_in(&mut owner, &page, &path, &first, &[]).await.expect_status(303);
    let opened = owner.get(&page).await.expect_status(200).text();
    let mine = |typed: &[(&str, &str)]| {
        let mut fields = fields_of(&opened, &path);
        fields.retain(|(name, _)| !typed.iter().any(|(other, _)| other == name));
        fields.extend(typed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields
    };
    fill_in(&mut manager, &page, &path, &[("phone", "+44 20 2")], &[]).await.expect_status(303);
    let other = mine(&[("city", "Leiden")]);
    let other = other.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(&path, &other).await.expect_status(303);
    let known = async |name: &str| {
        let account = find_account(&shop.parts.db, ada.id).await.expect("it is read").expect("it is there");
        account.properties.0.get(name).and_then(|value| value.as_str()).map(str::to_owned)
    };
    assert_eq!(known("city").await.as_deref(), Some("Leiden"));
    assert_eq!(known("phone").await.as_deref(), Some("+44 20 2"), "what was left alone stays as it is now");
    let same = mine(&[("phone", "+44 20 3")]);
    let same = same.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    let refused = owner.submit(&path, &same).await.expect_status(409).text();
    assert!(refused.contains("Phone is “+44 20 2” now, saving makes it “+44 20 3”"), "{refused}");
    assert!(refused.contains("value=\"+44 20 3\""), "{refused}");
    assert_eq!(known("phone").await.as_deref(), Some("+44 20 2"), "nothing was saved");
    let again = fields_of(&refused, &path);
    let again = again.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(&path, &again).await.expect_status(303);
    assert_eq!(known("phone").await.as_deref(), Some("+44 20 3"));
}

both_databases!(a_customers_sessions_and_tokens_are_ended_all_at_once);
async fn a_customers_sessions_and_tokens_are_ended_all_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    shop.browser().log_in(&ada).await;
    for _ in 0..2 {
        shop.client().token(&ada, &["*"]).await;
    }
    let mut support = browser(&shop, "support").await;
    let page = format!("/console/customers/{}", ada.id);
    let shown = support.get(&page).await.expect_status(200).text();
    assert!(shown.contains("End all sessions") && shown.contains("Revoke all"), "{shown}");
    assert!(!shown.contains("Anonymize") && !shown.contains("Export data"), "{shown}");
    submit(&mut support, &page, &format!("{page}/log-out"), &[]).await.expect_status(303);
    submit(&mut support, &page, &format!("{page}/revoke"), &[("token", "all")]).await.expect_status(303);
    let sessions = list_sessions(&shop.parts.db, ada.user_id).await.expect("they are read");
    assert!(sessions.is_empty(), "{sessions:?}");
    assert!(list_tokens_of(&shop.parts.db, ada.id).await.expect("they are read").is_empty());
    assert_eq!(acts(&shop).await[..2], ["tokens.revoke", "customers.log-out"]);
}
