//! Mistakes in the configuration file: one message that names the file and the setting, and says what is right.

use super::place::ShopFolder;

/// A configuration file, and words of the message: what is wrong, and what would be right.
const MISTAKES: &[(&str, &[&str])] = &[
    // Unknown keys.
    ("[server]\nlissten = \"127.0.0.1:1\"", &["lissten", "listen"]),
    ("[server]\nbase_ulr = \"http://x.example\"", &["base_ulr", "base_url"]),
    ("[serve]\nlisten = \"127.0.0.1:1\"", &["serve", "server"]),
    ("[shop]\ncurency = \"EUR\"", &["curency", "currency"]),
    ("[database]\nuri = \"sqlite://x.db\"", &["uri", "url"]),
    ("[worker]\nenable = false", &["enable", "enabled"]),
    ("[modules.inventroy]\nenabled = true", &["inventroy", "inventory"]),
    ("[payments.stripe]\nsecretkey = \"sk\"", &["secretkey", "secret_key"]),
    ("[limits]\ncatalogs = { requests = 1, per_seconds = 1 }", &["catalogs", "catalog"]),
    ("[limits]\ncatalog = { request = 1, per_seconds = 1 }", &["request", "requests"]),
    ("[secrets]\nkeyfile = \"x\"", &["keyfile", "key_file"]),
    ("[[shipping.methods]]\nid = \"a\"\nlabel = \"A\"\namount = 1\nfree_form = 5", &["free_form", "free_from"]),
    ("[zebra]\nstripes = 9", &["zebra"]),
    // Wrong types.
    ("[server]\nlisten = 8080", &["server.listen", "such as \"127.0.0.1:8080\""]),
    ("[server]\ntrusted_proxies = \"10.0.0.0/8\"", &["server.trusted_proxies", "must be a list"]),
    ("[server]\nmetrics = \"yes\"", &["server.metrics", "`true` or `false`"]),
    ("[shop]\ncurrency = 978", &["shop.currency", "such as \"EUR\""]),
    ("[shop]\ncountries = \"NL\"", &["shop.countries", "must be a list"]),
    ("[database]\nurl = 5", &["database.url", "sqlite://PATH"]),
    ("[database]\nauto_migrate = \"no\"", &["database.auto_migrate", "`true` or `false`"]),
    ("[log]\nlevel = 5", &["log.level", "\"info\""]),
    ("[modules]\ninventory = true", &["inventory", "must be a table"]),
    ("[tax]\nrates = { NL = \"21%\" }", &["NL", "from 0 to 10000"]),
    ("[server]\nbaseUrl = \"http://x.example\"", &["server.baseUrl", "did you mean `base_url`?"]),
    ("[server]\nport = 9000", &["server.port", "did you mean `server.listen = \"127.0.0.1:9000\"`?"]),
    ("bind = \"0.0.0.0:80\"", &["`bind`", "did you mean `server.listen = "]),
    ("currency = \"EUR\"", &["`currency`", "did you mean `shop.currency`?"]),
    ("[module.inventory]\nenabled = true", &["`module`", "did you mean `modules`?"]),
    ("[modules.inventory]\nenabled = true\nenabeld = true", &["modules.inventory.enabeld", "did you mean `enabled`?"]),
    ("[payments.strpe]\nenabled = false", &["payments.strpe", "did you mean `stripe`?"]),
    ("[[shipping.method]]\nid = \"a\"", &["shipping.method", "did you mean `methods`?"]),
    ("[mail.smtp]\nuser = \"x\"", &["mail.smtp.user", "did you mean `username`?"]),
    ("[webhooks]\ndns_server = [\"127.0.0.1:53\"]", &["webhooks.dns_server", "did you mean `dns_servers`?"]),
    ("[worker]\nenabled = \"yes\"", &["worker.enabled", "`true` or `false`"]),
    ("[tax]\nprices_include_tax = \"yes\"", &["tax.prices_include_tax", "`true` or `false`"]),
    ("[secrets]\nkey_file = 5", &["secrets.key_file", "must be a path"]),
    // Impossible values.
    ("[server]\nlisten = \"not an address\"", &["server.listen", "such as \"127.0.0.1:8080\""]),
    ("[server]\nlisten = \"127.0.0.1:99999\"", &["server.listen", "such as \"127.0.0.1:8080\""]),
    ("[server]\nbase_url = \"not a url\"", &["server.base_url", "with http:// or https://"]),
    ("[server]\ntrusted_proxies = [\"*\"]", &["server.trusted_proxies", "name the addresses or networks"]),
    ("[server]\ntrusted_proxies = [\"0.0.0.0/0\"]", &["server.trusted_proxies", "name the addresses or networks"]),
    ("[server]\ntrusted_proxies = [\"128.0.0.0/1\"]", &["server.trusted_proxies", "10.0.0.0/8"]),
    ("[server]\nmax_connections = 0", &["server.max_connections", "from 1 to 1000000"]),
    ("[shop]\ncurrency = \"EURO\"", &["shop.currency", "such as \"EUR\""]),
    ("[shop]\ncountries = [\"Netherlands\"]", &["shop.countries", "did you mean \"NL\"?"]),
    ("[database]\nurl = \"mysql://localhost/stoa\"", &["database.url", "sqlite://"]),
    ("[orders]\nunpaid_expiry_minutes = -5", &["orders.unpaid_expiry_minutes", "from 0 to 5256000"]),
    ("[limits]\ncheckout = { requests = -1, per_seconds = 60 }", &["requests", "from 0 to 1000000000"]),
    ("[log]\nformat = \"xml\"", &["log.format", "\"text\" or \"json\""]),
    ("[payments.stripe]\nenabled = true", &["stripe", "secret_key", "copy it from the provider's dashboard"]),
    ("[payments.mollie]\nenabled = true\napi_key = \"\"", &["mollie", "api_key", "or set `enabled = false`"]),
    ("[secrets]\nkey = \"short\"", &["secrets.key", "openssl rand -base64 32"]),
    ("[server]\nbase_url = \"https://x.example/\"", &["server.base_url", "remove the slash at its end"]),
    (
        "[server]\nallowed_origins = [\"https://x.example/shop\"]",
        &["server.allowed_origins[0]", "scheme and host without a path"],
    ),
    ("[shop]\nname = \"\"", &["shop.name", "a line of text, 1 to 255 characters"]),
    ("[shop]\nlocale = \"xx\"", &["shop.locale", "such as \"en\" or \"de-AT\""]),
    ("[shop]\ncountries = []", &["shop.countries", "leave the setting out to mean all countries"]),
    ("[catalog]\ncache_megabytes = -1", &["catalog.cache_megabytes", "from 0 to 1048576"]),
    ("[media]\nfolder = \"\"", &["media.folder", "must be a path"]),
    ("[webhooks]\nlease_seconds = 0", &["webhooks.lease_seconds", "from 1 to 3600"]),
    ("[tax.classes]\nreduced = { NL = 10001 }", &["tax.classes.reduced.NL", "from 0 to 10000"]),
    ("[tax.rates]\nNL = 2100\nnl = 900", &["tax.rates", "NL has two rates; leave one"]),
    (
        "[console.roles.Packing]\nabilities = [\"orders.view\"]",
        &["console.roles.Packing", "lower-case letters", "such as `packing`"],
    ),
    ("[tax]\nvies_base = \"vies.example\"", &["tax.vies_base", "with http:// or https://, such as"]),
    ("[accounts.password_hash]\nmemory_kib = 1024", &["accounts.password_hash.memory_kib", "from 19456 to 4194304"]),
    (
        "[accounts.sessions]\nidle_minutes = 90\nabsolute_minutes = 60",
        &["accounts.sessions.idle_minutes", "60 minutes", "raise `absolute_minutes`"],
    ),
    // What was probably meant is named.
    ("[database]\nurl = \"data/stoa.db\"", &["database.url", "did you mean \"sqlite://data/stoa.db\"?"]),
    ("[tax]\nrates = { NL = 21.5 }", &["tax.rates.NL", "21.5 % is 2150"]),
    ("[tax.classes]\nreduced = { NL = 9.0 }", &["tax.classes.reduced.NL", "9 % is 900"]),
    ("[shop]\ncountries = [\"NL\", \"UK\"]", &["\"UK\"", "did you mean \"GB\"?"]),
    (
        "[[shipping.methods]]\nid = \"post\"\nlabel = \"Post\"\namount = 9.95",
        &["amount", "9.95 is 995 in a currency with two"],
    ),
    (
        "[payments.stripe]\nenabled = true\nsecret_key = \"pk_live_51Acceptance\"\nwebhook_secret = \"whsec_0123456789abcdef\"",
        &["payments.stripe.secret_key", "the publishable key", "(pk_…)", "sk_… or rk_…"],
    ),
    (
        "[payments.stripe]\nenabled = true\nsecret_key = \"sk_live_51Acceptance\"\nwebhook_secret = \"sk_live_51Acceptance\"",
        &["payments.stripe.webhook_secret", "the secret key (sk_…)", "whsec_…"],
    ),
    ("[shop]\ncurrency = \"eur\"", &["shop.currency", "did you mean \"EUR\"?"]),
    ("[log]\nlevel = \"infos\"", &["log.level", "did you mean `info`?"]),
    // Who sells, and to whom.
    ("[shop]\nconsumer_rights = \"EU\"", &["shop.consumer_rights", "\"none\" or \"eu\""]),
    ("[shop]\ndigital_without_waiver = \"never\"", &["shop.digital_without_waiver", "\"refuse\" or \"later\""]),
    ("[shop]\nlocale = \"german\"", &["shop.locale", "such as \"en\" or \"de-AT\""]),
    ("[shop]\norder_url = \"https://www.example.com/order\"", &["shop.order_url", "{number}", "{key}"]),
    (
        "[shop]\norder_url = \"www.example.com/{number}?key={key}\"",
        &["shop.order_url", "\"https://www.example.com/order/"],
    ),
    ("[seller]\naddress = \"Lampenweg 5, 10115 Berlin\"", &["seller.address", "a list"]),
    ("[seller]\ncountry = \"Germany\"", &["seller.country", "did you mean \"DE\"?"]),
    ("[seller]\niban = \"DE00 1234\"", &["seller.iban", "such as \"DE89"]),
    ("[seller]\nbic = \"X\"", &["seller.bic", "such as \"COBADEFFXXX\""]),
    ("[seller]\nemail = \"office\"", &["seller.email", "such as \"office@example.com\""]),
    ("[accounts]\nguests = \"no\"", &["accounts.guests", "`true` or `false`"]),
    ("[accounts.password_hash]\nmemory = 1", &["password_hash.memory", "did you mean `memory_kib`?"]),
    (
        "[seller]\naddress = [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]",
        &["seller.address", "an address has at most 8 lines"],
    ),
    (
        "[seller]\niban = \"DE88 3704 0044 0532 0130 00\"",
        &["seller.iban", "its check digits do not fit: is there a typing mistake?"],
    ),
    ("[seller]\nfooter = \" \"", &["seller.footer", "text of 1 to 1000 characters"]),
    // What customers agree to.
    (
        "[[shop.consents]]\nid = \"terms\"\nversion = \"1\"\nlabel = { de = \"Ja\" }\nrequired = true\nwhen = \"always\"",
        &["shop.consents[0].label", "add en = \"…\""],
    ),
    (
        "[[shop.consents]]\nid = \"terms\"\nversion = 1\nlabel = { en = \"Yes\" }\nrequired = true\nwhen = \"always\"",
        &["shop.consents[0].version", "such as \"2026-11\""],
    ),
    (
        "[[shop.consents]]\nid = \"terms\"\nversion = \"1\"\nlabel = { en = \"Yes\" }\nrequired = true\nwhen = \"sometimes\"",
        &["shop.consents[0].when", "\"always\" or \"digital\""],
    ),
    (
        "[[shop.consents]]\nid = \"terms\"\nversion = \"1\"\nlabel = \"Yes\"\nrequired = true\nwhen = \"always\"",
        &["shop.consents[0].label", "a table"],
    ),
    // The console and who works in it.
    ("[console]\nenabled = \"on\"", &["console.enabled", "`true` or `false`"]),
    ("[console]\nenabled = true\npath = \"console\"", &["console.path", "such as \"/console\""]),
    ("[console]\nenabled = true\npath = \"/api\"", &["console.path", "the API is there", "\"/console\""]),
    ("[console]\nenabled = true\nnetworks = [\"office\"]", &["console.networks[0]", "such as \"192.0.2.0/24\""]),
    ("[console]\nenabled = true\nnetworks = [\"10.0.0.1/33\"]", &["console.networks[0]", "such as \"192.0.2.0/24\""]),
    ("[console.roles.packing]\nabilities = \"orders.view\"", &["console.roles.packing.abilities", "a list"]),
    ("[console.roles.owner]\nabilities = [\"*\"]", &["console.roles.owner", "choose another one"]),
    ("[console.sessions]\nidle_minutes = 0", &["console.sessions.idle_minutes", "from 1 to"]),
    // Mails.
    (
        "[mail]\nfrom = \"shop\"\n[mail.smtp]\nhost = \"smtp.example.com\"",
        &["mail.from", "such as \"Shop <shop@example.com>\""],
    ),
    ("[mail.smtp]\nhost = \"smtp.example.com\"", &["mail.from", "such as \"Shop <shop@example.com>\""]),
    ("[mail.smtp]\nhost = \"smtp://smtp.example.com\"", &["mail.smtp.host", "such as \"smtp.example.com\""]),
    ("[mail.smtp]\nhost = \"smtp.example.com:587\"", &["mail.smtp.host", "such as \"smtp.example.com\""]),
    ("[mail.smtp]\nport = 0", &["mail.smtp.port", "from 1 to 65535"]),
    ("[mail.smtp]\nencryption = \"ssl\"", &["mail.smtp.encryption", "\"starttls\", \"tls\" or \"none\""]),
    (
        "[mail]\nfrom = \"shop@example.com\"\n[mail.smtp]\nhost = \"smtp.example.com\"\nusername = \"a\"",
        &["mail.smtp.password", "a user name needs a password; set it, or leave"],
    ),
    ("[mail]\nnotify = \"owner@example.com\"", &["mail.notify", "a list"]),
    ("[mail]\nnotify = [\"owner\"]", &["mail.notify[0]", "such as \"owner@example.com\""]),
    ("[mail]\nretention_days = -1", &["mail.retention_days", "from 0 to"]),
    ("[mail.smtp]\npassword = \"secret\"", &["mail.smtp.username", "a password needs a user name; set it, or leave"]),
    // Taxes, shipping and numbers.
    ("[tax]\nrates = { EU = 2100 }", &["tax.rates.EU", "such as \"NL\""]),
    ("[tax]\nrates = { NL = 210000 }", &["tax.rates.NL", "from 0 to 10000"]),
    (
        "[[shipping.methods]]\nid = \"a b\"\nlabel = \"A\"\namount = 1",
        &["shipping.methods[0].id", "such as \"express\""],
    ),
    (
        "[[shipping.methods]]\nid = \"a\"\nlabel = \"\"\namount = 1",
        &["shipping.methods[0].label", "1 to 255 characters"],
    ),
    ("[[shipping.methods]]\nid = \"a\"\nlabel = \"A\"\namount = -1", &["shipping.methods[0].amount", "from 0 to"]),
    ("[[shipping.methods]]\nid = \"a\"\nlabel = \"A\"", &["`shipping.methods[0].amount` is missing"]),
    (
        "[[shipping.methods]]\nid = \"a\"\nlabel = \"A\"\namount = 1\ncountries = [\"NL\", \"XX\"]",
        &["shipping.methods[0].countries[1]", "such as \"NL\""],
    ),
    (
        "[[shipping.methods]]\nid = \"a\"\nlabel = \"A\"\namount = 1\n[[shipping.methods]]\nid = \"a\"\nlabel = \"B\"\namount = 2",
        &["shipping.methods[1].id", "another shipping method has this id already; choose a new one"],
    ),
    (
        "[[shipping.carriers]]\nid = \"post\"\nlabel = \"Post\"\nurl = \"https://post.example\"",
        &["shipping.carriers[0].url", "known there: `id`, `label`"],
    ),
    ("[invoices]\nprefix = \"inv\"", &["invoices.prefix", "such as \"INV\""]),
    (
        "[invoices]\nprefix = \"INV\"\ncredit_note_prefix = \"INV\"",
        &["invoices.credit_note_prefix", "invoices have this prefix already", "such as \"CN\""],
    ),
    (
        "[invoices]\nseries = \"instance\"",
        &["invoices.prefix", "write \"INV-{instance}\"", "STOA_INVOICES__INSTANCE=A"],
    ),
    ("[orders]\nunpaid_expiry_minutes = \"1 day\"", &["orders.unpaid_expiry_minutes", "a whole number"]),
    (
        "[[shipping.carriers]]\nid = \"post\"\nlabel = \"Post\"\ntracking_url = \"https://post.example/{number}\"\n[[shipping.carriers]]\nid = \"post\"\nlabel = \"Parcels\"\ntracking_url = \"https://parcels.example/{number}\"",
        &["shipping.carriers[1].id", "another carrier has this id already; choose a new one"],
    ),
    (
        "[invoices]\nprefix = \"INV-{instance}\"",
        &["invoices.prefix", "leave it out, or set `invoices.series = \"instance\"`"],
    ),
    // Servers beside the shop.
    ("[media]\nurl = \"s3://bucket/folder\"", &["media.s3", "`access_key_id` and `secret_access_key`"]),
    ("[media]\nurl = \"https://bucket.example\"", &["media.url", "such as \"s3://my-shop/media\""]),
    ("[database]\nurl = \"postgres://a@b/c?sslmode=sometimes\"", &["database.url", "`sslmode` must be one of"]),
    ("[database]\nurl = \"postgres://a@b/c?no_such=1\"", &["database.url", "`no_such`; leave it out"]),
    ("[database]\nurl = \"sqlite://shop.db\"\nread_url = \"postgres://x@y/z\"", &["database.read_url", "leave it out"]),
    ("[database]\npooler = \"pgbouncer\"", &["database.pooler", "\"none\" or \"transaction\""]),
    ("[database]\nmax_connections = 0", &["database.max_connections", "from 1 to"]),
    ("[limits]\nstore = \"redis\"", &["limits.store", "such as \"redis://127.0.0.1:6379\""]),
    ("[limits]\ncatalog = 100", &["limits.catalog", "{ requests = 120, per_seconds = 60 }"]),
    ("[limits]\ncatalog = { requests = 10, per_seconds = 0 }", &["limits.catalog.per_seconds", "from 1 to"]),
    ("[telemetry]\notlp = \"localhost\"", &["telemetry.otlp", "with http:// or https://"]),
    (
        "[[catalog.purge]]\nkind = \"akamai\"",
        &["catalog.purge[0].kind", "\"fastly\"", "catalog.purge[0].url` is missing"],
    ),
    ("[server]\ntls = true", &["server.tls", "known there: `listen`, `base_url`"]),
    ("[server]\nlisten = \"localhost:8080\"", &["server.listen", "such as \"127.0.0.1:8080\""]),
    ("[server]\nbase_url = \"https://shop.example.com/shop\"", &["server.base_url", "remove the path /shop"]),
    ("[server]\nallowed_origins = [\"*\"]", &["server.allowed_origins[0]", "such as \"https://www.example.com\""]),
    ("[log]\nlevel = \"verbose\"", &["log.level", "\"debug\""]),
    (
        "[media.s3]\naccess_key_id = \"a\"\nsecret_access_key = \"b\"",
        &["media.url", "write url = \"s3://BUCKET/FOLDER\""],
    ),
    ("[database]\nurl = \"sqlite://shop.db?mode=ro\"", &["database.url", "takes no options after `?`"]),
    ("[database]\nurl = \"sqlite://shop.db\"\npooler = \"transaction\"", &["database.pooler", "leave it out"]),
    (
        "[database]\nurl = \"postgres://a/stoa\"\nfollowed = true",
        &["database.followed", "this is for a file of SQLite"],
    ),
    ("[database]\nurl = \"postgres://a/stoa?target_session_attrs=standby\"", &["database.url", "the shop writes here"]),
    ("[limits]\nstore = \"redis://cache/two\"", &["limits.store", "a number, as in \"redis://127.0.0.1:6379/2\""]),
    (
        "[[catalog.purge]]\nurl = \"https://cache.example/purge\"",
        &["catalog.cache", "add cache = { shared_seconds = 3600"],
    ),
    (
        "[catalog]\ncache = { shared_seconds = 60 }\n[[catalog.purge]]\nurl = \"https://a.example\"\nheaders = { \"a b\" = \"c\" }",
        &["catalog.purge[0].headers", "such as \"Authorization\""],
    ),
    (
        "[catalog]\ncache = { shared_seconds = 60 }\n[[catalog.purge]]\nurl = \"https://a.example\"\nheaders = { Authorization = \"Schlüssel\" }",
        &["catalog.purge[0].headers.Authorization", "remove all others"],
    ),
    (
        "[[webhooks.endpoints]]\nname = \"a\"\nurl = \"https://a.example.com\"\nsecret = \"0123456789abcdef\"\n[[webhooks.endpoints]]\nname = \"a\"\nurl = \"https://b.example.com\"\nsecret = \"0123456789abcdef\"",
        &["webhooks.endpoints[1].name", "choose a new one"],
    ),
    // Payments and modules.
    (
        "[payments.paypal]\nenabled = true\nclient_id = \"x\"",
        &["payments.paypal.client_secret", "payments.paypal.webhook_id"],
    ),
    ("[payments.development]\nenabled = \"true\"", &["payments.development.enabled", "`true` or `false`"]),
    (
        "[modules.storefront]\nenabled = true\naccent = \"blueish\"",
        &["modules.storefront.accent", "write it like `#1d4ed8`"],
    ),
    (
        "[modules.storefront]\nenabled = true\nlanguages = [\"en\"]",
        &["modules.storefront.languages", "known there: `enabled`, `theme`"],
    ),
    ("[modules.inventory]\nenabled = 1", &["modules.inventory.enabled", "`true` or `false`"]),
    ("[modules.downloads]\nenabled = true\nfolder = \"\"", &["modules.downloads.folder", "must be a path"]),
    (
        "[payments.mollie]\nenabled = true\napi_key = \"live_12\"",
        &["payments.mollie.api_key", "at least 8 characters were expected; was all of it copied?"],
    ),
    (
        "[payments.mollie]\nenabled = true\napi_key = \"live_1234567\\n\"",
        &["payments.mollie.api_key", "this holds a blank, a line break", "copy it once more"],
    ),
    (
        "[payments.paypal]\nenabled = true\nclient_id = \" \"\nclient_secret = \"12345678\"\nwebhook_id = \"w\"",
        &["payments.paypal.client_id", "this is empty", "copy it from the provider's dashboard"],
    ),
    // No configuration at all.
    ("[server\nlisten = 1", &["config.toml:1:"]),
    ("[shop]\nname = \"A\"\nname = \"B\"", &["3:1", "`name` stands here for the second time"]),
    ("just words", &["config.toml:1:"]),
];

