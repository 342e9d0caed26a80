//! What an invoice or credit note says, as it is stored.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use stoa_kernel::config::SellerConfig;
use stoa_kernel::i18n::{Language, country_name};
use stoa_kernel::money::Currency;

/// An invoice or credit note with everything that is written on it.
///
/// It is stored as JSON when it is issued and read for as long as the shop exists: unknown members are passed over, and
/// a member that is added later must have a default. All amounts are in minor units of `currency`, and positive
/// also on credit notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Which of the two it is.
    pub kind: DocumentKind,
    /// Its own number.
    pub number: String,
    /// The day it was issued.
    pub issued_at: NaiveDate,
    /// Number of the order that it is about.
    #[serde(default)]
    pub order_number: String,
    /// Number of the invoice that a credit note corrects.
    #[serde(default)]
    pub invoice_number: Option<String>,
    /// The day that invoice was issued.
    #[serde(default)]
    pub invoice_issued_at: Option<NaiveDate>,
    /// Why a credit note was issued.
    #[serde(default)]
    pub reason: Option<String>,
    /// Language of its texts, such as `de`; English when there are none in it.
    #[serde(default)]
    pub language: String,
    /// Currency of all amounts.
    pub currency: Currency,
    /// How amounts are written, such as `de-AT`; as in `language` when it is empty or unknown.
    #[serde(default)]
    pub locale: String,
    /// Who sold.
    #[serde(default)]
    pub seller: Seller,
    /// Name and address of who bought, line by line.
    #[serde(default)]
    pub buyer: Vec<String>,
    /// The buyer's VAT identification number, such as `DE136695976`.
    #[serde(default)]
    pub buyer_vat_id: Option<String>,
    /// Whether the buyer owes the tax instead of the seller.
    #[serde(default)]
    pub reverse_charge: bool,
    /// Where the goods went, line by line, if that is elsewhere.
    #[serde(default)]
    pub ship_to: Option<Vec<String>>,
    /// The buyer's address in its parts; none on what was issued before they were stored.
    #[serde(default)]
    pub buyer_address: Option<PartyAddress>,
    /// The buyer's e-mail address.
    #[serde(default)]
    pub buyer_email: Option<String>,
    /// The address that goods are sent to in its parts; none when nothing is sent.
    #[serde(default)]
    pub delivery_address: Option<PartyAddress>,
    /// The gateway that the buyer has chosen.
    #[serde(default)]
    pub payment_method: String,
    /// What was sold, or is credited.
    #[serde(default)]
    pub lines: Vec<DocumentLine>,
    /// Sum of the lines, before the discount.
    #[serde(default)]
    pub subtotal_amount: i64,
    /// Discount on all lines.
    #[serde(default)]
    pub discount_amount: i64,
    /// Code that gave the discount.
    #[serde(default)]
    pub discount_code: Option<String>,
    /// Discounts besides that of the code, within `discount_amount`.
    #[serde(default)]
    pub further_discounts: Vec<DocumentDiscount>,
    /// Price of shipping.
    #[serde(default)]
    pub shipping_amount: i64,
    /// How it was shipped.
    #[serde(default)]
    pub shipping_label: Option<String>,
    /// Taxes, by rate.
    #[serde(default)]
    pub tax_lines: Vec<TaxLine>,
    /// All taxes.
    #[serde(default)]
    pub tax_amount: i64,
    /// What is to be paid, or given back.
    #[serde(default)]
    pub total_amount: i64,
    /// Whether line amounts, discount and shipping include tax.
    #[serde(default)]
    pub prices_include_tax: bool,
    /// When an invoice was paid, or a credit note's amount given back; shown as a day in UTC.
    #[serde(default)]
    pub paid_at: Option<DateTime<Utc>>,
    /// When an invoice was cancelled, after which nothing is to be paid; shown as a day in UTC.
    #[serde(default)]
    pub cancelled_at: Option<DateTime<Utc>>,
    /// More to say to the buyer.
    #[serde(default)]
    pub note: Option<String>,
}

/// A postal address in its parts, as machines read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PartyAddress {
    /// A person's name.
    pub name: String,
    /// A company's name.
    pub company: Option<String>,
    /// Street and number.
    pub line1: String,
    /// What the first line has no room for.
    pub line2: Option<String>,
    /// The city.
    pub city: String,
    /// The postal code.
    pub postal_code: String,
    /// State, province or region.
    pub region: Option<String>,
    /// The country's two-letter code in capitals.
    pub country: String,
}

