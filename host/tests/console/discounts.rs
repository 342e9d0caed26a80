//! Discount codes in the console: made with decimals and days, switched, and deleted while nobody has used them.

use stoa_core::config::BasisPoints;
use stoa_core::db::Backend;
use stoa_core::discounts::look_up_discount;
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestShop, both_databases};

use crate::forms::{fields_of, fill_in};
use crate::shelf::{audit, browser, order_with_code, shop, submit};

const NEW: &str = "/console/discounts/new";

async fn acts(shop: &TestShop) -> Vec<(String, String)> {
    audit(shop).await.into_iter().map(|row| (row.act, row.subject)).collect()
}

both_databases!(a_discount_is_made_with_decimals_and_days);
async fn a_discount_is_made_with_decimals_and_days(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let fields = [
        ("code", "WELCOME"),
        ("kind", "amount"),
        ("value", "5.00"),
        ("minimum", "25.50"),
        ("max_uses", "100"),
        ("from", "2026-02-01"),
        ("until", "2026-02-28"),
    ];
    submit(&mut owner, NEW, NEW, &fields).await.expect_status(303);
    let made = look_up_discount(&shop.parts.db, "welcome").await.expect("it is read").expect("it is there");
    assert_eq!((made.rule(), made.minimum_amount, made.max_uses), (DiscountRule::Amount(500), Some(2550), Some(100)));
    assert_eq!(
        made.valid_until.expect("it ends").to_rfc3339(),
        "2026-03-01T00:00:00+00:00",
        "the last day is included"
    );
    let again = submit(&mut owner, NEW, NEW, &[("code", "Welcome"), ("value", "10")]).await.expect_status(422).text();
    assert!(again.contains("There is a discount with this code already."), "{again}");
    let list = owner.get("/console/discounts?q=wel").await.expect_status(200).text();
    assert!(list.contains("WELCOME") && list.contains("0 of 100") && list.contains("not yet"), "{list}");
    assert!(!owner.get("/console/discounts?q=x").await.text().contains("WELCOME"));
    let expected = (String::from("discounts.create"), String::from("discount:WELCOME"));
    assert_eq!(acts(&shop).await[0], expected);
}

both_databases!(what_is_wrong_with_a_discount_is_said_beside_its_field_and_nothing_typed_is_lost);
async fn what_is_wrong_with_a_discount_is_said_beside_its_field_and_nothing_typed_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    for (field, value) in [
        ("code", "two words"),
        ("value", "101"),
        ("minimum", "-1"),
        ("max_uses", "0"),
        ("max_uses_per_customer", "many"),
        ("from", "tomorrow"),
        ("until", "2020-01-01"),
        ("until", "99999-01-01"),
    ] {
        let mut fields = vec![("code", "SUMMER"), ("kind", "percent"), ("value", "12.5"), ("minimum", "10.00")];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let refused = submit(&mut owner, NEW, NEW, &fields).await.expect_status(422).text();
        assert!(refused.contains(&format!("aria-describedby=\"wrong-{field}\"")), "{field}: {refused}");
        for (name, typed) in fields.iter().filter(|(name, _)| *name != "kind") {
            assert!(refused.contains(&format!("name=\"{name}\" value=\"{typed}\"")), "{name} of {field}: {refused}");
        }
    }
    assert!(look_up_discount(&shop.parts.db, "SUMMER").await.expect("it is read").is_none());
}

