//! Looking through all documents finds what must not be.

use stoa_core::db::{Backend, Sql};
use stoa_core::invoices::verify_documents;
use stoa_core::refunds::RefundScope;
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{buyer, refund, shop};

const SKIP_NUMBER: Sql = sql!("UPDATE number_series SET last = last + 1 WHERE series = 'invoices'");
const MOVE_NUMBER: Sql = sql!("UPDATE invoices SET sequence = 4 WHERE sequence = 2");
const CHANGE_TOTAL: Sql = sql!("UPDATE invoices SET total_amount = total_amount + 1 WHERE sequence = 1");
const CHANGE_CREDITED: Sql = sql!("UPDATE invoices SET credited_amount = credited_amount - 1 WHERE sequence = 1");
const LOSE_NOTE: Sql = sql!("DELETE FROM credit_notes WHERE sequence = 1");
const LOSE_INVOICE: Sql = sql!("DELETE FROM invoices WHERE sequence = 2");
const REPEAT_NUMBER: Sql = sql!("UPDATE credit_notes SET number = 'INV-2026-000002'");
const CHANGE_STATUS: Sql = sql!("UPDATE invoices SET status = 'void' WHERE sequence = 2");

async fn damaged(shop: &TestShop, sql: Sql) -> Vec<String> {
    let db = &shop.parts.db;
    assert_eq!(verify_documents(db).await.expect("they are looked through"), []);
    db.write(async |tx| tx.run(sql).execute().await).await.expect("it is damaged");
    let problems = verify_documents(db).await.expect("they are looked through");
    problems.iter().map(ToString::to_string).collect()
}

both_databases!(damage_is_found_and_named);
async fn damage_is_found_and_named(backend: Backend) {
    for (sql, expected) in [
        (SKIP_NUMBER, "invoices of 2026: the counter stands at 3, and the highest number is 2"),
        (MOVE_NUMBER, "invoices of 2026: these numbers are missing: 2 to 3"),
        (CHANGE_TOTAL, "INV-2026-000001: its document has other amounts"),
        (CHANGE_CREDITED, "INV-2026-000001: 99 counts as credited, and its credit notes come to 100"),
        (LOSE_NOTE, "credit notes of 2026: the counter stands at 1, and the highest number is 0"),
        (LOSE_NOTE, "refund 1: it has no credit note of its amount"),
        (LOSE_INVOICE, "order 2: it has no invoice"),
        (REPEAT_NUMBER, "INV-2026-000002: 2 documents have this number"),
        (CHANGE_STATUS, "INV-2026-000002: status, customer or amounts are not those of its order"),
    ] {
        let shop = shop(backend).await;
        let ada = buyer(&shop).await;
        let order = ada.buy(&shop, &[("lamp", 1)]).await;
        ada.place(&shop, &[("book", 1)]).await;
        refund(&shop, &order, RefundScope::Amount(100)).await;
        let found = damaged(&shop, sql).await;
        assert!(found.iter().any(|problem| problem == expected), "{expected:?} is missing in {found:?}");
    }
}
