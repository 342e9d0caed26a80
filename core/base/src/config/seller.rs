//! `[seller]`: the company behind the shop, as invoices name it.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::country::CountryCode;
use super::value::{self, Malformed};
use crate::vat_id::VatId;

/// Most lines of an address.
const MAX_ADDRESS_LINES: usize = 8;
/// Most characters of the last words on a page.
const MAX_FOOTER: usize = 1000;

/// Settings of the company. All may be absent; what a country demands on an invoice is for the operator to know.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SellerConfig {
    /// Name of the company; that of the shop when absent.
    #[serde(deserialize_with = "value::line")]
    pub name: Option<String>,
    /// Postal address, line by line; made of the following when absent.
    #[serde(deserialize_with = "address")]
    pub address: Vec<String>,
    /// Street and number.
    #[serde(deserialize_with = "value::line")]
    pub street: Option<String>,
    /// Postal code.
    #[serde(deserialize_with = "value::line")]
    pub postal_code: Option<String>,
    /// City.
    #[serde(deserialize_with = "value::line")]
    pub city: Option<String>,
    /// Country.
    pub country: Option<CountryCode>,
    /// VAT identification number or tax number; with a number of the European Union's, its member state is that of the shop.
    #[serde(deserialize_with = "value::line")]
    pub tax_id: Option<String>,
    /// Where the company is registered.
    #[serde(deserialize_with = "value::line")]
    pub registration: Option<String>,
    /// Whom customers ask about an invoice; the company when absent.
    #[serde(deserialize_with = "value::line")]
    pub contact_name: Option<String>,
    /// E-mail address for customers.
    #[serde(deserialize_with = "email")]
    pub email: Option<String>,
    /// Telephone number for customers.
    #[serde(deserialize_with = "value::line")]
    pub phone: Option<String>,
    /// Where electronic messages, such as invoices, go; the e-mail address when absent.
    #[serde(deserialize_with = "value::line")]
    pub electronic_address: Option<String>,
    /// What kind of address that is, by its code in the list EAS; e-mail when absent.
    #[serde(deserialize_with = "scheme")]
    pub electronic_address_scheme: Option<String>,
    /// Address of the website.
    #[serde(deserialize_with = "value::line")]
    pub website: Option<String>,
    /// Name of the bank.
    #[serde(deserialize_with = "value::line")]
    pub bank_name: Option<String>,
    /// Account for bank transfers, in groups of four.
    #[serde(deserialize_with = "iban")]
    pub iban: Option<String>,
    /// Code of the bank.
    #[serde(deserialize_with = "bic")]
    pub bic: Option<String>,
    /// In whose name the account is; the company when absent.
    #[serde(deserialize_with = "value::line")]
    pub account_name: Option<String>,
    /// Why no tax is charged where none is, as the law wants it said.
    #[serde(deserialize_with = "value::line")]
    pub tax_exemption: Option<String>,
    /// Last words on each page, with line ends if need be.
    #[serde(deserialize_with = "footer")]
    pub footer: Option<String>,
}

impl SellerConfig {
    /// The VAT identification number, if `tax_id` is one of the European Union's.
    pub fn vat_id(&self) -> Option<VatId> {
        VatId::parse(self.tax_id.as_deref()?).filter(VatId::is_of_union)
    }

    /// The member state of the Union where the seller owes VAT: that of the VAT identification number.
    pub fn member_state(&self) -> Option<CountryCode> {
        self.vat_id()?.member_state()
    }
}

/// One line of the address.
#[derive(Deserialize)]
struct AddressLine(#[serde(deserialize_with = "value::line")] String);

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let lines = Vec::<AddressLine>::deserialize(deserializer)?;
    if lines.len() > MAX_ADDRESS_LINES {
        return Err(D::Error::custom(format!("an address has at most {MAX_ADDRESS_LINES} lines")));
    }
    Ok(lines.into_iter().map(|AddressLine(line)| line).collect())
}

fn email<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    value::text(deserializer, "an e-mail address, such as \"office@example.com\"", |text| {
        let is_address = text.parse::<lettre::Address>().is_ok();
        is_address.then(|| Some(text.to_owned())).ok_or(Malformed::Unexpected)
    })
}

fn iban<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    value::text(deserializer, "an account number (IBAN), such as \"DE89 3704 0044 0532 0130 00\"", |text| {
        let compact: String = text.chars().filter(|character| *character != ' ').collect();
        let has_form = (15..=34).contains(&compact.len())
            && compact.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && compact.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
            && compact.bytes().skip(2).take(2).all(|byte| byte.is_ascii_digit());
        if !has_form {
            return Err(Malformed::Unexpected);
        }
        if !is_checked(&compact) {
            return Err(Malformed::Because("its check digits do not fit: is there a typing mistake?".to_owned()));
        }
        let mut grouped = String::with_capacity(compact.len() * 5 / 4);
        for (index, character) in compact.chars().enumerate() {
            if index > 0 && index % 4 == 0 {
                grouped.push(' ');
            }
            grouped.push(character);
        }
        Ok(Some(grouped))
    })
}

fn bic<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    value::text(deserializer, "the code of a bank (BIC), such as \"COBADEFFXXX\"", |text| {
        let code = text.to_ascii_uppercase();
        let has_form = matches!(code.len(), 8 | 11)
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && code.bytes().take(6).all(|byte| byte.is_ascii_uppercase());
        has_form.then_some(Some(code)).ok_or(Malformed::Unexpected)
    })
}

fn scheme<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    value::text(deserializer, "a code of the list EAS, such as \"EM\" or \"9930\"", |text| {
        let code = text.to_ascii_uppercase();
        let has_form = code == "EM" || code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit());
        has_form.then_some(Some(code)).ok_or(Malformed::Unexpected)
    })
}

/// ISO 13616: with its first four characters at the end and letters as numbers from 10 on, the number is 1 modulo 97.
fn is_checked(compact: &str) -> bool {
    let (start, rest) = compact.split_at(4);
    let digits = rest.chars().chain(start.chars()).filter_map(|character| character.to_digit(36));
    let remainder = digits.fold(0, |remainder, digit| {
        let shifted = if digit < 10 { remainder * 10 } else { remainder * 100 };
        (shifted + digit) % 97
    });
    remainder == 1
}

fn footer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    value::text(deserializer, "text of 1 to 1000 characters", |text| {
        let text = text.trim();
        let has_controls = text.contains(|character: char| character.is_control() && character != '\n');
        let is_text = !text.is_empty() && text.chars().count() <= MAX_FOOTER && !has_controls;
        is_text.then(|| Some(text.to_owned())).ok_or(Malformed::Unexpected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_of_accounts_are_looked_at() {
        for account in ["DE89370400440532013000", "NL91ABNA0417164300", "UA213223130000026007233566001"] {
            assert!(is_checked(account), "{account}");
            let mistyped = account.replacen('0', "1", 1);
            assert!(!is_checked(&mistyped), "{mistyped}");
        }
    }
}
