//! The two cookies of a first-party session (contract 2.4), read and written.

use cookie::time::Duration;
use cookie::{Cookie, CookieBuilder, SameSite};
use http::{HeaderMap, HeaderValue, header};

use super::csrf::CsrfToken;
use super::session::SessionSecret;
use crate::config::Config;

/// The cookie that scripts of the page read, to send its value back in `X-XSRF-TOKEN`.
pub(crate) const CSRF_COOKIE: &str = "XSRF-TOKEN";

/// The session's cookie. On `https` its prefix makes browsers refuse one that a page of another
/// host below the same domain tries to plant.
pub fn session_cookie_name(base_url: &str) -> &'static str {
    if are_secure(base_url) { "__Host-stoa_session" } else { "stoa_session" }
}

/// Whether cookies must travel encrypted: whether the shop's public address is `https`.
pub(crate) fn are_secure(base_url: &str) -> bool {
    base_url.starts_with("https:")
}

/// The value of a cookie. Several that differ are as good as none: one of them was planted.
pub(crate) fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value);
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

/// The session that a request presents, whether it exists or not.
pub fn presented_session(headers: &HeaderMap, base_url: &str) -> Option<SessionSecret> {
    value(headers, session_cookie_name(base_url)).and_then(SessionSecret::parse)
}

/// The value of the readable cookie.
pub(crate) fn presented_csrf(headers: &HeaderMap) -> Option<&str> {
    value(headers, CSRF_COOKIE)
}

/// Cookies to be set by an answer.
#[derive(Debug, Clone)]
pub struct SetCookies(Vec<HeaderValue>);

impl SetCookies {
    /// The CSRF token alone.
    pub fn csrf(token: &CsrfToken, config: &Config, base_url: &str) -> Self {
        Self(vec![csrf_cookie(token, config, base_url)])
    }

    /// A session, and the CSRF token that belongs to it.
    pub fn session(secret: &SessionSecret, token: &CsrfToken, config: &Config, base_url: &str) -> Self {
        let cookie = Cookie::build((session_cookie_name(base_url), secret.expose()));
        let cookie = common(cookie, base_url).http_only(true).max_age(lifetime(config));
        Self(vec![header(cookie), csrf_cookie(token, config, base_url)])
    }

    /// No session any more, and a CSRF token for whoever comes next.
    pub fn no_session(token: &CsrfToken, config: &Config, base_url: &str) -> Self {
        let cookie = Cookie::build((session_cookie_name(base_url), ""));
        let cookie = common(cookie, base_url).http_only(true).max_age(Duration::ZERO);
        Self(vec![header(cookie), csrf_cookie(token, config, base_url)])
    }

    /// Adds the cookies to an answer's headers.
    pub fn write(self, headers: &mut HeaderMap) {
        for cookie in self.0 {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
}

fn csrf_cookie(token: &CsrfToken, config: &Config, base_url: &str) -> HeaderValue {
    header(common(Cookie::build((CSRF_COOKIE, token.as_str())), base_url).max_age(lifetime(config)))
}

fn common<'a>(cookie: CookieBuilder<'a>, base_url: &str) -> CookieBuilder<'a> {
    cookie.path("/").same_site(SameSite::Lax).secure(are_secure(base_url))
}

/// Cookies live as long as a session can; when it really ends, the database says.
fn lifetime(config: &Config) -> Duration {
    Duration::minutes(i64::from(config.accounts.sessions.absolute_minutes))
}

fn header(cookie: CookieBuilder<'_>) -> HeaderValue {
    HeaderValue::from_str(&cookie.build().to_string()).expect("letters, digits and punctuation are visible ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&'static str]) -> HeaderMap {
        lines.iter().map(|line| (header::COOKIE, HeaderValue::from_static(line))).collect()
    }

    #[test]
    fn a_cookie_is_found_among_others_and_in_several_lines() {
        for lines in
            [&["XSRF-TOKEN=abc"][..], &["a=1; XSRF-TOKEN=abc; b=2"], &["a=1", "XSRF-TOKEN=abc"], &["XSRF-TOKEN=abc;"]]
        {
            assert_eq!(presented_csrf(&headers(lines)), Some("abc"), "{lines:?}");
        }
    }

    #[test]
    fn what_is_no_such_cookie_is_none() {
        for lines in [&[][..], &["xsrf-token=abc"], &["XSRF-TOKEN"], &["XSRF-TOKENS=abc"], &["a=XSRF-TOKEN=abc"]] {
            assert_eq!(presented_csrf(&headers(lines)), None, "{lines:?}");
        }
    }

    #[test]
    fn two_values_under_one_name_are_none() {
        assert_eq!(presented_csrf(&headers(&["XSRF-TOKEN=abc; XSRF-TOKEN=def"])), None);
        assert_eq!(presented_csrf(&headers(&["XSRF-TOKEN=abc", "XSRF-TOKEN=abc"])), Some("abc"));
    }

    #[test]
    fn the_sessions_cookie_is_bound_to_the_host_where_the_shop_is_encrypted() {
        let secret = "a".repeat(48);
        let cookie = HeaderValue::from_str(&format!("stoa_session={secret}")).expect("plain");
        let plain = HeaderMap::from_iter([(header::COOKIE, cookie)]);
        assert!(presented_session(&plain, "http://shop.example").is_some());
        assert!(presented_session(&plain, "https://shop.example").is_none());
    }
}
