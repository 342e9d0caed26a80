//! VAT identification numbers at checkout, and who owes the tax (C10.4).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, address, builder, buyer, fill, history, record, refused_fields, rows};
use crate::vies::{Mood, Vies};

const GERMAN: &str = "DE136695976";
const DUTCH: Option<&str> = Some("NL004495445B01");
const LINES: &[(&str, i64)] = &[("lamp", 2), ("book", 1)];

/// A shop in the Netherlands, if it has a number of its own, with more settings of taxes.
async fn shop(backend: Backend, prices_include_tax: bool, own: Option<&str>, more: &str) -> TestShop {
    let seller = own.map(|own| format!("[seller]\ntax_id = \"{own}\"")).unwrap_or_default();
    let config = format!(
        r#"
        {seller}
        [tax]
        {more}
        prices_include_tax = {prices_include_tax}
        rates = {{ NL = 2100, DE = 1900, FR = 2000 }}
        [tax.classes]
        reduced = {{ NL = 900, DE = 700 }}
        [[shipping.methods]]
        id = "standard"
        label = "Standard"
        amount = 495
        "#
    );
    let shop = builder(backend).config(&config).open().await;
    fill(&shop).await;
    shop
}

fn amounts(order: &Value) -> [i64; 5] {
    ["subtotal_amount", "discount_amount", "shipping_amount", "tax_amount", "total_amount"]
        .map(|name| order[name].as_i64().expect("an amount"))
}

/// An order to a country, with a number.
fn to(country: &str, vat_id: &str) -> Value {
    json!({"billing": address(country), "vat_id": vat_id})
}

async fn preview(ada: &Buyer, country: &str, vat_id: &str) -> Value {
    let path = format!("/checkout/requirements?country={country}&shipping_method_id=standard&vat_id={vat_id}");
    ada.client.get(&path).await.expect_status(200).json()["data"].clone()
}

both_databases!(whoever_has_a_valid_number_of_another_member_state_owes_the_tax);
async fn whoever_has_a_valid_number_of_another_member_state_owes_the_tax(backend: Backend) {
    let vies = Vies::start(Mood::Valid).await;
    let shop = shop(backend, true, DUTCH, &vies.config()).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, LINES).await;
    // 4000 / 1.19 = 3361.3, 1500 / 1.07 = 1401.9, 495 / 1.19 = 416.0.
    let expected = [3361 + 1402, 0, 416, 0, 3361 + 1402 + 416];
    for written in ["DE136695976", "de+136.695-976", "DE136695976"] {
        let shown = preview(&ada, "DE", written).await;
        assert_eq!((&shown["vat_id_status"], &shown["totals"]["reverse_charge"]), (&json!("valid"), &json!(true)));
        assert_eq!(amounts(&shown["totals"]), expected);
    }
    let agreed = json!({"billing": address("DE"), "vat_id": "de 136.695.976", "expected_total_amount": expected[4]});
    let order = ada.check_out(&agreed).await.expect_status(201).json()["data"].clone();
    assert_eq!(order, ada.read(&order).await);
    assert_eq!(amounts(&order), expected);
    assert_eq!(order["payment"]["amount"], expected[4]);
    assert_eq!((&order["vat_id"], &order["reverse_charge"]), (&json!(GERMAN), &json!(true)));
    let check = &order["vat_id_check"];
    assert_eq!((&check["status"], &check["name"]), (&json!("valid"), &json!("Lampen AG")));
    assert_eq!(check["consultation_number"], "WAPIAAAAYxyz");
    let untaxed = json!([{"label": "0%", "rate_basis_points": 0, "base_amount": expected[4], "tax_amount": 0}]);
    assert_eq!(order["taxes"], untaxed);
    let asked = json!({"countryCode": "DE", "vatNumber": "136695976", "requesterMemberStateCode": "NL",
                       "requesterNumber": "004495445B01"});
    assert_eq!(vies.questions(), [asked], "whoever looks three times asks once");

    let invoice = ada.client.get(&format!("/invoices/{}", order["invoice"]["id"])).await.expect_status(200).json();
    let invoice = &invoice["data"];
    assert_eq!((&invoice["vat_id"], &invoice["reverse_charge"]), (&json!(GERMAN), &json!(true)));
    assert_eq!((&invoice["tax_amount"], &invoice["total_amount"]), (&json!(0), &json!(expected[4])));
    assert_eq!(record(&shop, &order).await.review_reason, None);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(prices_without_tax_stay_as_they_are_for_whoever_owes_it);
