//! Providers that take their time, and who waits for them.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::orders::OrderNumber;
use stoa_core::testing::{both_databases, csrf_of, staff_browser};
use stoa_fakes::Fault;

use crate::till::Till;

both_databases!(who_refunds_in_the_console_waits_for_no_slow_provider_and_the_money_goes_back_once);
async fn who_refunds_in_the_console_waits_for_no_slow_provider_and_the_money_goes_back_once(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.paid().await;
    let shop = till.instance_with_console().await;
    let mut owner = staff_browser(&shop, "owner").await;
    let page = format!("/console/orders/{}", OrderNumber::of(begun.order_id));
    let shown = owner.get(&page).await.expect_status(200).text();
    let (_, rest) = shown.split_once("name=\"seen\" value=\"").expect("a form that knows what it was made from");
    let (seen, csrf) = (rest.split('"').next().expect("it ends"), csrf_of(&shown));
    let refund = format!("{page}/refund");
    let fields =
        [("csrf", csrf.as_str()), ("seen", seen), ("amount", "5.00"), ("reason", "It came late"), ("confirm", "1")];
    // The list of refunds is answered, and the refund itself is made without an answer.
    till.stripe.next(Fault::Pass);
    till.stripe.next(Fault::DoAndHang);
    owner.submit(&refund, &fields).await.expect_status(303);
    let told = owner.get(&page).await.expect_status(200).text();
    assert!(told.contains("The provider has not answered yet."), "{told}");
    assert!(told.contains("refund of €5.00"), "a page that is loaded again shows it: {told}");

    till.shop.advance(TimeDelta::minutes(5));
    till.reconcile().await;
    assert_eq!(till.states(begun.order_id).await.1, "partially_refunded");
    assert_eq!(till.stripe.refunds().len(), 1);
}
