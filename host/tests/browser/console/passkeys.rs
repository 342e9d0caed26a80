//! Somebody adds a passkey, logs in with it, and removes it again.

use chromiumoxide::cdp::browser_protocol::web_authn::{
    AddVirtualAuthenticatorParams, AuthenticatorProtocol, AuthenticatorTransport, EnableParams,
    VirtualAuthenticatorOptions,
};

use super::log_in;
use crate::storefront::shopper::{Script, Shopper, shop_by_name};

/// The one form of the page that a passkey is shown in.
const FORM: &str = "form[data-passkey]";

/// Gives the browser an authenticator that somebody unlocks whenever it asks.
async fn plug_in_an_authenticator(shopper: &Shopper) {
    let options = VirtualAuthenticatorOptions::builder()
        .protocol(AuthenticatorProtocol::Ctap2)
        .transport(AuthenticatorTransport::Internal)
        .has_resident_key(true)
        .has_user_verification(true)
        .is_user_verified(true)
        .automatic_presence_simulation(true);
    let options = options.build().expect("it is whole");
    shopper.visit.page.execute(EnableParams::default()).await.expect("there may be authenticators");
    shopper.visit.page.execute(AddVirtualAuthenticatorParams::new(options)).await.expect("there is one");
}

async fn log_out(shopper: &Shopper) {
    shopper.visit.click("form[action$='/logout'] button").await;
    shopper.sees("Log in").await;
}

async fn live_with_a_passkey(shopper: &Shopper) {
    plug_in_an_authenticator(shopper).await;
    log_in(shopper).await;
    shopper.go("/console/security").await;
    shopper.fill("Name of the new passkey", "Phone").await;
    shopper.visit.enter(&format!("{FORM} [name=current]"), "not the password").await;
    shopper.click("button", "Add a passkey").await;
    shopper.sees("The present password is not correct.").await;
    shopper.visit.enter(&format!("{FORM} [name=current]"), &shopper.visit.shop.operator_password).await;
    shopper.press("button", "Add a passkey").await;
    shopper.sees("Keep these recovery codes").await;
    assert!(shopper.has("article", "Phone").await, "{}", shopper.text().await);

    log_out(shopper).await;
    shopper.press("button", "Log in with a passkey").await;
    assert_eq!(shopper.path().await, "/console");
    log_out(shopper).await;
    log_in(shopper).await;
    assert_eq!(shopper.path().await, "/console/login/code");
    shopper.press("button", "Use a passkey").await;
    assert_eq!(shopper.path().await, "/console");

    shopper.go("/console/security").await;
    shopper.visit.click("details.more summary").await;
    shopper.visit.enter("details.more [name=current]", &shopper.visit.shop.operator_password).await;
    shopper.press("button", "Remove the passkey").await;
    shopper.sees("The passkey Phone is removed.").await;
    log_out(shopper).await;
    shopper.press("button", "Log in with a passkey").await;
    shopper.sees("The passkey was not taken, or it took too long.").await;
}

#[test]
fn somebody_adds_a_passkey_logs_in_with_it_and_removes_it() {
    let refused = [("/console/security/passkey", "422"), ("/console/login/passkey", "422")];
    shop_by_name(Script::On, &refused, live_with_a_passkey);
}

#[test]
fn without_a_script_there_is_no_button_for_passkeys() {
    shop_by_name(Script::Off, &[], async |shopper| {
        log_in(shopper).await;
        shopper.go("/console/security").await;
        shopper.sees("Passkeys need script").await;
        assert!(!shopper.has("button", "Add a passkey").await);
        shopper.go("/console/login").await;
        assert!(!shopper.has("button", "Log in with a passkey").await);
    });
}
