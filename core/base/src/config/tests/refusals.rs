//! What is wrong beyond single values, and how it is told.

use super::{AUTHORITY, ConfigFolder, config, message, refusal, refusal_of_variable};
use crate::config::Config;

#[test]
fn two_shipping_methods_cannot_have_one_id() {
    let method = "[[shipping.methods]]\nid = 'a'\nlabel = 'A'\namount = 1\n";
    assert_eq!(
        refusal(&method.repeat(2)),
        "config.toml:6:1: `shipping.methods[1].id`: another shipping method has this id already; choose a new one"
    );
}

#[test]
fn a_gateway_cannot_be_enabled_without_its_keys() {
    let mend = "copy it from the provider's dashboard, or set `enabled = false`";
    let needed = format!("this is needed while the gateway is enabled; {mend}");
    assert_eq!(
        refusal("[payments.stripe]\nenabled = true\n"),
        format!(
            "2 problems in the configuration:\n\
             config.toml:2:1: `payments.stripe.secret_key`: {needed}\n\
             config.toml:2:1: `payments.stripe.webhook_secret`: {needed}"
        )
    );
    assert_eq!(
        refusal("[payments.mollie]\nenabled = true\napi_key = '  '\n"),
        format!(
            "config.toml:3:1: `payments.mollie.api_key`: this is empty, and needed while the gateway is enabled; {mend}"
        )
    );
    let told = refusal_of_variable("STOA_PAYMENTS__PAYPAL__ENABLED", "true");
    let expected = format!("STOA_PAYMENTS__PAYPAL__ENABLED: `payments.paypal.client_id`: {needed}");
    assert_eq!(told.lines().nth(1), Some(expected.as_str()));
}

#[test]
fn a_gateway_cannot_be_enabled_with_a_key_that_is_too_short_or_damaged() {
    for (text, expected) in [
        (
            "[payments.stripe]\nenabled = true\nsecret_key = 'sk_live'\nwebhook_secret = 'whsec_0123456789'",
            "config.toml:3:1: `payments.stripe.secret_key`: this is too short for a key: at least 8 characters were \
             expected",
        ),
        (
            "[payments.stripe]\nenabled = true\nsecret_key = 'sk_live_1'\nwebhook_secret = 'whsec_012345678'",
            "config.toml:4:1: `payments.stripe.webhook_secret`: this is too short for a key: at least 16 characters were \
             expected",
        ),
        (
            "[payments.mollie]\nenabled = true\napi_key = 'live_12'",
            "config.toml:3:1: `payments.mollie.api_key`: this is too short for a key: at least 8 characters were expected",
        ),
        (
            "[payments.mollie]\nenabled = true\napi_key = 'live_123'\nwebhook_secret = '0123456789abcde'",
            "config.toml:4:1: `payments.mollie.webhook_secret`: this is too short for a key: at least 16 characters were \
             expected",
        ),
        (
            "[payments.mollie]\nenabled = true\napi_key = 'live_123'\nwebhook_secret = ''",
            "config.toml:4:1: `payments.mollie.webhook_secret`: this is empty, and needed while the gateway is enabled",
        ),
        (
            "[payments.paypal]\nenabled = true\nclient_id = 'a'\nclient_secret = '1234567'\nwebhook_id = 'w'",
            "config.toml:4:1: `payments.paypal.client_secret`: this is too short for a key: at least 8 characters were \
             expected",
        ),
        (
            "[payments.paypal]\nenabled = true\nclient_id = ' '\nclient_secret = '12345678'\nwebhook_id = 'w'",
            "config.toml:3:1: `payments.paypal.client_id`: this is empty, and needed while the gateway is enabled",
        ),
        (
            "[payments.mollie]\nenabled = true\napi_key = \"live_1234567\\n\"",
            "config.toml:3:1: `payments.mollie.api_key`: this holds a blank, a line break or another character that no \
             key has",
        ),
    ] {
        let told = refusal(text);
        let mend = told.strip_prefix(expected).unwrap_or_else(|| panic!("{told} for {text}"));
        assert!(mend.contains("copied") || mend.contains("copy it"), "{told}");
    }
}

