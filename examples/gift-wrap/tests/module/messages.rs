//! What others are told: customers in the mail about a payment, programs by webhooks.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::webhooks::{DeliveryFilter, EndpointKind, NewEndpoint, add_endpoint, list_deliveries};
use stoa_gift_wrap::GiftWrap;

use crate::shelf::{builder, ordered, stocked, wish};

both_databases!(the_mail_about_a_payment_says_that_it_is_wrapped);
async fn the_mail_about_a_payment_says_that_it_is_wrapped(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = stocked(smtp.shop(backend).module::<GiftWrap>()).await;
    let ada = shop.client().token(&shop.customer().await, &["*"]).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    let order = ordered(&ada).await["data"]["id"].as_i64().expect("an id");
    record_payment(&Payments::from_shop(&shop.parts), order).await.expect("it is recorded");
    shop.run_jobs().await;
    let paid =
        smtp.collect().into_iter().find(|mail| mail.text().contains("received your payment")).expect("it is told");
    for text in [paid.text(), paid.html()] {
        assert!(text.contains("Gift wrapping") && text.contains("We wrap it as you have wished"), "{text}");
        assert!(!text.contains("Happy birthday"), "{text}");
    }
}

both_databases!(endpoints_subscribe_to_the_modules_own_events);
async fn endpoints_subscribe_to_the_modules_own_events(backend: Backend) {
    let hooks = "[webhooks]\nallow_private_destinations = true\n\
                 [[webhooks.endpoints]]\nname = 'books'\nurl = 'http://127.0.0.1:9/hook'\nsecret = 'a secret of the shop'\n\
                 events = ['gift_wrap.requested']\n";
    let shop = stocked(builder(backend).config(hooks)).await;
    for (kind, events) in [(EndpointKind::Chat, ["gift_wrap.requested"]), (EndpointKind::Http, ["order.paid"])] {
        let events = events.map(str::to_owned).to_vec();
        let new = NewEndpoint { url: String::from("http://127.0.0.1:9/hook"), kind, events, secret: None };
        let parts = &shop.parts;
        add_endpoint(&parts.db, &parts.random, &parts.cipher, &parts.config, new).await.expect("it is added");
    }
    let ada = crate::shelf::customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    let told = list_deliveries(&shop.parts.db, &DeliveryFilter::default(), 10).await.expect("they are read");
    assert_eq!(told.len(), 2, "{told:?}");
    let bodies = told.iter().map(|one| serde_json::from_str::<serde_json::Value>(&one.body).expect("JSON"));
    let (chat, program) = bodies.partition::<Vec<_>, _>(|body| body["embeds"].is_array());
    assert_eq!(chat[0]["embeds"][0]["title"], "A gift is to be wrapped");
    assert_eq!(program[0]["type"], "gift_wrap.requested");
    assert_eq!(program[0]["data"], json!({"wish_id": 1, "product_id": 1, "paper": "stars"}));
    let document = shop.client().get("/openapi.json").await.expect_status(200).json();
    let types = document["x-webhooks"].as_array().expect("a list");
    let own = types.iter().find(|one| one["type"] == "gift_wrap.requested").expect("it is listed");
    assert_eq!(own["data"]["$ref"], "#/components/schemas/GiftWrapRequestedData");
    assert_eq!(document["components"]["schemas"]["GiftWrapRequestedData"]["properties"]["paper"]["type"], "string");
}

#[test]
fn an_event_that_nobody_has_refuses_the_start() {
    let hooks = "[[webhooks.endpoints]]\nname = 'books'\nurl = 'https://hooks.example/1'\nsecret = 'a secret of the shop'\n\
                 events = ['gift_wrap.requestet']\n";
    let refused = builder(Backend::Sqlite).config(hooks).freeze().err().expect("it is refused").to_string();
    for words in ["`books`", "there is no event `gift_wrap.requestet`", "gift_wrap.requested"] {
        assert!(refused.contains(words), "{words}\n{refused}");
    }
}
