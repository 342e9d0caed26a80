//! The one rule table of addresses, for creating and for changing them (S4.4).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::http::error::{FieldProblem, FieldProblems};
use stoa_kernel::http::extract::{Input, Settings};
use stoa_kernel::http::rules::{Field, Rules, field};
use stoa_kernel::i18n::{Message, Violation};

use super::model::{AddressDraft, PostalAddress};

/// The body of `POST /addresses` and `PATCH /addresses/{address}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AddressRequest {
    name: String,
    line1: String,
    city: String,
    postal_code: String,
    country: String,
    label: Option<String>,
    company: Option<String>,
    line2: Option<String>,
    region: Option<String>,
    phone: Option<String>,
    is_default_billing: Option<bool>,
    is_default_shipping: Option<bool>,
    properties: Option<Aliases>,
}

/// Fields of an address under other names; what is given here is stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Aliases {
    phone: Option<String>,
    company_name: Option<String>,
    address: Option<String>,
    address2: Option<String>,
    city: Option<String>,
    state: Option<String>,
    zip: Option<String>,
    country: Option<String>,
}

impl AddressRequest {
    /// The address that is to be stored: supplied aliases win, country codes are in capitals.
    pub fn into_draft(self) -> AddressDraft {
        let aliases = self.properties.unwrap_or_default();
        AddressDraft {
            label: self.label,
            postal: PostalAddress {
                name: self.name,
                company: aliases.company_name.or(self.company),
                line1: aliases.address.unwrap_or(self.line1),
                line2: aliases.address2.or(self.line2),
                city: aliases.city.unwrap_or(self.city),
                postal_code: aliases.zip.unwrap_or(self.postal_code),
                region: aliases.state.or(self.region),
                country: aliases.country.unwrap_or(self.country).to_ascii_uppercase(),
                phone: aliases.phone.or(self.phone),
            },
            is_default_billing: self.is_default_billing,
            is_default_shipping: self.is_default_shipping,
        }
    }
}

impl Input for AddressRequest {
    const NAME: &'static str = "AddressRequest";

    fn rules() -> Rules {
        let default_billing = "Whether bills go here unless said otherwise. Yes takes this from the other addresses; \
                               omitted, a new address does not get it and a saved one keeps what it has.";
        let default_shipping = "Whether parcels go here unless said otherwise, in the same way.";
        Rules::new([
            field("name").required().max(255).describe("The recipient's name."),
            line1("line1").required().describe("Street and number."),
            city("city").required().describe("The city."),
            postal_code("postal_code").required().describe("The postal code."),
            country("country").required().check(letters).describe("The country's two-letter code, in any case."),
            field("label").nullable().max(80).describe("What the customer calls the address."),
            company("company").nullable().describe("The company."),
            line2("line2").nullable().describe("Whatever the first line has no room for."),
            region("region").nullable().describe("State, province or region."),
            phone("phone").nullable().describe("The telephone number."),
            field("is_default_billing").boolean().describe(default_billing),
            field("is_default_shipping").boolean().describe(default_shipping),
            field("properties").nullable().object(aliases()).or_empty_list().describe(
                "Fields under other names. What is given here is stored, but does not replace a required field.",
            ),
        ])
    }

    fn check_settings(body: &Value, shop: &Settings<'_>) -> FieldProblems {
        check_country("properties.country", &body["properties"]["country"], shop.config)
    }
}

/// What is wrong with the alias of a country, which must be one that checkout supports.
pub fn check_country(field: &str, value: &Value, config: &Config) -> FieldProblems {
    let supported = |code| CountryCode::parse(code).is_some_and(|country| config.shop.countries.contains(&country));
    let unsupported = value
        .as_str()
        .filter(|code| !supported(code))
        .map(|_| (field.to_owned(), vec![FieldProblem::Message(Violation::UnknownCountry.on(field.to_owned()))]));
    unsupported.into_iter().collect()
}

/// The country that an address names as it was sent, whatever else of it is refused: the alias wins.
pub fn named_country(given: &Value) -> Option<CountryCode> {
    let named = [&given["properties"]["country"], &given["country"]];
    named.into_iter().find_map(Value::as_str).and_then(CountryCode::parse)
}

/// Aliases are as long as the fields they stand for.
pub(super) fn aliases() -> Rules {
    Rules::new([
        phone("phone").nullable().describe("Stands for `phone`."),
        company("company_name").nullable().describe("Stands for `company`."),
        line1("address").nullable().describe("Stands for `line1`."),
        line2("address2").nullable().describe("Stands for `line2`."),
        city("city").nullable().describe("Stands for `city`."),
        region("state").nullable().describe("Stands for `region`."),
        postal_code("zip").nullable().describe("Stands for `postal_code`."),
        country("country").nullable().describe("Stands for `country`; must be one that checkout supports."),
    ])
}

fn company(name: &'static str) -> Field {
    field(name).max(255)
}

fn line1(name: &'static str) -> Field {
    field(name).max(255)
}

fn line2(name: &'static str) -> Field {
    field(name).max(255)
}

fn city(name: &'static str) -> Field {
    field(name).max(120)
}

fn postal_code(name: &'static str) -> Field {
    field(name).max(20)
}

fn region(name: &'static str) -> Field {
    field(name).max(120)
}

fn country(name: &'static str) -> Field {
    field(name).length(2).pattern(CountryCode::PATTERN)
}

fn phone(name: &'static str) -> Field {
    field(name).max(40)
}

/// Whether checkout supports the country is asked at checkout (S4.4 wants it of the alias alone), and codes such as `XK`
/// are in use although ISO 3166 lacks them.
fn letters(field: &str, value: &Value) -> Option<Message> {
    let are_letters = value.as_str().is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_alphabetic()));
    (!are_letters).then(|| Violation::UnknownCountry.on(field.to_owned()))
}
