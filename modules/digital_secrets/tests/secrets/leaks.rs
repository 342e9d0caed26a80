//! No value is found where it does not belong.

use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

use serde_json::json;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;
use tracing_subscriber::filter::LevelFilter;

use crate::shelf::{MARK, add, assert_sound, builder, buyer, keyed, refund, values};

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LINES.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps all that is logged from now on, down to the smallest trace.
fn keep_log() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let logs = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_ansi(false).with_writer(|| Lines);
        logs.init();
    });
}

/// A shop that tells an endpoint and its customers about orders; neither can be reached.
const TOLD: &str = "[mail]\nfrom = \"Shop <shop@example.com>\"\n[mail.smtp]\nhost = \"127.0.0.1\"\nport = 9\n\
    [webhooks]\nallow_private_destinations = true\n\
    [[webhooks.endpoints]]\nname = \"office\"\nurl = \"http://127.0.0.1:9/hook\"\nevents = [\"*\"]\n\
    secret = \"whsec_0123456789012345678901234567890123456789\"\n";

const EVENTS: Sql =
    sql!("SELECT COALESCE(CAST(payload AS TEXT), '') || COALESCE(last_error, '') FROM tasks WHERE lane = 'events'");
const INVOICES: Sql = sql!("SELECT CAST(module_settings AS TEXT) || CAST(options AS TEXT) || label FROM order_lines");
const WEBHOOKS: Sql = sql!("SELECT event || ' ' || body FROM webhook_deliveries");
const MAILS: Sql = sql!("SELECT recipient || ' ' || subject FROM mail_messages");
const REVEALS: Sql = sql!("SELECT route FROM digital_secrets_reveals");
const CHANGES: Sql = sql!("SELECT COALESCE(reason, '') FROM digital_secrets_changes");

both_databases!(no_value_is_logged_or_stored_in_the_clear);
async fn no_value_is_logged_or_stored_in_the_clear(backend: Backend) {
    keep_log();
    let shop = builder(backend).config(TOLD).open().await;
    shop.stock(&[keyed("font", &json!({}))]).await;
    add(&shop, "font", &values(1, 5)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 2)]).await;
    assert_eq!(ada.values().await, values(1, 2));
    let id = ada.secrets().await[0]["id"].to_string();
    shop.command(&["digital-secrets", "replace", &id]).await.expect_success();
    shop.command(&["digital-secrets", "rotate-key"]).await.expect_success();
    refund(&shop, order_id, 1).await;
    shop.run_jobs().await;
    for (sql, least) in [(EVENTS, 0), (INVOICES, 1), (REVEALS, 2), (CHANGES, 1), (WEBHOOKS, 3), (MAILS, 2)] {
        let texts = shop.parts.db.read(sql).scalars::<String>().await.expect("it is read");
        assert!(texts.len() >= least, "{texts:?}");
        assert!(!texts.iter().any(|text| text.contains(MARK)), "{texts:?}");
    }
    let order = ada.client.get(&format!("/orders/{order_id}")).await.expect_status(200).text();
    assert!(!order.contains(MARK), "{order}");
    tracing::info!("the control: what is logged is seen");
    let logged = LINES.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let logged = String::from_utf8_lossy(&logged);
    assert!(logged.contains("the control: what is logged is seen"));
    let found = logged.lines().filter(|line| line.contains(MARK)).collect::<Vec<_>>();
    assert_eq!(found, [""; 0]);
    assert_sound(&shop).await;
}
