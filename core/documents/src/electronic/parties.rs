//! Who sold, who bought, and where the goods went.

use en16931::invoice::{Code, Contact, Delivery, Party, PostalAddress};
use en16931::{Identifier, invoice::Period};

use stoa_kernel::config::CountryCode;
use stoa_kernel::vat_id::VatId;

use super::model::day;
use crate::pdf::clean::clean;
use crate::pdf::{Document, PartyAddress, Seller};

/// Who sold.
pub(super) fn seller(seller: &Seller) -> Party {
    let vat_id = vat_id(seller);
    let tax_number = said(seller.tax_id.as_deref()).filter(|_| vat_id.is_none());
    let registration = said(seller.registration.as_deref()).map(Identifier::new);
    // Whoever has neither a VAT ID nor a registration is known by the tax number.
    let known_by = tax_number.clone().filter(|_| registration.is_none());
    let name = said(Some(&seller.name));
    Party {
        contact: Contact {
            name: said(seller.contact_name.as_deref()).or_else(|| name.clone()),
            phone: said(seller.phone.as_deref()),
            email: said(seller.email.as_deref()),
        },
        name,
        identifiers: known_by.into_iter().map(Identifier::new).collect(),
        legal_registration: registration,
        vat_identifier: vat_id,
        tax_registration: tax_number,
        electronic_address: electronic_address(seller),
        address: PostalAddress {
            line1: said(seller.street.as_deref()),
            city: said(seller.city.as_deref()),
            post_code: said(seller.postal_code.as_deref()),
            country: seller.country.as_deref().map(Code::new),
            ..PostalAddress::default()
        },
        ..Party::default()
    }
}

/// Who bought.
pub(super) fn buyer(document: &Document) -> Party {
    let address = document.buyer_address.clone().unwrap_or_default();
    let company = said(address.company.as_deref());
    let person = said(Some(&address.name));
    let contact = Contact { name: person.clone().filter(|_| company.is_some()), ..Contact::default() };
    Party {
        name: company.or(person),
        vat_identifier: said(document.buyer_vat_id.as_deref()),
        electronic_address: said(document.buyer_email.as_deref()).map(|email| Identifier::schemed(email, "EM")),
        address: postal(&address),
        contact,
        ..Party::default()
    }
}

/// Where the goods went.
pub(super) fn delivery(document: &Document) -> Option<Delivery> {
    let address = document.delivery_address.as_ref().filter(|address| !address.country.is_empty())?;
    let name = said(address.company.as_deref()).or_else(|| said(Some(&address.name)));
    Some(Delivery { party_name: name, address: Some(postal(address)), ..Delivery::default() })
}

/// From when on was delivered: the day of the invoice.
pub(super) fn period(document: &Document) -> Period {
    Period { start: day(document.invoice_issued_at.unwrap_or(document.issued_at)), end: None }
}

/// The seller's VAT ID, which begins with the letters of a country; what does not is a tax number.
pub(super) fn vat_id(seller: &Seller) -> Option<String> {
    let id = VatId::parse(seller.tax_id.as_deref()?)?;
    let is_of_a_country = id.is_of_union() || CountryCode::parse(id.prefix()).is_some();
    is_of_a_country.then(|| id.to_string())
}

fn electronic_address(seller: &Seller) -> Option<Identifier> {
    let address = said(seller.electronic_address.as_deref().or(seller.email.as_deref()))?;
    let scheme = seller.electronic_address_scheme.as_deref().filter(|_| seller.electronic_address.is_some());
    Some(Identifier::schemed(address, scheme.unwrap_or("EM")))
}

fn postal(address: &PartyAddress) -> PostalAddress {
    PostalAddress {
        line1: said(Some(&address.line1)),
        line2: said(address.line2.as_deref()),
        city: said(Some(&address.city)),
        post_code: said(Some(&address.postal_code)),
        subdivision: said(address.region.as_deref()),
        country: said(Some(&address.country)).map(Code::new),
        ..PostalAddress::default()
    }
}

/// A text as it may stand in a file; none when nothing is left of it.
pub(super) fn said(text: Option<&str>) -> Option<String> {
    text.map(clean).filter(|text| !text.is_empty())
}
