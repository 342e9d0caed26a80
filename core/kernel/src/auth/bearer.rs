//! Personal access tokens: `<id>|<secret>`, of which only the secret's SHA-256 is stored.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use http::HeaderValue;
use ipnet::IpNet;
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use subtle::ConstantTimeEq;

use super::ability::FULL_ACCESS;
use super::principal::AccountHolder;
use super::queries;
use crate::clock::Clock;
use crate::db::{Db, DbError, Tx};
use crate::http::client_address::unify;
use crate::http::error::ApiError;
use crate::random::Random;

/// Characters of a secret; 48 letters and digits hold 285 bits.
const SECRET_LENGTH: usize = 48;

/// A token that was presented and found valid.
#[derive(Debug, Clone)]
pub struct Bearer {
    /// The token's id.
    pub token_id: i64,
    /// Whose token it is.
    pub customer_id: i64,
    /// The user behind the customer.
    pub user_id: i64,
    abilities: Vec<String>,
    networks: Vec<IpNet>,
    /// The last use that was noted.
    pub(super) last_used_at: Option<DateTime<Utc>>,
    pub(super) holder: AccountHolder,
}

impl Bearer {
    /// Whether the token opens routes that need `ability` (S5.1 rule 4).
    pub fn grants(&self, ability: &str) -> bool {
        self.abilities.iter().any(|own| own == FULL_ACCESS || own == ability)
    }

    /// Whether the token may be used from this address (S5.1 rule 7): an empty policy allows any.
    ///
    /// IPv4 in IPv6 form is taken for what it is, in the policy as in the address. The unspecified address stands for
    /// a client of whom nothing is known for sure, so no policy allows it.
    pub fn allows_address(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let is_within = || self.networks.iter().any(|network| unify(*network).contains(&address));
        self.networks.is_empty() || (!address.is_unspecified() && is_within())
    }
}

#[derive(sqlx::FromRow)]
struct TokenRow {
    id: i64,
    customer_id: i64,
    user_id: i64,
    secret_hash: Vec<u8>,
    abilities: Json<Vec<String>>,
    networks: Json<Vec<IpNet>>,
    last_used_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
    #[sqlx(flatten)]
    holder: AccountHolder,
}

/// Finds the token of an `Authorization` header. Everything but a valid bearer token is 401.
pub async fn authenticate_bearer(db: &Db, clock: &Clock, header: &HeaderValue) -> Result<Bearer, ApiError> {
    let (id, secret) = header
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .and_then(|(_, token)| split(token.trim()))
        .ok_or_else(ApiError::unauthenticated)?;
    let found = db.read(queries::FIND_TOKEN).bind(id).optional::<TokenRow>().await?;
    // An unknown id is compared too, so that it takes as long as a wrong secret.
    let stored = found.as_ref().map_or([0_u8; 32].as_slice(), |row| row.secret_hash.as_slice());
    let matches = bool::from(hash(secret).as_slice().ct_eq(stored));
    let row = found.filter(|_| matches).ok_or_else(ApiError::unauthenticated)?;
    if row.expires_at.is_some_and(|end| end <= clock.now()) {
        return Err(ApiError::unauthenticated());
    }
    Ok(Bearer {
        token_id: row.id,
        customer_id: row.customer_id,
        user_id: row.user_id,
        abilities: row.abilities.0,
        networks: row.networks.0,
        last_used_at: row.last_used_at,
        holder: row.holder,
    })
}

fn split(token: &str) -> Option<(i64, &str)> {
    let (id, secret) = token.split_once('|')?;
    let plain = id.bytes().all(|byte| byte.is_ascii_digit()) && secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let id = id.parse::<i64>().ok()?;
    (plain && id > 0 && (40..=255).contains(&secret.len())).then_some((id, secret))
}

fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Deletes a token; it is dead from the commit on (S5.4).
pub async fn revoke_token(tx: &mut Tx, token_id: i64) -> Result<(), DbError> {
    tx.run(queries::DELETE_TOKEN).bind(token_id).execute().await.map(drop)
}

