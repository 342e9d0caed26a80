//! An address as it is stored, as it is written, and as the API shows it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where somebody lives or works: what stands on an envelope, and a telephone number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, sqlx::FromRow)]
pub struct PostalAddress {
    /// The recipient's name.
    pub name: String,
    /// The company.
    pub company: Option<String>,
    /// Street and number; empty only where the id is null and nothing is known.
    pub line1: String,
    /// Whatever the first line has no room for.
    pub line2: Option<String>,
    /// The city; empty only where the id is null and nothing is known.
    pub city: String,
    /// The postal code; empty only where the id is null and nothing is known.
    pub postal_code: String,
    /// State, province or region.
    pub region: Option<String>,
    /// The country's two-letter code in capitals; empty only where the id is null and nothing is known.
    pub country: String,
    /// The telephone number.
    pub phone: Option<String>,
}

impl PostalAddress {
    /// The lines of an envelope, from the name to the country; what is not known is no line.
    pub fn envelope(&self) -> Vec<String> {
        let place = format!("{} {}", self.postal_code, self.city);
        let lines = [
            Some(self.name.as_str()),
            self.company.as_deref(),
            Some(self.line1.as_str()),
            self.line2.as_deref(),
            Some(place.as_str()),
            self.region.as_deref(),
            Some(self.country.as_str()),
        ];
        let lines = lines.into_iter().flatten().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    }
}

/// A saved address.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Address {
    /// The address's id.
    pub id: i64,
    /// What the customer calls it.
    pub label: Option<String>,
    /// The address itself.
    #[sqlx(flatten)]
    pub postal: PostalAddress,
    /// Whether bills go here unless said otherwise.
    pub is_default_billing: bool,
    /// Whether parcels go here unless said otherwise.
    pub is_default_shipping: bool,
}

/// A complete address to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressDraft {
    /// What the customer calls it.
    pub label: Option<String>,
    /// The address itself.
    pub postal: PostalAddress,
    /// Whether bills shall go here; none leaves it as it is, and is no for a new address.
    pub is_default_billing: Option<bool>,
    /// Whether parcels shall go here; none leaves it as it is, and is no for a new address.
    pub is_default_shipping: Option<bool>,
}

/// An address of the customer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Address")]
pub struct AddressResource {
    /// The address's id. Null for the one entry that is rebuilt from what is known about a customer without saved
    /// addresses; it is not stored and cannot be changed or deleted.
    id: Option<i64>,
    /// What the customer calls it.
    label: Option<String>,
    #[serde(flatten)]
    postal: PostalAddress,
    /// Whether bills go here unless said otherwise.
    is_default_billing: bool,
    /// Whether parcels go here unless said otherwise.
    is_default_shipping: bool,
    /// The same address under other names.
    properties: AddressProperties,
}

/// An address under the names that customer properties have for its fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AddressProperties {
    /// `phone`.
    phone: Option<String>,
    /// `company`.
    company_name: Option<String>,
    /// `line1`.
    address: String,
    /// `line2`.
    address2: Option<String>,
    /// `city`.
    city: String,
    /// `region`.
    state: Option<String>,
    /// `postal_code`.
    zip: String,
    /// `country`.
    country: String,
}

impl From<&PostalAddress> for AddressProperties {
    fn from(postal: &PostalAddress) -> Self {
        Self {
            phone: postal.phone.clone(),
            company_name: postal.company.clone(),
            address: postal.line1.clone(),
            address2: postal.line2.clone(),
            city: postal.city.clone(),
            state: postal.region.clone(),
            zip: postal.postal_code.clone(),
            country: postal.country.clone(),
        }
    }
}

impl From<Address> for AddressResource {
    fn from(address: Address) -> Self {
        let Address { id, label, postal, is_default_billing, is_default_shipping } = address;
        let properties = AddressProperties::from(&postal);
        Self { id: Some(id), label, postal, is_default_billing, is_default_shipping, properties }
    }
}

impl AddressResource {
    /// What the properties of a customer without saved addresses tell of an address (S2.4 rule 1). A name, a company and
    /// a telephone number alone are none.
    pub(super) fn rebuilt(name: String, properties: &Map<String, Value>) -> Option<Self> {
        let known = |key: &str| {
            let text = properties.get(key).and_then(Value::as_str).map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let located = ["address", "address2", "city", "state", "zip", "country"];
        if !located.into_iter().any(|key| known(key).is_some()) {
            return None;
        }
        let postal = PostalAddress {
            name,
            company: known("company_name"),
            line1: known("address").unwrap_or_default(),
            line2: known("address2"),
            city: known("city").unwrap_or_default(),
            postal_code: known("zip").unwrap_or_default(),
            region: known("state"),
            country: known("country").unwrap_or_default().to_ascii_uppercase(),
            phone: known("phone"),
        };
        let properties = AddressProperties::from(&postal);
        Some(Self { id: None, label: None, postal, is_default_billing: true, is_default_shipping: false, properties })
    }
}