/// The kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// What an order costs.
    Invoice,
    /// What of an invoice is taken back.
    CreditNote,
}

/// Who sold: the letterhead and the footer of a document. What is not known is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seller {
    /// Name of the company.
    pub name: String,
    /// Its address, line by line.
    pub address: Vec<String>,
    /// Its number with the tax office.
    pub tax_id: Option<String>,
    /// Where it is registered.
    pub registration: Option<String>,
    /// Its e-mail address.
    pub email: Option<String>,
    /// Its telephone number.
    pub phone: Option<String>,
    /// Its website.
    pub website: Option<String>,
    /// Its bank.
    pub bank: Option<String>,
    /// Its account there.
    pub iban: Option<String>,
    /// Last words on each page.
    pub footer: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// The postal code.
    pub postal_code: Option<String>,
    /// The city.
    pub city: Option<String>,
    /// The country's two-letter code in capitals.
    pub country: Option<String>,
    /// Whom to ask about a document.
    pub contact_name: Option<String>,
    /// Where electronic messages go; its e-mail address if none is said.
    pub electronic_address: Option<String>,
    /// The code of what kind of address that is, of the list EAS: `EM` is e-mail.
    pub electronic_address_scheme: Option<String>,
    /// The code of its bank.
    pub bic: Option<String>,
    /// In whose name the account is.
    pub account_name: Option<String>,
    /// Why no tax is charged where none is.
    pub tax_exemption: Option<String>,
}

/// A discount that has a name of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentDiscount {
    /// What it is for.
    pub label: String,
    /// What it takes off.
    pub amount: i64,
}

/// One product on a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentLine {
    /// Its name.
    pub label: String,
    /// Its stock keeping unit.
    pub sku: Option<String>,
    /// What was chosen for it.
    pub options: Vec<DocumentOption>,
    /// How many.
    pub quantity: i64,
    /// Price of one, before the discount.
    pub unit_amount: i64,
    /// This line's part of the discount.
    pub discount_amount: i64,
    /// Rate of its tax in basis points: 2100 is 21 %.
    pub tax_rate: i64,
    /// Price of all, before the discount.
    pub line_total_amount: i64,
    /// The tax of what is left of it after the discount; none on what was issued before it was stored.
    pub tax_amount: Option<i64>,
    /// Whether it is sent as goods.
    pub is_shipped: bool,
}

/// What was chosen for an option of a product.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentOption {
    /// The option.
    pub label: String,
    /// The choice.
    pub display: String,
}

/// The tax of one rate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaxLine {
    /// The rate in basis points.
    pub rate: i64,
    /// What it is the tax of, without tax.
    pub net_amount: i64,
    /// The tax.
    pub tax_amount: i64,
}

impl Seller {
    /// The seller as the configuration describes it; without a name of its own, it has the shop's. An address that is
    /// made of its parts names the country in this language.
    pub fn new(config: &SellerConfig, shop_name: &str, language: Language) -> Self {
        let country = config.country.or_else(|| config.member_state()).map(|country| country.as_str().to_owned());
        let config = config.clone();
        let place = [config.postal_code.as_deref(), config.city.as_deref()].into_iter().flatten().collect::<Vec<_>>();
        let written_country = config
            .country
            .map(|country| country_name(country.as_str(), language).unwrap_or_else(|| country.as_str().to_owned()));
        let lines = [config.street.clone(), Some(place.join(" ")), written_country].into_iter().flatten();
        let written = lines.filter(|line| !line.is_empty()).collect();
        Self {
            name: config.name.unwrap_or_else(|| shop_name.to_owned()),
            address: if config.address.is_empty() { written } else { config.address },
            tax_id: config.tax_id,
            registration: config.registration,
            email: config.email,
            phone: config.phone,
            website: config.website,
            bank: config.bank_name,
            iban: config.iban,
            footer: config.footer,
            street: config.street,
            postal_code: config.postal_code,
            city: config.city,
            country,
            contact_name: config.contact_name,
            electronic_address: config.electronic_address,
            electronic_address_scheme: config.electronic_address_scheme,
            bic: config.bic,
            account_name: config.account_name,
            tax_exemption: config.tax_exemption,
        }
    }
}