async fn prices_without_tax_stay_as_they_are_for_whoever_owes_it(backend: Backend) {
    let vies = Vies::start(Mood::Valid).await;
    let shop = shop(backend, false, DUTCH, &vies.config()).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, LINES, &to("DE", GERMAN)).await;
    assert_eq!(amounts(&order), [5500, 0, 495, 0, 5995]);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(tax_is_charged_unless_the_number_is_of_the_country_abroad_that_it_goes_to);
async fn tax_is_charged_unless_the_number_is_of_the_country_abroad_that_it_goes_to(backend: Backend) {
    let vies = Vies::start(Mood::Valid).await;
    let shop = shop(backend, true, DUTCH, &vies.config()).await;
    let ada = buyer(&shop).await;
    for (country, vat_id) in [("NL", "NL123456789B13"), ("NL", GERMAN), ("FR", GERMAN), ("DE", "GB980780684")] {
        let order = ada.place_with(&shop, LINES, &to(country, vat_id)).await;
        assert_eq!((&order["vat_id"], &order["reverse_charge"]), (&json!(vat_id), &json!(false)), "{country} {vat_id}");
        assert!(order["tax_amount"].as_i64() > Some(0), "{order}");
    }
    // A number from elsewhere is not known there.
    assert!(vies.questions().iter().all(|asked| asked["countryCode"] != "GB"));
    let delivered = json!({"billing": address("DE"), "shipping": address("NL"), "vat_id": GERMAN});
    assert_eq!(ada.place_with(&shop, LINES, &delivered).await["reverse_charge"], false, "the goods stay here");
    let book = ada.place_with(&shop, &[("book", 1)], &to("DE", GERMAN)).await;
    assert_eq!((&book["reverse_charge"], &book["total_amount"]), (&json!(true), &json!(1402)), "nothing is sent");
}

both_databases!(a_number_that_is_none_is_refused_and_nothing_is_placed);
async fn a_number_that_is_none_is_refused_and_nothing_is_placed(backend: Backend) {
    let vies = Vies::start(Mood::Invalid).await;
    let shop = shop(backend, true, DUTCH, &vies.config()).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, LINES).await;
    let before = rows(&shop).await;
    for vat_id in ["DE123", "DE136695977", "nonsense", GERMAN] {
        assert_eq!(refused_fields(ada.check_out(&to("DE", vat_id)).await), ["vat_id"], "{vat_id}");
        let path = format!("/checkout/requirements?country=DE&vat_id={vat_id}");
        assert_eq!(refused_fields(ada.client.get(&path).await), ["vat_id"], "{vat_id}");
    }
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 2));
    assert_eq!(vies.questions().len(), 2, "it is asked once about each that has the form of a number");
    let without = ada.check_out(&to("DE", " ")).await.expect_status(201).json();
    assert_eq!((&without["data"]["vat_id"], &without["data"]["vat_id_check"]), (&Value::Null, &Value::Null));
}

both_databases!(while_vies_does_not_answer_orders_are_taken_with_tax_and_flagged);
async fn while_vies_does_not_answer_orders_are_taken_with_tax_and_flagged(backend: Backend) {
    let vies = Vies::start(Mood::Valid).await;
    let shop = shop(backend, true, DUTCH, &vies.config()).await;
    let ada = buyer(&shop).await;
    // The last is waited for, and then left alone.
    for mood in [Mood::Unavailable, Mood::Failing, Mood::Nonsense, Mood::Empty, Mood::Silent, Mood::Silent] {
        vies.is(mood);
        let order = ada.place_with(&shop, LINES, &to("DE", GERMAN)).await;
        assert_eq!((&order["vat_id"], &order["reverse_charge"]), (&json!(GERMAN), &json!(false)), "{mood:?}");
        assert_eq!(order["vat_id_check"]["status"], "unavailable", "{mood:?}");
        assert_eq!(amounts(&order)[4], 5995);
        assert_eq!(record(&shop, &order).await.review_reason.as_deref(), Some("vat_id_not_checked"), "{mood:?}");
        assert!(history(&shop, &order).await.contains(&String::from("needs_review by system")));
    }
    assert_eq!(vies.questions().len(), 5, "who has not answered in time is left alone");
    shop.advance(stoa_core::chrono::TimeDelta::minutes(1));
    vies.is(Mood::Valid);
    let order = ada.place_with(&shop, LINES, &to("DE", GERMAN)).await;
    assert_eq!(order["reverse_charge"], true);
}

