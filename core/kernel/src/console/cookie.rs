//! The cookies of the console: that of a session, and that of who stands before the door. A customer's are others, and open nothing
//! here.

use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use http::{HeaderMap, HeaderValue};

use crate::auth::{RandomSecret, are_secure, cookie_value};

/// The name of the cookie. On `https` its prefix binds it to this host.
pub fn staff_cookie_name(base_url: &str) -> &'static str {
    if are_secure(base_url) { "__Host-stoa_staff" } else { "stoa_staff" }
}

/// The session that a request presents, whether it exists or not.
pub fn presented_staff_session(headers: &HeaderMap, base_url: &str) -> Option<RandomSecret> {
    cookie_value(headers, staff_cookie_name(base_url)).and_then(RandomSecret::parse)
}

/// Has a browser keep a session until it is closed; when it ends before, the database says.
pub fn staff_cookie(secret: &RandomSecret, base_url: &str) -> HeaderValue {
    header(staff_cookie_name(base_url), base_url, secret.expose(), None)
}

/// Has a browser forget its session.
pub fn forget_staff_cookie(base_url: &str) -> HeaderValue {
    header(staff_cookie_name(base_url), base_url, "", Some(Duration::ZERO))
}

/// The name of the cookie by which a browser without a session is known that was asked for a passkey.
fn door_cookie_name(base_url: &str) -> &'static str {
    if are_secure(base_url) { "__Host-stoa_door" } else { "stoa_door" }
}

/// The secret of a browser that was asked for a passkey before it logs in.
pub fn presented_door_secret(headers: &HeaderMap, base_url: &str) -> Option<RandomSecret> {
    cookie_value(headers, door_cookie_name(base_url)).and_then(RandomSecret::parse)
}

/// Has a browser keep such a secret for as long as it may take.
pub fn door_cookie(secret: &RandomSecret, base_url: &str) -> HeaderValue {
    header(door_cookie_name(base_url), base_url, secret.expose(), Some(Duration::minutes(10)))
}

fn header(name: &str, base_url: &str, value: &str, lasts: Option<Duration>) -> HeaderValue {
    let mut cookie = Cookie::build((name, value)).path("/").http_only(true);
    cookie = cookie.same_site(SameSite::Strict).secure(are_secure(base_url));
    if let Some(lasts) = lasts {
        cookie = cookie.max_age(lasts);
    }
    HeaderValue::from_str(&cookie.build().to_string()).expect("letters, digits and punctuation are visible ASCII")
}
