//! Values that cannot be, and what was expected.

use super::refusal;

/// Values of the wrong type or out of range, with the whole message after file and line.
#[rustfmt::skip] // One case a line.
const WRONG_VALUES: [(&str, &str); 93] = [
    ("[server]\nlisten = 8080", "`server.listen` must be an IP address and port, such as \"127.0.0.1:8080\", not 8080"),
    ("[server]\nlisten = 'not an address'", "`server.listen` must be an IP address and port, such as \"127.0.0.1:8080\", not \"not an address\""),
    ("[server]\nlisten = '127.0.0.1:99999'", "`server.listen` must be an IP address and port"),
    ("[server]\nlisten = 'localhost:8080'", "`server.listen` must be an IP address and port"),
    ("[server]\nbase_url = 'not a url'", "`server.base_url` must be an address with http:// or https://"),
    ("[server]\nbase_url = 'https://x.example/'", "`server.base_url`: remove the slash at its end"),
    ("[server]\nbase_url = 'https://x.example/shop'", "`server.base_url`: a shop needs a host of its own, such as \"https://shop.example.com\"; remove the path /shop"),
    ("[server]\nbase_url = 'https://u:p@x.example'", "`server.base_url`: an address with user name or password cannot be used here"),
    ("[server]\ntrusted_proxies = '10.0.0.0/8'", "`server.trusted_proxies` must be a list, not \"10.0.0.0/8\""),
    ("[server]\ntrusted_proxies = ['ten dot zero']", "`server.trusted_proxies[0]` must be an IP address or network"),
    ("[server]\ntrusted_proxies = ['::1', '10.0.0.0/33']", "`server.trusted_proxies[1]` must be an IP address or network"),
    ("[server]\ntrusted_proxies = ['*']", "`server.trusted_proxies[0]`: this would believe everybody"),
    ("[server]\ntrusted_proxies = ['0.0.0.0/0']", "`server.trusted_proxies[0]`: this would believe everybody"),
    ("[server]\ntrusted_proxies = ['::/0']", "`server.trusted_proxies[0]`: this would believe everybody"),
    ("[server]\ntrusted_proxies = ['10.1.2.3/0']", "`server.trusted_proxies[0]`: this would believe everybody"),
    ("[server]\nallowed_origins = ['*']", "`server.allowed_origins[0]` must be scheme and host without a path"),
    ("[server]\nallowed_origins = ['https://x.example/shop']", "`server.allowed_origins[0]` must be scheme and host without a path"),
    ("[server]\nmetrics = 'yes'", "`server.metrics` must be `true` or `false`, not \"yes\""),
    ("[server]\nmax_connections = 0", "`server.max_connections` must be a whole number from 1 to 1000000, not 0"),
    ("server = 5", "`server` must be a table, not 5"),
    ("[[server]]\nmetrics = true", "`server` must be a table, not a list"),
    ("[worker]\nenabled = 'yes'", "`worker.enabled` must be `true` or `false`, not \"yes\""),
    ("[worker]\nenabled = 1979-05-27", "`worker.enabled` must be `true` or `false`, not a date or time"),
    ("[webhooks]\nscheduler_interval_seconds = 'soon'", "`webhooks.scheduler_interval_seconds` must be a whole number from 1 to 3600, not \"soon\""),
    ("[webhooks]\nscheduler_interval_seconds = -1", "`webhooks.scheduler_interval_seconds` must be a whole number from 1 to 3600, not -1"),
    ("[webhooks]\nscheduler_interval_seconds = 1.5", "`webhooks.scheduler_interval_seconds` must be a whole number from 1 to 3600, not 1.5"),
    ("[webhooks]\nscheduler_interval_seconds = 99999999999999999999", "`webhooks.scheduler_interval_seconds` must be a whole number from 1 to 3600, not a number with too many digits"),
    ("[webhooks]\nlease_seconds = 0", "`webhooks.lease_seconds` must be a whole number from 1 to 3600, not 0"),
    ("[webhooks]\nallow_private_destinations = 1", "`webhooks.allow_private_destinations` must be `true` or `false`, not 1"),
    ("[webhooks]\ndns_servers = ['nobody']", "`webhooks.dns_servers[0]` must be the IP address and port of a resolver"),
    ("[webhooks]\ndns_servers = ['1.1.1.1:0']", "`webhooks.dns_servers[0]` must be the IP address and port of a resolver"),
    ("[webhooks]\nextra_ca_file = 'absent.pem'", "`webhooks.extra_ca_file`: there is no file "),
    ("[mail.smtp]\nextra_ca_file = 'absent.pem'", "`mail.smtp.extra_ca_file`: there is no file "),
    ("[shop]\nname = ''", "`shop.name` must be a line of text, 1 to 255 characters, not empty text"),
    ("[shop]\nname = \"a\\nb\"", "`shop.name` must be a line of text, 1 to 255 characters, not \"a\\nb\""),
    ("[shop]\ncurrency = 'EURO'", "`shop.currency` must be a currency (ISO 4217), such as \"EUR\", not \"EURO\""),
    ("[shop]\ncurrency = 'eur'", "`shop.currency`: did you mean \"EUR\"?"),
    ("[shop]\ncurrency = 'XAU'", "`shop.currency` must be a currency (ISO 4217)"),
    ("[shop]\ncurrency = 978", "`shop.currency` must be a currency (ISO 4217), such as \"EUR\", not 978"),
    ("[shop]\nlocale = 'english'", "`shop.locale` must be a language with or without a region (BCP 47)"),
    ("[shop]\nlocale = 'xx'", "`shop.locale` must be a language with or without a region (BCP 47)"),
    ("[shop]\nlocale = ''", "`shop.locale` must be a language with or without a region (BCP 47)"),
    ("[shop]\ncountries = 'NL'", "`shop.countries` must be a list, not \"NL\""),
    ("[shop]\ncountries = ['Netherlands']", "`shop.countries[0]`: countries are named by code; did you mean \"NL\"?"),
    ("[shop]\ncountries = ['NL', 'XX']", "`shop.countries[1]` must be a two-letter country code (ISO 3166-1), such as \"NL\", not \"XX\""),
    ("[shop]\ncountries = []", "`shop.countries`: this list is empty; leave the setting out to mean all countries"),
    ("[seller]\nname = ''", "`seller.name` must be a line of text, 1 to 255 characters, not empty text"),
    ("[seller]\naddress = 'Lampenweg 5'", "`seller.address` must be a list of lines, such as [\"Lampenweg 5\", \"10115 Berlin\"], not \"Lampenweg 5\""),
    ("[shipping]\nmethods = 'post'", "`shipping.methods` must be a list of tables, each below its own line `[[shipping.methods]]`, not \"post\""),
    ("[shipping.methods]\nid = 'post'", "`shipping.methods` must be a list of tables, each below its own line `[[shipping.methods]]`, not a table"),
    ("[seller]\naddress = ['Lampenweg 5', '']", "`seller.address[1]` must be a line of text, 1 to 255 characters, not empty text"),
    ("[seller]\naddress = ['1', '2', '3', '4', '5', '6', '7', '8', '9']", "`seller.address`: an address has at most 8 lines"),
    ("[seller]\nemail = 'office'", "`seller.email` must be an e-mail address, such as \"office@example.com\", not \"office\""),
    ("[seller]\niban = '12345'", "`seller.iban` must be an account number (IBAN), such as \"DE89 3704 0044 0532 0130 00\", not \"12345\""),
    ("[seller]\niban = 'DE88 3704 0044 0532 0130 00'", "`seller.iban`: its check digits do not fit: is there a typing mistake?"),
    ("[seller]\nfooter = ' '", "`seller.footer` must be text of 1 to 1000 characters, not \" \""),
    ("[catalog]\ncache_megabytes = -1", "`catalog.cache_megabytes` must be a whole number from 0 to 1048576, not -1"),
    ("[media]\nfolder = ''", "`media.folder` must be a path, not empty text"),
    ("[orders]\nunpaid_expiry_minutes = 'never'", "`orders.unpaid_expiry_minutes` must be a whole number from 0 to 5256000, not \"never\""),
    ("[orders]\nunpaid_expiry_minutes = -5", "`orders.unpaid_expiry_minutes` must be a whole number from 0 to 5256000, not -5"),
    ("[database]\nurl = 'mysql://localhost/stoa'", "`database.url` must be sqlite://PATH, sqlite::memory: or postgres://…, not this text"),
    ("[database]\nurl = 5", "`database.url` must be sqlite://PATH, sqlite::memory: or postgres://…, not this number"),
    ("[database]\nurl = 'sqlite://a.db?mode=ro'", "`database.url`: a SQLite database takes no options after `?`"),
    ("[database]\nauto_migrate = 'no'", "`database.auto_migrate` must be `true` or `false`, not \"no\""),
    ("[modules.inventory]\nenabled = 'true'", "`modules.inventory.enabled` must be `true` or `false`, not this text"),
    ("[modules]\ninventory = true", "`modules.inventory` must be a table, not a boolean"),
    ("modules = 5", "`modules` must be a table, not this number"),
    ("[tax]\nvies_base = 'vies.example'", "`tax.vies_base` must be an address with http:// or https://, such as \"https://api.example.com/v1\", not \"vies.example\""),
    ("[tax]\nprices_include_tax = 'yes'", "`tax.prices_include_tax` must be `true` or `false`, not \"yes\""),
    ("[tax.rates]\nNL = '21%'", "`tax.rates.NL` must be a whole number from 0 to 10000, not \"21%\""),
    ("[tax.rates]\nNL = -1", "`tax.rates.NL` must be a whole number from 0 to 10000, not -1"),
    ("[tax.rates]\nXX = 2100", "the name of `tax.rates.XX` must be a two-letter country code (ISO 3166-1), such as \"NL\""),
    ("[tax]\nrates = 21", "`tax.rates` must be a table of rates by country, such as { NL = 2100 }, not 21"),
    ("[tax.rates]\nNL = 2100\nnl = 900", "`tax.rates`: NL has two rates"),
    ("[tax.classes]\nreduced = { NL = 10001 }", "`tax.classes.reduced.NL` must be a whole number from 0 to 10000, not 10001"),
    ("[log]\nformat = 'xml'", "`log.format` must be \"text\" or \"json\", not \"xml\""),
    ("[log]\nformat = 5", "`log.format` must be \"text\" or \"json\", not 5"),
    ("[log]\nlevel = 5", "`log.level` must be \"error\", \"warn\", \"info\", \"debug\", \"trace\", or such by part: \"info,sqlx=debug\", not 5"),
    ("[log]\nlevel = 'infos'", "`log.level`: \"infos\" is no level; did you mean `info`?"),
    ("[secrets]\nkey_file = 5", "`secrets.key_file` must be a path, not this number"),
    ("[secrets]\nkey = 'short'", "`secrets.key` must be 32 bytes in base64, which `openssl rand -base64 32` makes, not this text"),
    ("[accounts]\nregistration = 'no'", "`accounts.registration` must be `true` or `false`, not \"no\""),
    ("[accounts.password_hash]\nmemory_kib = 1024", "`accounts.password_hash.memory_kib` must be a whole number from 19456 to 4194304, not 1024"),
    ("[limits.checkout]\nrequests = -1\nper_seconds = 60", "`limits.checkout.requests` must be a whole number from 0 to 1000000000, not -1"),
    ("[limits.checkout]\nper_seconds = 0", "`limits.checkout.per_seconds` must be a whole number from 1 to 31536000, not 0"),
    ("[limits]\ncatalog = 100", "`limits.catalog` must be a table such as { requests = 120, per_seconds = 60 }, not 100"),
    ("[limits]\ncatalog = [100, 60]", "`limits.catalog` must be a table such as { requests = 120, per_seconds = 60 }, not a list"),
    ("[limits]\nstore = 'disk'", "`limits.store` must be \"memory\" or an address such as \"redis://127.0.0.1:6379\", not this text"),
    ("[limits]\nstore = 'redis://cache/two'", "`limits.store`: a database of Redis is a number, as in \"redis://127.0.0.1:6379/2\""),
    ("[limits]\nstore = 'rediss://cache#insecure'", "`limits.store`: the address of a Redis server takes no options after `?` or `#`"),
    ("[limits]\nstore = 'redis://:p@ss@0.0.0.0'", "`limits.store`: this cannot be read as redis://USER:PASSWORD@HOST:PORT/NUMBER"),
    ("[payments.mollie]\nenabled = true\napi_key = 'live_123'\napi_base = 'no url'", "`payments.mollie.api_base` must be scheme and host without a path, such as \"https://www.example.com\", not this text"),
    ("[mail]\nfrom = 'nobody'", "`mail.from` must be an e-mail address, such as \"Shop <shop@example.com>\", not \"nobody\""),
];

#[test]
fn a_wrong_value_is_refused_with_what_was_expected() {
    for (text, expected) in WRONG_VALUES {
        let said = refusal(text);
        let (place, message) = said.split_once(": ").expect("a place and a message");
        assert!(place.starts_with("config.toml:"), "{said}");
        assert!(message.starts_with(expected), "{text}\nsaid:     {message}\nexpected: {expected}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_shipping_method_needs_its_settings() {
    assert_eq!(
        refusal("[[shipping.methods]]\nid = 'a'\nlabel = 'A'\n"),
        "config.toml:1:1: `shipping.methods[0].amount` is missing"
    );
    assert_eq!(
        refusal("[shipping]\nmethods = [{ id = 'a', label = 'A', amount = -1 }]\n"),
        "config.toml:2:37: `shipping.methods[0].amount` must be a whole number from 0 to 1000000000000000, not -1"
    );
    assert_eq!(
        refusal("[[shipping.methods]]\nid = 'a'\nlabel = 'A'\namount = 1\ncountries = ['Narnia']\n"),
        "config.toml:5:14: `shipping.methods[0].countries[0]` must be a two-letter country code (ISO 3166-1), such as \"NL\", not \"Narnia\""
    );
}