#[test]
fn keys_come_from_the_environment_too() {
    let place = ConfigFolder::with_config("[payments.stripe]\nenabled = true\nsecret_key = 'sk_live_1'\n");
    let load = |secret| Config::load(place.sources().environment([("STOA_PAYMENTS__STRIPE__WEBHOOK_SECRET", secret)]));
    let stripe = load("whsec_0123456789").expect("both keys are there").config.payments.stripe;
    assert_eq!(stripe.webhook_secret.expect("it was read").expose(), "whsec_0123456789");
    for (secret, complaint) in [("whsec_", "this is too short for a key"), ("", "this is empty")] {
        let said = message(load(secret));
        let place = "STOA_PAYMENTS__STRIPE__WEBHOOK_SECRET: `payments.stripe.webhook_secret`: ";
        assert!(said.starts_with(&format!("{place}{complaint}")), "{said}");
    }
}

#[test]
fn a_gateway_that_is_off_needs_no_keys() {
    let config = config("[payments.stripe]\nwebhook_secret = ''\n");
    assert!(!config.payments.stripe.enabled);
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    for (text, expected) in [
        (
            "[accounts.sessions]\nidle_minutes = 90\nabsolute_minutes = 60",
            "config.toml:2:1: `accounts.sessions.idle_minutes`: this is longer than a whole session lasts, 60 \
             minutes; lower it, or raise `absolute_minutes`",
        ),
        (
            "[accounts.sessions]\nabsolute_minutes = 60",
            "config.toml:2:1: `accounts.sessions.idle_minutes`: this is longer than a whole session lasts, 60 \
             minutes; lower it, or raise `absolute_minutes`",
        ),
        (
            "[mail.smtp]\nhost = 'smtp.example.com'",
            "config.toml:1:7: `mail.from`: a sender is needed when there is a mail server, such as \"Shop <shop@example.com>\"",
        ),
        (
            "[mail]\nfrom = 'a@b.example'\n[mail.smtp]\nhost = 'smtp.example.com'\nusername = 'x'",
            "config.toml:5:1: `mail.smtp.password`: a user name needs a password; set it, or leave the user name out",
        ),
    ] {
        assert_eq!(refusal(text), expected);
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once_in_the_order_of_the_file() {
    let text = "\
[server]
lissten = '127.0.0.1:1'
metrics = 'yes'

[[shipping.methods]]
id = 'a'
label = 5
amount = -1

[shopp]

[modules.inventory]
enabled = 'on'
";
    let place = ConfigFolder::with_config(text);
    let sources = place.sources().environment([("STOA_WORKER__ENABLED", "perhaps")]).flag("log.format", "xml");
    assert_eq!(
        message(Config::load(sources)),
        "8 problems in the configuration:\n\
         config.toml:2:1: unknown key `server.lissten`; did you mean `listen`?\n\
         config.toml:3:1: `server.metrics` must be `true` or `false`, not \"yes\"\n\
         config.toml:7:1: `shipping.methods[0].label` must be a line of text, 1 to 255 characters, not 5\n\
         config.toml:8:1: `shipping.methods[0].amount` must be a whole number from 0 to 1000000000000000, not -1\n\
         config.toml:10:2: unknown key `shopp`; did you mean `shop`?\n\
         config.toml:13:1: `modules.inventory.enabled` must be `true` or `false`, not this text\n\
         STOA_WORKER__ENABLED: `worker.enabled` must be `true` or `false`, not \"perhaps\"\n\
         command line: `log.format` must be \"text\" or \"json\", not \"xml\""
    );
}

#[test]
fn a_misspelled_key_is_not_told_as_missing_too() {
    let said = refusal("[payments.stripe]\nenabled = true\nwebhook_secret = 'whsec_0123456789'\nsecretkey = 'sk'\n");
    assert_eq!(said, "config.toml:4:1: unknown key `payments.stripe.secretkey`; did you mean `secret_key`?");
}

#[test]
fn what_stands_in_a_file_twice_is_told_by_name() {
    let second = "stands here for the second time; put what belongs to it below the first one";
    for (text, told) in [
        ("[server]\nlisten = '127.0.0.1:1'\nlisten = '127.0.0.1:2'\n", "config.toml:3:1: `listen`"),
        ("[shop]\nname = 'A'\n[seller]\nname = 'A'\n[seller]\niban = 'X'\n", "config.toml:5:2: `seller`"),
    ] {
        assert_eq!(refusal(text), format!("{told} {second}"));
    }
}

#[test]
fn broken_toml_is_told_with_its_line() {
    for (text, place) in [
        ("[server\nlisten = 1\n", "config.toml:1:8: "),
        ("[server]\nlisten = \n", "config.toml:2:"),
        ("[server]\nmetrics = yes\n", "config.toml:2:11: "),
        ("[shop]\nname = \"Ä\" 5\n", "config.toml:2:12: "),
    ] {
        let said = refusal(text);
        assert!(
            said.starts_with(&format!("{place}this is not valid TOML: ")) || said.starts_with(place),
            "{text}\n{said}"
        );
        assert!(said.contains("this is not valid TOML: "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn who_writes_yes_is_told_how_toml_says_it() {
    for word in ["yes", "No", "off", "True"] {
        let said = refusal(&format!("[server]\nmetrics = {word}\n"));
        assert!(said.ends_with("; yes and no are written as `true` and `false`"), "{said}");
    }
    let said = refusal("[shop]\nname = nobody\n");
    assert!(!said.contains("`true`"), "{said}");
}

#[test]
fn a_misspelled_key_of_a_list_element_is_not_told_as_missing_too() {
    assert_eq!(
        refusal("[[shipping.methods]]\nid = 'a'\nlable = 'A'\namount = 1\n"),
        "config.toml:3:1: unknown key `shipping.methods[0].lable`; did you mean `label`?"
    );
    assert_eq!(
        refusal("[[shipping.methods]]\nid = 'a'\nlabel = 'A'\nzebra = 1\n"),
        "2 problems in the configuration:\n\
         config.toml:1:1: `shipping.methods[0].amount` is missing\n\
         config.toml:4:1: unknown key `shipping.methods[0].zebra`\n  \
         known there: `id`, `label`, `amount`, `countries`, `free_from`"
    );
}

#[test]
fn a_file_of_authorities_without_a_certificate_is_refused() {
    let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let cut = AUTHORITY.split_once("-----END").expect("it has an end").0;
    for (content, expected) in [
        ("", "holds no certificate; one in PEM begins with `-----BEGIN CERTIFICATE-----`"),
        ("no certificate", "holds no certificate; one in PEM begins"),
        (key, "holds no certificate; one in PEM begins"),
        (broken, "holds a certificate that cannot be used: "),
        (cut, "holds a certificate that cannot be used: "),
        (&format!("{AUTHORITY}{broken}"), "holds a certificate that cannot be used: "),
    ] {
        for (section, key) in [("webhooks", "webhooks.extra_ca_file"), ("mail.smtp", "mail.smtp.extra_ca_file")] {
            let text = format!("[{section}]\nextra_ca_file = 'ca.pem'\n");
            let place = ConfigFolder::with_config(&text).with_file("ca.pem", content);
            let told = message(place.load());
            let begins =
                format!("config.toml:2:1: `{key}`: the file {} {expected}", place.path().join("ca.pem").display());
            assert!(told.starts_with(&begins), "{content}: {told}");
        }
    }
}

#[test]
fn a_file_may_hold_several_authorities() {
    let text = "[webhooks]\nextra_ca_file = 'ca.pem'\n[mail.smtp]\nextra_ca_file = 'ca.pem'\n";
    let place = ConfigFolder::with_config(text).with_file("ca.pem", format!("# Ours\n{AUTHORITY}\n{AUTHORITY}"));
    place.load().expect("it is right");
}

#[test]
fn consents_are_told_apart_and_read_in_the_shops_own_language() {
    let terms = "[[shop.consents]]\nid = 'terms'\nversion = '1'\nlabel = { en = 'I accept.' }\n";
    assert_eq!(
        refusal(&format!("{terms}{terms}")),
        "config.toml:6:1: `shop.consents[1].id`: another consent has this id already; choose a new one"
    );
    assert_eq!(
        refusal(&format!("[shop]\nlocale = 'de-AT'\n{terms}")),
        "config.toml:6:1: `shop.consents[0].label`: the shop's own language, `de`, is missing; add de = \"…\""
    );
    assert!(refusal(&terms.replace("{ en = 'I accept.' }", "{}")).contains("{ en = \"I agree.\" }"));
    for (line, wrong) in [
        ("url = 'terms'", "url"),
        ("url = '//evil.example'", "url"),
        ("when = 'never'", "when"),
        ("version = '1 a'", "version"),
    ] {
        let text = terms.replace("version = '1'\n", if wrong == "version" { "" } else { "version = '1'\n" });
        let said = refusal(&format!("{text}{line}\n"));
        assert!(said.contains(&format!("`shop.consents[0].{wrong}`")), "{said}");
    }
}

#[test]
fn a_series_for_each_instance_needs_a_name_that_stands_in_both_prefixes() {
    let numbered = "[invoices]\nprefix = 'INV-{instance}'\ncredit_note_prefix = 'CN-{instance}'\n";
    let config = config(&format!("{numbered}series = 'instance'\ninstance = 'A'")).invoices;
    assert_eq!(config.prefix_of(&config.credit_note_prefix), "CN-A");
    for (text, expected) in [
        (
            format!("{numbered}series = 'instance'"),
            "config.toml:4:1: `invoices.instance`: a series for each instance needs the name",
        ),
        (
            String::from("[invoices]\nseries = 'instance'\ninstance = 'A'"),
            "`invoices.prefix`: two instances would give out the same numbers",
        ),
        (
            String::from(numbered),
            "config.toml:2:1: `invoices.prefix`: `{instance}` has no meaning while the shop has one series",
        ),
        (numbered.replace("CN", "INV"), "`invoices.credit_note_prefix`: invoices have this prefix already"),
        (String::from("[invoices]\nprefix = '{instance}-A'"), "`invoices.prefix` must be 1 to 12 capital letters"),
        (
            String::from("[invoices]\ninstance = 'a-b'"),
            "`invoices.instance` must be 1 to 12 capital letters and digits",
        ),
    ] {
        assert!(refusal(&text).contains(expected), "{}", refusal(&text));
    }
}

#[test]
fn a_bucket_needs_a_key_and_a_key_a_bucket() {
    let access = "[media.s3]\naccess_key_id = 'a'\nsecret_access_key = 'b'\n";
    let bucket = config(&format!("[media]\nurl = 's3://my-shop/a/b/'\n{access}")).media.bucket().expect("there is one");
    assert_eq!(bucket.to_string(), "s3://my-shop/a/b");
    for (text, expected) in [
        (String::from("[media]\nurl = 's3://my-shop'"), "config.toml:2:1: `media.s3`: a bucket needs [media.s3]"),
        (String::from(access), "`media.url`: [media.s3] does not say which bucket; write url = \"s3://BUCKET/FOLDER\""),
        (
            format!("[media]\nurl = 's3://my-shop'\n{access}endpoint = 'minio:9000'"),
            "`media.s3.endpoint`: must be an http or https URL",
        ),
        (String::from("[media]\nurl = 'https://my-shop'"), "`media.url` must be a bucket and a folder in it"),
        (format!("[media]\nurl = 's3://my-shop/../x'\n{access}"), "`media.url` must be a bucket and a folder in it"),
    ] {
        assert!(refusal(&text).contains(expected), "{}", refusal(&text));
    }
}

#[test]
fn a_purge_needs_something_that_is_kept_and_headers_that_can_be() {
    let cache = "[catalog]\ncache = { shared_seconds = 60 }\n";
    let purge = "[[catalog.purge]]\nurl = 'https://cdn.example/purge'\n";
    config(&format!("{cache}{purge}method = 'PURGE'"));
    for (text, expected) in [
        (String::from(purge), "`catalog.cache`: no cache keeps anything without `catalog.cache`; add cache"),
        (
            format!("{cache}{purge}{purge}"),
            "`catalog.purge[1].url`: another `[[catalog.purge]]` has this address already",
        ),
        (
            format!("{cache}{purge}kind = 'fastly'\nmethod = 'PUT'"),
            "`catalog.purge[0].method`: the interface of this kind takes POST alone",
        ),
        (format!("{cache}{purge}headers = {{ 'a b' = 'c' }}"), "this is no name of a header"),
        (format!("{cache}{purge}kind = 'akamai'"), "`catalog.purge[0].kind`"),
        (format!("{cache}{purge}headers = {{ X-Token = ['geheim'] }}"), "`catalog.purge[0].headers.X-Token`"),
        (
            format!("{cache}[[catalog.purge]]\nurl = 'cdn.example'"),
            "`catalog.purge[0].url` must be an address with http:// or https://",
        ),
    ] {
        let said = refusal(&text);
        assert!(said.contains(expected) && !said.contains("geheim"), "{said}");
    }
}
