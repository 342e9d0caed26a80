//! Keys that do not exist, and those that were meant.

use super::refusal;

/// Typing errors, and the key that was meant.
#[rustfmt::skip] // One case a line.
const TYPING_ERRORS: [(&str, &str, &str); 24] = [
    ("[server]\nlissten = '127.0.0.1:1'", "server.lissten", "listen"),
    ("[server]\nbase_ulr = 'http://x.example'", "server.base_ulr", "base_url"),
    ("[server]\nbaseUrl = 'http://x.example'", "server.baseUrl", "base_url"),
    ("[serve]\nlisten = '127.0.0.1:1'", "serve", "server"),
    ("[module.inventory]\nenabled = true", "module", "modules"),
    ("[shop]\ncurency = 'EUR'", "shop.curency", "currency"),
    ("[database]\nuri = 'sqlite://x.db'", "database.uri", "url"),
    ("[webhooks]\nallow_private_destination = true", "webhooks.allow_private_destination", "allow_private_destinations"),
    ("[webhooks]\ndns_server = ['127.0.0.1:53']", "webhooks.dns_server", "dns_servers"),
    ("[worker]\nenable = false", "worker.enable", "enabled"),
    ("[payments.stripe]\nsecretkey = 'sk'", "payments.stripe.secretkey", "secret_key"),
    ("[payments.strpe]\nenabled = false", "payments.strpe", "stripe"),
    ("[limits]\ncatalogs = { requests = 1, per_seconds = 1 }", "limits.catalogs", "catalog"),
    ("[limits.token_creation]\nrequest = 1\nper_seconds = 1", "limits.token_creation.request", "requests"),
    ("[secrets]\nkeyfile = 'x'", "secrets.keyfile", "key_file"),
    ("[[shipping.methods]]\nid = 'a'\nlabel = 'A'\namount = 1\nfree_form = 5", "shipping.methods[0].free_form", "free_from"),
    ("[[shipping.method]]\nid = 'a'", "shipping.method", "methods"),
    ("[accounts.password_hash]\nmemory = 65536", "accounts.password_hash.memory", "memory_kib"),
    ("[mail.smtp]\nuser = 'x'", "mail.smtp.user", "username"),
    // In no section at all.
    ("listen = '127.0.0.1:1'", "listen", "server.listen"),
    ("currency = 'EUR'", "currency", "shop.currency"),
    // What other programs call it.
    ("[server]\nport = 9000", "server.port", "server.listen = \"127.0.0.1:9000\""),
    ("[server]\nhost = '0.0.0.0'", "server.host", "server.listen = \"127.0.0.1:9000\""),
    ("bind = '0.0.0.0:80'", "bind", "server.listen = \"127.0.0.1:9000\""),
];

#[test]
fn an_unknown_key_is_refused_with_the_one_that_was_meant() {
    for (text, wrong, meant) in TYPING_ERRORS {
        let said = refusal(text);
        let expected = format!("unknown key `{wrong}`; did you mean `{meant}`?");
        assert!(said.starts_with("config.toml:") && said.ends_with(&expected), "{text}\n{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn an_unknown_key_without_a_likely_meaning_is_answered_with_those_that_there_are() {
    assert_eq!(
        refusal("[worker]\nenabled = true\nzebra = 9"),
        "config.toml:3:1: unknown key `worker.zebra`\n  known there: `enabled`"
    );
    assert_eq!(
        refusal("[worker]\nrequests = 1"),
        "config.toml:2:1: unknown key `worker.requests`\n  known there: `enabled`"
    );
    let of_another_section = refusal("[server]\ncurrency = 'EUR'");
    assert!(
        of_another_section.contains("unknown key `server.currency`\n  known there: `listen`, "),
        "{of_another_section}"
    );
    let in_list = refusal("[[shipping.carriers]]\nid = \"post\"\nlabel = \"Post\"\nurl = \"https://post.example\"");
    assert!(in_list.contains("`shipping.carriers[0].url`\n  known there: `id`, `label`, "), "{in_list}");
    assert!(
        refusal("[zebra]\nstripes = 9").starts_with("config.toml:1:2: unknown key `zebra`\n  known there: `server`, ")
    );
}
