//! The link to one order, which opens it without a login (contract 6.3): for guests, who have none, and for everybody who reads
//! mail elsewhere than where they bought.
//!
//! The key in it is signed and not stored. It opens its order for 90 days, and nothing else of the customer.

mod opened;
mod queries;

pub(crate) use opened::OpenedOrder;
pub use opened::{BoughtBy, Buyer, ORDER_KEY, ORDER_NUMBER, OrderKey};

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::Config;
use crate::encryption::Cipher;
use crate::from_shop;
use crate::from_shop::{BaseUrl, OrderPage};
use crate::record_number::OrderNumber;

/// How many days a key opens its order.
const DAYS: i64 = 90;

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// Bytes of the day on which a key ends, which it begins with.
const END: usize = 4;

/// Bytes of the signature that a key carries: 2^128 guesses.
const SIGNATURE: usize = 16;

/// Letters of a key.
const KEY_LETTERS: usize = (END + SIGNATURE) * 4 / 3 + 1;

/// A text without the keys of the links in it, for who may read it and not open what was bought.
pub fn without_order_keys(text: &str) -> String {
    let is_of_key = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let mut shown = String::with_capacity(text.len());
    for part in text.split_inclusive(|letter| !is_of_key(letter)) {
        let word = part.trim_end_matches(|letter| !is_of_key(letter));
        let is_key = word.len() == KEY_LETTERS && shown.ends_with(['=', '/', '#']);
        shown += if is_key { "…" } else { word };
        shown += &part[word.len()..];
    }
    shown
}

from_shop! {
    /// What makes links to orders, and knows them again.
    #[derive(Clone)]
    pub struct OrderLinks {
        cipher: Cipher,
        config: Arc<Config>,
        base_url: BaseUrl,
        page: OrderPage,
    }
}

impl OrderLinks {
    /// The link to an order, made at this time: to the shop's own page, else to that of another website; none in a shop that has no
    /// page to show it on.
    pub fn url(&self, order_id: i64, now: DateTime<Utc>) -> Option<String> {
        let (number, key) = (OrderNumber::of(order_id).to_string(), self.key(order_id, now));
        match self.page.0 {
            Some(page) => Some(format!("{}{}?key={key}", &*self.base_url, page.replace("{number}", &number))),
            None => self.config.shop.order_url.as_ref().map(|template| template.link(&number, &key)),
        }
    }

    /// Whether there is a page that shows orders by their links.
    pub fn has_page(&self) -> bool {
        self.page.0.is_some() || self.config.shop.order_url.is_some()
    }

    /// A key that opens an order from this time on.
    pub fn key(&self, order_id: i64, now: DateTime<Utc>) -> String {
        let last_day = u32::try_from(now.timestamp() / DAY + DAYS).unwrap_or(u32::MAX).to_be_bytes();
        let signature = self.signature(order_id, last_day).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode([&last_day[..], &signature[..SIGNATURE]].concat())
    }

    /// Whether a key opens an order at this time.
    pub fn opens(&self, key: &str, order_id: i64, now: DateTime<Utc>) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(key) else { return false };
        let Some((last_day, signature)) = bytes.split_first_chunk::<END>() else { return false };
        let is_whole = signature.len() == SIGNATURE;
        let is_ours = self.signature(order_id, *last_day).verify_truncated_left(signature).is_ok();
        is_whole && is_ours && now.timestamp() / DAY <= i64::from(u32::from_be_bytes(*last_day))
    }

    fn signature(&self, order_id: i64, last_day: [u8; END]) -> Hmac<Sha256> {
        let key = self.cipher.derive("order link");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length is fine");
        mac.update(&order_id.to_be_bytes());
        mac.update(&last_day);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_without_the_keys_of_its_links() {
        let key = URL_SAFE_NO_PAD.encode([0xfb; END + SIGNATURE]);
        assert_eq!(key.len(), KEY_LETTERS);
        for link in ["https://shop.test/order/O-000001?key={}", "https://other.test/#{}", "https://other.test/{}/order"]
        {
            let text = format!("Your order {key}:\n{}\nThank you – Lumina", link.replace("{}", &key));
            let shown = format!("Your order {key}:\n{}\nThank you – Lumina", link.replace("{}", "…"));
            assert_eq!(without_order_keys(&text), shown);
        }
    }
}