both_databases!(without_vies_the_form_of_a_number_has_to_do);
async fn without_vies_the_form_of_a_number_has_to_do(backend: Backend) {
    let shop = shop(backend, true, DUTCH, "").await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, LINES, &to("DE", GERMAN)).await;
    assert_eq!((&order["reverse_charge"], &order["vat_id_check"]["status"]), (&json!(true), &json!("unchecked")));
    assert_eq!(refused_fields(ada.check_out(&to("DE", "DE136695977")).await), ["vat_id"], "its check digit is wrong");
    let own = ada.place_with(&shop, LINES, &to("NL", "NL123456789B13")).await;
    assert_eq!(own["reverse_charge"], false);
}

both_databases!(a_shop_without_a_number_of_its_own_charges_tax);
async fn a_shop_without_a_number_of_its_own_charges_tax(backend: Backend) {
    let shop = shop(backend, true, None, "").await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, LINES, &to("DE", GERMAN)).await;
    assert_eq!((&order["reverse_charge"], &order["vat_id"]), (&json!(false), &json!(GERMAN)));
}

both_databases!(nobody_has_the_shop_ask_for_a_list_of_numbers);
async fn nobody_has_the_shop_ask_for_a_list_of_numbers(backend: Backend) {
    let vies = Vies::start(Mood::Valid).await;
    let shop = shop(backend, true, DUTCH, &vies.config()).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, LINES).await;
    for number in 0..30 {
        preview(&ada, "DK", &format!("DK{}", 10_000_000 + number)).await;
    }
    let path = "/checkout/requirements?country=DK&vat_id=DK20000000";
    ada.client.get(path).await.expect_status(429);
    assert_eq!(vies.questions().len(), 30);
    preview(&ada, "DK", "DK10000000").await;
    ada.client.get("/checkout/requirements?country=DK").await.expect_status(200);
}

both_databases!(doctor_tells_whether_numbers_can_be_checked);
async fn doctor_tells_whether_numbers_can_be_checked(backend: Backend) {
    let told = async |shop: &TestShop| {
        let mut found = Vec::new();
        for examination in shop.registry.examinations.iter().filter(|examination| examination.owner == "core") {
            found.extend(examination.run(&shop.parts).await.expect("the database can be read"));
        }
        let found = found.into_iter().filter(|finding| finding.check == "tax.vat_ids");
        found.map(|finding| format!("{:?}: {}", finding.state, finding.message)).collect::<Vec<_>>()
    };
    let vies = Vies::start(Mood::Valid).await;
    let open = shop(backend, true, DUTCH, &vies.config()).await;
    let found = told(&open).await;
    assert!(found.len() == 1 && found[0].starts_with("Ok: VIES answers"), "{found:?}");
    vies.is(Mood::Failing);
    assert!(told(&open).await[0].starts_with("Warning: VIES cannot be asked"));
    vies.is(Mood::Invalid);
    assert!(told(&open).await[0].starts_with("Failure: VIES does not know"));
    vies.is(Mood::Valid);
    let without = shop(backend, true, None, &vies.config()).await;
    let found = told(&without).await;
    assert!(found[0].starts_with("Warning: VIES is asked, but the shop has no VAT ID"), "{found:?}");
    let off = shop(backend, true, None, "").await;
    assert_eq!(told(&off).await, ["Ok: VIES is not asked about VAT IDs of customers"]);
}
