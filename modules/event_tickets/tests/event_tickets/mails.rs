//! Tickets in the mail about a payment.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_event_tickets::EventTickets;

use crate::kit::{buyer, pay, product};

both_databases!(tickets_go_along_with_the_mail_about_the_payment);
async fn tickets_go_along_with_the_mail_about_the_payment(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).module::<EventTickets>().open().await;
    shop.stock(&[product("standing", &json!({"capacity": 100}))]).await;
    let ada = buyer(&shop).await;
    for (units, files) in [(2, 3), (51, 1)] {
        let order = ada.place(&shop, "standing", units).await;
        shop.run_jobs().await;
        smtp.only();
        pay(&shop, &order).await;
        shop.run_jobs().await;
        // The mail may have been written before the tickets were issued, and then looks for them again.
        shop.advance(TimeDelta::seconds(3));
        shop.run_jobs().await;
        let mail = smtp.only();
        let said = if files > 1 {
            "Your tickets are attached as PDF"
        } else {
            "You find all of your tickets under your order"
        };
        for text in [mail.text(), mail.html()] {
            assert!(
                text.contains(said) && text.contains(&format!("{units} × Symposium")) && text.contains("Agora"),
                "{text}"
            );
        }
        let attached = mail.files();
        assert_eq!(
            attached.len(),
            files,
            "the invoice and the tickets: {:?}",
            attached.iter().map(|file| &file.0).collect::<Vec<_>>()
        );
        assert!(attached.iter().all(|(_, kind, content)| kind == "application/pdf" && content.starts_with(b"%PDF")));
        if files > 1 {
            assert!(attached.iter().any(|(name, ..)| name == "ET-000001.pdf"), "they are called after their numbers");
        }
    }
}
