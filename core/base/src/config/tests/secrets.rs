//! What is secret stays so, whatever is wrong.

use super::{config, refusal, refusal_of_variable};

#[test]
fn no_message_repeats_a_secret() {
    const SECRET: &str = "hunter2";
    for text in [
        "[payments.stripe]\nenabled = true\nsecret_key = 'hunter2'\nwebhok_secret = 'hunter2'",
        "[payments.stripe]\nsecret_key = hunter2",
        "[payments.stripe]\nsecret_key = 'hunter2",
        "[payments.stripe]\nsecret_key = ['hunter2']",
        "[payments.stripe]\nenabled = 'hunter2'",
        "[payments]\nstripe = 'hunter2'",
        "payments = 'hunter2'",
        "[payments.stripe]\nenabled = true\nsecret_key = 'hunter2'\nwebhook_secret = 'hunter2'",
        "[payments.stripe.secret_key]\nhunter = 'hunter2'",
        "[secrets]\nkey = 'hunter2'",
        "[secrets]\nkey = ['hunter2']",
        "[mail.smtp]\npassword = ['hunter2']",
        "[mail.smtp]\npassword = 'hunter2'",
        "[database]\nurl = 'postgre://shop:hunter2@db/stoa'",
        "[database]\nurl = 'postgres://shop:hunter2@d b/stoa'",
        "[limits]\nstore = 'redi://:hunter2@cache'",
        "[modules.x]\nenabled = 'hunter2'",
    ] {
        let said = refusal(text);
        assert!(!said.contains(SECRET), "{said}");
    }
    for (name, value) in
        [("STOA_SECRETS__KEY", SECRET), ("STOA_PAYMENTS__STRIPE__ENABLED", SECRET), ("STOA_PAYMENTS__STRIPE", SECRET)]
    {
        let said = refusal_of_variable(name, value);
        assert!(!said.contains(SECRET), "{said}");
    }
}

#[test]
fn debug_of_a_configuration_shows_no_secret() {
    let config = config(
        "[database]\nurl = 'postgres://shop:hunter2@db/stoa'\n\
         [payments.stripe]\nsecret_key = 'hunter2'\nwebhook_secret = 'hunter2'\n\
         [payments.paypal]\nclient_id = 'hunter2'\nclient_secret = 'hunter2'\nwebhook_id = 'hunter2'\n\
         [payments.mollie]\napi_key = 'hunter2'\nwebhook_secret = 'hunter2'\n\
         [mail.smtp]\nusername = 'u'\npassword = 'hunter2'\n\
         [limits]\nstore = 'redis://:hunter2@cache:6379'\n\
         [modules.x]\ntoken = 'hunter2'\n",
    );
    let shown = format!("{config:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
}
