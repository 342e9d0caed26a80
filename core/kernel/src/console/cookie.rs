//! The cookie of the console's sessions. A customer's is another one, and opens nothing here.

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
    header(base_url, secret.expose(), None)
}

/// Has a browser forget its session.
pub fn forget_staff_cookie(base_url: &str) -> HeaderValue {
    header(base_url, "", Some(Duration::ZERO))
}

fn header(base_url: &str, value: &str, lasts: Option<Duration>) -> HeaderValue {
    let mut cookie = Cookie::build((staff_cookie_name(base_url), value)).path("/").http_only(true);
    cookie = cookie.same_site(SameSite::Strict).secure(are_secure(base_url));
    if let Some(lasts) = lasts {
        cookie = cookie.max_age(lasts);
    }
    HeaderValue::from_str(&cookie.build().to_string()).expect("letters, digits and punctuation are visible ASCII")
}