#[tokio::test]
async fn every_mistake_names_the_file_and_the_key() {
    for (text, words) in MISTAKES {
        // Shown where a test fails.
        println!("{text}");
        let outcome = ShopFolder::with(text).run(["check"]).await.refused(2, words);
        assert!(outcome.err.contains("config.toml"), "the file is not named: {}", outcome.err);
        assert!(outcome.err.lines().count() <= 12, "one mistake is told at length: {}", outcome.err);
    }
}

/// Which abilities there are is known by the program alone, when its modules are there.
#[tokio::test]
async fn a_role_with_an_ability_that_is_none_is_told_which_was_meant() {
    let text = "[console]\nenabled = true\n[console.roles.packing]\nabilities = [\"orders.shp\"]";
    let words = ["console.roles.packing.abilities", "did you mean `orders.ship`?"];
    ShopFolder::with(text).run(["check"]).await.refused(2, &words);
}

/// So are the providers of services.
#[tokio::test]
async fn a_provider_of_services_that_there_is_not_is_told_with_those_that_there_are() {
    for (wrong, told) in [("htp", "did you mean `http`?"), ("vendor", "there are: http, manual")] {
        let text = format!("[modules.services]\nenabled = true\n[modules.services.providers.{wrong}]");
        let setting = format!("modules.services.providers.{wrong}");
        ShopFolder::with(&text).run(["check"]).await.refused(2, &[&setting, told]);
    }
}