both_databases!(a_discount_is_switched_and_deleted_unless_orders_have_used_it);
async fn a_discount_is_switched_and_deleted_unless_orders_have_used_it(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let fields = [("code", "TEN"), ("kind", "percent"), ("value", "10%")];
    submit(&mut owner, NEW, NEW, &fields).await.expect_status(303);
    let made = look_up_discount(&shop.parts.db, "TEN").await.expect("it is read").expect("it is there");
    let page = format!("/console/discounts/{}", made.id);
    submit(&mut owner, &page, &format!("{page}/switch"), &[("on", "0")]).await.expect_status(303);
    let list = owner.get("/console/discounts?state=off").await.text();
    assert!(list.contains("TEN") && list.contains("aria-label=\"Enable TEN\""), "{list}");
    submit(&mut owner, &page, &format!("{page}/switch"), &[("on", "1")]).await.expect_status(303);
    order_with_code(&shop, "TEN").await;
    let used = look_up_discount(&shop.parts.db, "TEN").await.expect("it is read").expect("it is there");
    assert_eq!(used.uses, 1);
    let used = owner.get(&page).await.expect_status(200).text();
    assert!(used.contains("/console/orders/O-000001") && !used.contains(">Delete<"), "{used}");
    let kept =
        submit(&mut owner, &page, &format!("{page}/remove"), &[("confirm", "1")]).await.expect_status(409).text();
    assert!(kept.contains("Disable it instead"), "{kept}");
    let fields = [("code", "UNUSED"), ("kind", "percent"), ("value", "10")];
    submit(&mut owner, NEW, NEW, &fields).await.expect_status(303);
    let unused = look_up_discount(&shop.parts.db, "UNUSED").await.expect("it is read").expect("it is there");
    let path = format!("/console/discounts/{}", unused.id);
    let asked = submit(&mut owner, &path, &format!("{path}/remove"), &[]).await.expect_status(200).text();
    assert!(asked.contains("Delete UNUSED?"), "{asked}");
    submit(&mut owner, &path, &format!("{path}/remove"), &[("confirm", "1")]).await.expect_status(303);
    owner.get(&path).await.expect_status(404);
    let names = acts(&shop).await.into_iter().take(4).map(|(act, _)| act).collect::<Vec<_>>();
    assert_eq!(names, ["discounts.remove", "discounts.create", "discounts.enable", "discounts.disable"]);
}

both_databases!(what_somebody_else_has_changed_of_a_discount_is_told_before_it_is_overwritten);
async fn what_somebody_else_has_changed_of_a_discount_is_told_before_it_is_overwritten(backend: Backend) {
    let shop = shop(backend).await;
    let (mut owner, mut manager) = (browser(&shop, "owner").await, browser(&shop, "manager").await);
    let fields = [("code", "TEN"), ("kind", "percent"), ("value", "10"), ("until", "2026-02-28")];
    submit(&mut owner, NEW, NEW, &fields).await.expect_status(303);
    let page = "/console/discounts/1/edit";
    let opened = owner.get(page).await.expect_status(200).text();
    assert!(opened.contains("name=\"value\" value=\"10\"") && opened.contains("value=\"2026-02-28\""), "{opened}");
    fill_in(&mut manager, page, page, &[("value", "15"), ("max_uses", "100")], &[]).await.expect_status(303);
    // From the page as it was opened before.
    let seen =
        opened.split("name=\"seen\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version");
    let typed = [("seen", seen), ("kind", "percent"), ("value", "20"), ("until", "2026-02-28")];
    let refused = submit(&mut owner, page, page, &typed).await.expect_status(409).text();
    assert!(
        refused
            .contains("how much is “15” now, saving makes it “20”; the number of uses is “100” now, saving empties it"),
        "{refused}"
    );
    assert!(refused.contains("name=\"value\" value=\"20\""), "what was typed still stands there: {refused}");
    let stored = || async { look_up_discount(&shop.parts.db, "TEN").await.expect("it is read").expect("it is there") };
    assert_eq!(stored().await.rule(), DiscountRule::Percent(BasisPoints::new(1500).expect("a share")));
    let fields = fields_of(&refused, page);
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    owner.submit(page, &fields).await.expect_status(303);
    let now = stored().await;
    assert_eq!(
        now.rule(),
        DiscountRule::Percent(BasisPoints::new(2000).expect("a share")),
        "who was told may overwrite"
    );
    assert_eq!(now.valid_until.expect("it ends").to_rfc3339(), "2026-03-01T00:00:00+00:00");
    assert_eq!(acts(&shop).await.iter().filter(|(act, _)| act == "discounts.set").count(), 2);
}
