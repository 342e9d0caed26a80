//! Customers are told before a service of theirs is terminated.

use chrono::TimeDelta;
use stoa_core::customers::anonymize_customer;
use stoa_core::db::{Backend, DbError};
use stoa_core::entitlements::EntitlementEnded;
use stoa_core::jobs::run_job;
use stoa_core::prelude::*;
use stoa_core::testing::smtp_fake::{Received, SmtpFake};
use stoa_core::testing::{TestShop, both_databases};

use crate::setting::{Setting, buy, id, refund};

/// As if somebody had decided that it goes on.
const REVIVE: Sql = sql!(
    "UPDATE services_services SET over_at = NULL, over_reason = NULL, terminate_at = NULL, status = 'active' WHERE id = $1"
);

async fn setting(backend: Backend, smtp: &SmtpFake, config: &str) -> Setting {
    // The settings of the module come first.
    Setting::with(backend, &format!("{config}\n{}", smtp.config())).await
}

async fn tell_ending(shop: &TestShop) {
    let run = run_job(&shop.parts, &shop.registry.jobs, "services.tell_ending", shop.clock.clone()).await;
    run.expect("the database works");
}

/// What has been told of since the last look, besides what every order brings.
async fn told(setting: &Setting, smtp: &SmtpFake) -> Vec<Received> {
    setting.work().await;
    tell_ending(&setting.shop).await;
    tell_ending(&setting.shop).await;
    setting.work().await;
    let mut received = smtp.collect();
    received.retain(|mail| mail.header("Subject").is_some_and(|subject| subject.contains("will be removed")));
    received
}

async fn end(setting: &Setting, order: &serde_json::Value, customer_id: i64) {
    let order_line_id = id(&order["items"][0]);
    let event = EntitlementEnded { order_id: id(order), order_line_id, unit: 1, customer_id };
    let told = setting.shop.parts.db.write(async |tx| -> Result<(), DbError> { tx.emit(&event).await }).await;
    told.expect("the database can be written");
    setting.work().await;
}

async fn revive(setting: &Setting) {
    let changed = setting.shop.parts.db.write(async |tx| tx.run(REVIVE).bind(1_i64).execute().await).await;
    assert_eq!(changed.expect("it can be changed"), 1);
}

both_databases!(a_service_is_told_of_once_before_it_is_terminated);
async fn a_service_is_told_of_once_before_it_is_terminated(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let setting = setting(backend, &smtp, "").await;
    let (customer, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    refund(&setting.shop, &order, 1).await;
    assert_eq!(told(&setting, &smtp).await.len(), 0, "there are two weeks left");
    setting.shop.advance(TimeDelta::days(11) - TimeDelta::seconds(1));
    assert_eq!(told(&setting, &smtp).await.len(), 0);
    setting.shop.advance(TimeDelta::seconds(1));
    let mails = told(&setting, &smtp).await;
    assert_eq!((mails.len(), mails[0].to.as_slice()), (1, [customer.email].as_slice()));
    let text = "Hello Ada,\n\nyour service Plan small (SV-000001) has ended. On 29 January 2026 it will be removed for good, with \
                everything that is in it.\n\nPlease save by then what you want to keep.\n\nStoa";
    assert_eq!(mails[0].text().trim_end(), text);
    for _ in 0..3 {
        setting.shop.advance(TimeDelta::days(1));
        assert_eq!(told(&setting, &smtp).await.len(), 0);
    }
    assert_eq!(setting.statuses().await, ["terminated"]);
    setting.verify().await;
}

both_databases!(a_service_that_goes_on_and_is_to_end_again_is_told_of_again);
async fn a_service_that_goes_on_and_is_to_end_again_is_told_of_again(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let setting = setting(backend, &smtp, "").await;
    let (customer, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    setting.shop.command(&["services", "activate", "1"]).await.expect_success();
    end(&setting, &order, customer.id).await;
    setting.shop.advance(TimeDelta::days(12));
    assert_eq!(told(&setting, &smtp).await.len(), 1);
    revive(&setting).await;
    setting.shop.advance(TimeDelta::days(1));
    assert_eq!(told(&setting, &smtp).await.len(), 0);
    end(&setting, &order, customer.id).await;
    assert_eq!(told(&setting, &smtp).await.len(), 0);
    setting.shop.advance(TimeDelta::days(13));
    assert_eq!(told(&setting, &smtp).await.len(), 1);
}

both_databases!(instances_at_the_same_time_tell_once);
async fn instances_at_the_same_time_tell_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let setting = setting(backend, &smtp, "").await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 3).await;
    setting.work().await;
    refund(&setting.shop, &order, 3).await;
    setting.work().await;
    let other = setting.instance(backend, 2).await;
    setting.shop.advance(TimeDelta::days(13));
    tokio::join!(tell_ending(&setting.shop), tell_ending(&setting.shop), setting.shop.run_jobs(), other.run_jobs());
    assert_eq!(told(&setting, &smtp).await.len(), 3);
}

both_databases!(a_short_grace_time_is_told_of_at_once_and_none_not_at_all);
async fn a_short_grace_time_is_told_of_at_once_and_none_not_at_all(backend: Backend) {
    for (config, expected) in
        [("grace_days = 1", 1), ("grace_days = 0", 0), ("grace_days = 1\nterminate_notice_days = 0", 0)]
    {
        let smtp = SmtpFake::open().await;
        let setting = setting(backend, &smtp, config).await;
        let (_, client) = setting.customer().await;
        let order = buy(&setting.shop, &client, "small", 1).await;
        setting.work().await;
        refund(&setting.shop, &order, 1).await;
        assert_eq!(told(&setting, &smtp).await.len(), expected, "{config}");
    }
}

both_databases!(what_was_never_made_and_who_was_anonymized_are_not_told_of);
async fn what_was_never_made_and_who_was_anonymized_are_not_told_of(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let setting = setting(backend, &smtp, "").await;
    let (_, client) = setting.customer().await;
    let never_made = buy(&setting.shop, &client, "by-hand", 1).await;
    setting.work().await;
    refund(&setting.shop, &never_made, 1).await;
    let (gone, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    anonymize_customer(&setting.shop.parts.db, gone.id).await.expect("it is done");
    setting.work().await;
    setting.shop.advance(TimeDelta::days(12));
    assert_eq!(told(&setting, &smtp).await.len(), 0);
}

#[test]
fn an_impossible_number_of_days_stops_the_start() {
    let config = "[modules.services]\nterminate_notice_days = 4000";
    let refused = crate::setting::builder(Backend::Sqlite).config(config).freeze();
    let told = refused.err().expect("it is refused").to_string();
    assert!(told.contains("`modules.services.terminate_notice_days`") && told.contains("0 to 3650"), "{told}");
}