/// A token to be made.
#[derive(Debug, Clone)]
pub struct NewToken<'a> {
    /// Whose token it shall be.
    pub customer_id: i64,
    /// The name that the customer gave it.
    pub name: &'a str,
    /// What it shall open; `*` for everything, empty for no route at all.
    pub abilities: &'a [String],
    /// Source networks it may be used from; empty for any.
    pub networks: &'a [IpNet],
    /// When it ends; none for never.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Stores a new token and returns its plain text, which is nowhere else.
pub async fn issue_token(tx: &mut Tx, random: &Random, new: NewToken<'_>) -> Result<String, DbError> {
    let secret = random.alphanumeric(SECRET_LENGTH);
    let now = tx.now();
    let id: i64 = tx
        .run(queries::INSERT_TOKEN)
        .bind(new.customer_id)
        .bind(new.name)
        .bind(hash(&secret).to_vec())
        .bind(Json(new.abilities))
        .bind(Json(new.networks))
        .bind(now)
        .bind(new.expires_at)
        .scalar()
        .await?;
    Ok(format!("{id}|{secret}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearer(networks: &[&str]) -> Bearer {
        Bearer {
            token_id: 1,
            customer_id: 2,
            user_id: 3,
            abilities: Vec::new(),
            networks: networks.iter().map(|text| text.parse().expect(text)).collect(),
            last_used_at: None,
            holder: AccountHolder { name: String::new(), email: String::new(), email_verified: false, guest: false },
        }
    }

    #[track_caller]
    fn assert_allowed(networks: &[&str], allowed: &[&str], refused: &[&str]) {
        let bearer = bearer(networks);
        let is_allowed = |text: &&&str| bearer.allows_address(text.parse().expect("an address"));
        assert_eq!(allowed.iter().filter(|text| !is_allowed(text)).collect::<Vec<_>>(), [&""; 0], "refused");
        assert_eq!(refused.iter().filter(is_allowed).collect::<Vec<_>>(), [&""; 0], "allowed");
    }

    #[test]
    fn a_network_allows_its_addresses_and_no_others() {
        assert_allowed(&["192.0.2.0/24"], &["192.0.2.0", "192.0.2.255"], &["192.0.1.255", "192.0.3.0", "2001:db8::1"]);
        assert_allowed(&["2001:db8::/32"], &["2001:db8::", "2001:db8:ffff::1"], &["2001:db9::", "192.0.2.1"]);
        assert_allowed(&["10.0.0.0/8", "::1/128"], &["10.255.0.1", "::1"], &["11.0.0.1", "::2", "127.0.0.1"]);
    }

    #[test]
    fn ipv4_in_ipv6_form_is_taken_for_what_it_is() {
        assert_allowed(&["192.0.2.0/24"], &["::ffff:192.0.2.7"], &["::ffff:192.0.3.7", "::192.0.2.7"]);
        assert_allowed(&["::ffff:10.0.0.0/104"], &["10.1.2.3", "::ffff:10.1.2.3"], &["11.0.0.1", "::ffff:11.0.0.1"]);
    }

    #[test]
    fn without_networks_every_address_is_allowed() {
        assert_allowed(&[], &["192.0.2.7", "2001:db8::1", "0.0.0.0", "::"], &[]);
    }

    #[test]
    fn no_policy_allows_an_address_that_is_not_known() {
        assert_allowed(&["0.0.0.0/1", "::/1", "0.0.0.0/32"], &["1.2.3.4"], &["0.0.0.0", "::", "::ffff:0.0.0.0"]);
    }

    #[test]
    fn the_zone_of_an_address_does_not_matter() {
        let peer = "[fe80::1%7]:40000".parse::<std::net::SocketAddr>().expect("an address with a zone");
        assert!(bearer(&["fe80::/10"]).allows_address(peer.ip()));
        assert!(!bearer(&["fe80::2/128"]).allows_address(peer.ip()));
    }
}
