//! What the operator is told.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::doctor::State;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::withdrawals::{WithdrawalNumber, accept_withdrawal, refund_withdrawal};
use stoa_core::{db::Sql, sql};

use crate::shelf::{EU, builder, buyer, filled, id, shop, with_modules};

const LOSE_UNITS: Sql = sql!("DELETE FROM withdrawal_units");

const FAIL_REFUNDS: Sql = sql!("UPDATE refunds SET status = 'failed'");

async fn finding(shop: &TestShop, check: &str) -> (State, String) {
    let mut findings = Vec::new();
    for examination in shop.registry.examinations.iter().filter(|examination| examination.owner == "core") {
        findings.extend(examination.run(&shop.parts).await.expect("the database can be read"));
    }
    let all = findings.into_iter().filter(|finding| finding.check == check).collect::<Vec<_>>();
    let worst = all.iter().max_by_key(|finding| finding.state).expect("the check is there");
    (worst.state, all.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; "))
}

both_databases!(a_withdrawal_that_waits_for_ten_days_is_told_and_measured);
async fn a_withdrawal_that_waits_for_ten_days_is_told_and_measured(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    ada.withdraw(&json!({"order_id": order["id"]})).await;
    shop.advance(TimeDelta::days(10) - TimeDelta::seconds(1));
    assert_eq!(finding(&shop, "withdrawals.waiting").await.0, State::Ok);
    assert!(shop.measured().await.contains("stoa_withdrawals_late 0"));
    shop.advance(TimeDelta::seconds(1));
    let (state, message) = finding(&shop, "withdrawals.waiting").await;
    assert_eq!(state, State::Warning);
    assert!(message.contains("1 withdrawal") && message.contains("14 days"), "{message}");
    let measured = shop.measured().await;
    for line in ["stoa_withdrawals_declared 1", "stoa_withdrawals_open 1", "stoa_withdrawals_late 1"] {
        assert!(measured.contains(line), "{measured}");
    }
}

both_databases!(settings_that_do_not_fit_together_are_told);
async fn settings_that_do_not_fit_together_are_told(backend: Backend) {
    let later = "[shop]\ndigital_without_waiver = \"later\"\n";
    let (state, message) = finding(&filled(builder(backend).config(later)).await, "withdrawals.settings").await;
    assert!(state == State::Warning && message.contains("digital_without_waiver"), "{message}");
    let (state, message) = finding(&shop(backend).await, "withdrawals.settings").await;
    assert!(state == State::Warning && message.contains("no receipt") && message.contains("no link"), "{message}");
    let smtp = SmtpFake::open().await;
    let url = "[shop]\norder_url = 'https://www.example.com/order/{number}?key={key}'\nconsumer_rights = 'eu'\n";
    let sound = filled(with_modules(smtp.shop(backend)).config(url)).await;
    assert_eq!(finding(&sound, "withdrawals.settings").await.0, State::Ok);
    assert_eq!(finding(&filled(builder(backend)).await, "withdrawals.settings").await.0, State::Ok);
}

both_databases!(lost_units_are_found);
async fn lost_units_are_found(backend: Backend) {
    let shop = filled(builder(backend).config(EU)).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    ada.withdraw(&json!({"order_id": order["id"]})).await;
    assert_eq!(shop.breaches().await, Vec::<String>::new());
    let lose = shop.parts.db.write(async |tx| tx.run(LOSE_UNITS).execute().await);
    lose.await.expect("they are lost");
    assert!(shop.breaches().await.iter().any(|breach| breach.contains("withdrawn_units")));
}

both_databases!(an_accepted_withdrawal_whose_refund_failed_waits_for_the_shop);
async fn an_accepted_withdrawal_whose_refund_failed_waits_for_the_shop(backend: Backend) {
    let shop = filled(builder(backend).config(EU)).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    let number = WithdrawalNumber::of(id(&ada.withdraw(&json!({"order_id": order["id"]})).await));
    accept_withdrawal(&shop.uses(), number).await.expect("it is accepted");
    assert!(shop.measured().await.contains("stoa_withdrawals_open 1"));
    refund_withdrawal(&shop.uses(), number).await.expect("it goes back");
    assert!(shop.measured().await.contains("stoa_withdrawals_open 0"));
    shop.parts.db.write(async |tx| tx.run(FAIL_REFUNDS).execute().await).await.expect("it is written");
    assert!(shop.measured().await.contains("stoa_withdrawals_open 1"));
}
