//! What decides whether a code can be used.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::discounts::{
    CreateDiscountError, DiscountRefusal, DiscountState, NewDiscount, Removal, Switch, create_discount,
    look_up_discount, release, remove_discount, switch_discount,
};
use stoa_core::money::{Currency, MoneyFormatter};
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestShop, both_databases};

use crate::placed::{place_for, reread, stored, unlimited};

both_databases!(case_and_blanks_around_a_code_do_not_matter);
async fn case_and_blanks_around_a_code_do_not_matter(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let discount = stored(&shop, &unlimited("Straße-10")).await;
    assert_eq!(discount.code, "Straße-10");
    for written in ["STRASSE-10", " straße-10 "] {
        let found = look_up_discount(&shop.parts.db, written).await.expect("it is read");
        assert_eq!(found.as_ref(), Some(&discount), "{written:?}");
    }
    for other in ["strasse", "strasse-10%", "", "strasse_10"] {
        assert_eq!(look_up_discount(&shop.parts.db, other).await.expect("it is read"), None, "{other:?}");
    }
    let again = shop.parts.db.write(async |tx| create_discount(tx, &unlimited("strasse-10")).await).await;
    assert!(matches!(again, Err(CreateDiscountError::Taken)), "{again:?}");
}

both_databases!(a_code_holds_from_its_first_moment_to_before_its_last);
async fn a_code_holds_from_its_first_moment_to_before_its_last(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let (start, end) = (shop.now() + TimeDelta::days(1), shop.now() + TimeDelta::days(2));
    let new = NewDiscount { valid_from: Some(start), valid_until: Some(end), ..unlimited("WINDOW") };
    let discount = stored(&shop, &new).await;
    let check = |now| discount.check(now, 1_000, 0);
    assert_eq!(check(start - TimeDelta::microseconds(1)), Err(DiscountRefusal::NotYet));
    assert_eq!(check(start), Ok(DiscountRule::Amount(100)));
    assert_eq!(check(end - TimeDelta::microseconds(1)), Ok(DiscountRule::Amount(100)));
    assert_eq!(check(end), Err(DiscountRefusal::Over));

    // Placing looks at the time again.
    assert_eq!(place_for(&shop, &discount, &customer).await, Err(DiscountRefusal::NotYet));
    shop.advance(TimeDelta::days(1));
    place_for(&shop, &discount, &customer).await.expect("it has begun");
    shop.advance(TimeDelta::days(1));
    assert_eq!(place_for(&shop, &discount, &customer).await, Err(DiscountRefusal::Over));
    assert_eq!(reread(&shop, &discount).await.uses, 1);
}

both_databases!(the_minimum_is_met_by_the_same_amount);
async fn the_minimum_is_met_by_the_same_amount(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let new = NewDiscount { minimum_amount: Some(2_500), ..unlimited("MINIMUM") };
    let discount = stored(&shop, &new).await;
    assert_eq!(discount.check(shop.now(), 2_500, 0), Ok(DiscountRule::Amount(100)));
    let refusal = discount.check(shop.now(), 2_499, 0).expect_err("a cent is missing");
    assert_eq!(refusal, DiscountRefusal::BelowMinimum { minimum_amount: 2_500 });
    let money = MoneyFormatter::new("en", Currency::EUR).expect("English is known");
    assert_eq!(
        refusal.violation(&money).on("discount_code").to_string(),
        "The discount code in the field “discount_code” is for orders of €25.00 or more, before discount and shipping."
    );
}

both_databases!(a_disabled_code_is_over_until_it_is_enabled);
async fn a_disabled_code_is_over_until_it_is_enabled(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (db, customer) = (&shop.parts.db, shop.customer().await);
    let discount = stored(&shop, &unlimited("SWITCH")).await;
    let off = switch_discount(db, " switch", Switch::Off).await.expect("it is written").expect("it is there");
    assert_eq!(off.state(shop.now()), DiscountState::Disabled);
    assert_eq!(off.check(shop.now(), 1_000, 0), Err(DiscountRefusal::Over));
    assert_eq!(place_for(&shop, &discount, &customer).await, Err(DiscountRefusal::Over));
    switch_discount(db, "SWITCH", Switch::On).await.expect("it is written").expect("it is there");
    place_for(&shop, &discount, &customer).await.expect("it is on");
    assert_eq!(switch_discount(db, "OTHER", Switch::On).await.expect("it is read"), None);
}

both_databases!(limits_hold_for_all_and_for_each_customer);
async fn limits_hold_for_all_and_for_each_customer(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let new = NewDiscount { max_uses: Some(3), max_uses_per_customer: Some(2), ..unlimited("THREE") };
    let discount = stored(&shop, &new).await;
    for _ in 0..2 {
        place_for(&shop, &discount, &ada).await.expect("a use is left");
    }
    assert_eq!(place_for(&shop, &discount, &ada).await, Err(DiscountRefusal::UsedUpByCustomer));
    place_for(&shop, &discount, &bob).await.expect("a use is left");
    assert_eq!(place_for(&shop, &discount, &bob).await, Err(DiscountRefusal::UsedUp));
    assert_eq!(place_for(&shop, &discount, &ada).await, Err(DiscountRefusal::UsedUpByCustomer));

    let used = reread(&shop, &discount).await;
    assert_eq!((used.uses, used.state(shop.now())), (3, DiscountState::UsedUp));
    assert_eq!(used.check(shop.now(), 1_000, 0), Err(DiscountRefusal::UsedUp));
    assert_eq!(used.check(shop.now(), 1_000, 2), Err(DiscountRefusal::UsedUpByCustomer));
}

both_databases!(only_a_code_that_no_order_has_used_is_removed);
async fn only_a_code_that_no_order_has_used_is_removed(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (db, customer) = (&shop.parts.db, shop.customer().await);
    let used = stored(&shop, &unlimited("USED")).await;
    let order_id = place_for(&shop, &used, &customer).await.expect("it can be used");
    stored(&shop, &unlimited("UNUSED")).await;
    assert_eq!(remove_discount(db, "used").await.expect("it is read"), Removal::Used);
    db.write(async |tx| release(tx, order_id).await).await.expect("it is released");
    assert_eq!(remove_discount(db, "used").await.expect("it is read"), Removal::Used, "the order still names it");
    assert_eq!(remove_discount(db, "unused").await.expect("it is read"), Removal::Removed);
    assert_eq!(remove_discount(db, "unused").await.expect("it is read"), Removal::Unknown);
}

both_databases!(a_code_that_was_removed_meanwhile_is_unknown);
async fn a_code_that_was_removed_meanwhile_is_unknown(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let discount = stored(&shop, &unlimited("GONE")).await;
    assert_eq!(remove_discount(&shop.parts.db, "GONE").await.expect("it is read"), Removal::Removed);
    assert_eq!(place_for(&shop, &discount, &customer).await, Err(DiscountRefusal::Unknown));
}
