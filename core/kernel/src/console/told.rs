//! What a form has come to, told by the next page: a cookie carries it there, so that no link can put words into a page.

use std::time::Duration;

use axum::response::Response;
use cookie::{Cookie, SameSite};
use http::{HeaderMap, HeaderValue, header};
use url::form_urlencoded;

use super::refused::sentence;
use crate::auth::{are_secure, cookie_value};
use crate::http::answer::see_other;
use crate::secret::Secret;

const COOKIE: &str = "stoa_told";

/// How long the next page may take.
const KEPT: Duration = Duration::from_mins(2);

/// Longest value, so that browsers keep the cookie.
const LONGEST: usize = 3500;

/// What kind of news something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It was done.
    Good,
    /// It was done, and somebody should look again, such as at a ticket for another day.
    Doubtful,
    /// It was not done, such as that a ticket is not valid.
    Bad,
}

impl Tone {
    const ALL: [Self; 3] = [Self::Good, Self::Doubtful, Self::Bad];

    /// The word, as a browser keeps it.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Doubtful => "doubtful",
            Self::Bad => "bad",
        }
    }
}

/// What a form has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// A sentence.
    pub text: String,
    /// What kind of news it is.
    pub tone: Tone,
    pub(crate) stays: bool,
    /// The page that tells it, below the console's path; that of the form without one.
    pub(crate) at: Option<String>,
    pub(crate) once: Option<ShownOnce>,
}

/// What is shown once, in the answer alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownOnce {
    /// What it is called.
    pub label: &'static str,
    /// What it is.
    pub value: Secret,
    /// What is not right yet, though all was done.
    pub warning: Option<String>,
}

impl Told {
    /// What was done, as a sentence.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), tone: Tone::Good, stays: false, at: None, once: None }
    }

    /// What has come of it, such as `valid: ET-000042`, made a sentence.
    pub fn sentence(text: &str) -> Self {
        Self::new(sentence(text))
    }

    /// Makes it bad news.
    #[must_use]
    pub fn bad(self) -> Self {
        Self { tone: Tone::Bad, ..self }
    }

    /// Has somebody look again at what was done.
    #[must_use]
    pub fn doubtful(self) -> Self {
        Self { tone: Tone::Doubtful, ..self }
    }

    /// Whether it is bad news.
    pub fn is_bad(&self) -> bool {
        self.tone == Tone::Bad
    }

    /// Whether somebody should look again.
    pub fn is_doubtful(&self) -> bool {
        self.tone == Tone::Doubtful
    }

    /// Shows the form once more, for the next of many, instead of the page that it belongs to.
    #[must_use]
    pub fn then_next(self) -> Self {
        Self { stays: true, ..self }
    }

    /// Shows another page of the console next, such as `/orders/O-000012`.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Self {
        Self { at: Some(path.into()), ..self }
    }

    /// Shows a secret with it, this once: it stands in the answer to the form alone.
    #[must_use]
    pub fn once(self, label: &'static str, value: Secret) -> Self {
        Self { once: Some(ShownOnce { label, value, warning: None }), ..self }
    }

    /// Says what is not right yet, if anything is: by itself where something is shown once, else behind what was done.
    #[must_use]
    pub fn warns(mut self, warning: Option<String>) -> Self {
        match (&mut self.once, warning) {
            (Some(once), warning) => once.warning = warning,
            (None, Some(warning)) => {
                self.text = format!("{} {warning}", self.text);
                self.tone = Tone::Doubtful;
            }
            (None, None) => {}
        }
        self
    }

    /// Sends the browser on to a page, which tells this.
    pub fn on_page(self, location: &str) -> Response {
        let mut response = see_other(location);
        response.extensions_mut().insert(self);
        response
    }

    /// What the page before has left to tell.
    pub(crate) fn presented(headers: &HeaderMap) -> Option<Self> {
        let (tone, text) = cookie_value(headers, COOKIE)?.split_once('.')?;
        let (text, _) = form_urlencoded::parse(text.as_bytes()).next()?;
        let tone = Tone::ALL.into_iter().find(|known| known.as_str() == tone).unwrap_or(Tone::Good);
        Some(Self { tone, ..Self::new(text) })
    }

    /// The name of the cookie, and what a browser would send of it.
    pub(crate) fn cookie(&self) -> (&'static str, String) {
        (COOKIE, format!("{COOKIE}={}", self.value()))
    }

    fn value(&self) -> String {
        let mut value = format!("{}.", self.tone.as_str());
        for letter in self.text.chars() {
            let more = form_urlencoded::byte_serialize(letter.to_string().as_bytes()).collect::<String>();
            if value.len() + more.len() > LONGEST {
                break;
            }
            value.push_str(&more);
        }
        value
    }
}

impl<T: Into<String>> From<T> for Told {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

/// Has the browser keep what is to be told, or forget what was.
pub(crate) fn carry(response: &mut Response, was_told: bool, base_url: &str, console: &str) {
    let (value, kept) = match response.extensions_mut().remove::<Told>() {
        Some(told) => (told.value(), KEPT),
        None if was_told && is_page(response.headers()) => (String::new(), Duration::ZERO),
        None => return,
    };
    let mut cookie =
        Cookie::build((COOKIE, value)).path(console.to_owned()).http_only(true).secure(are_secure(base_url));
    cookie = cookie.same_site(SameSite::Strict);
    cookie = cookie.max_age(cookie::time::Duration::seconds(kept.as_secs().try_into().unwrap_or_default()));
    if let Ok(line) = HeaderValue::from_str(&cookie.build().to_string()) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
}

fn is_page(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(told: &Told) -> Option<Told> {
        let line = format!("a=b; {COOKIE}={}", told.value());
        Told::presented(&HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(&line).unwrap())]))
    }

    #[test]
    fn any_sentence_comes_through_and_a_long_one_is_cut() {
        for told in [
            Told::new("€20.00 went back; 50% = half & more"),
            Told::new("But look").doubtful(),
            Told::new("Nein: „übel“").bad(),
        ] {
            assert_eq!(carried(&told).as_ref(), Some(&told));
        }
        let long = carried(&Told::new("ü".repeat(5000))).expect("it is carried");
        assert!(long.text.starts_with("üü") && long.text.chars().all(|letter| letter == 'ü'));
    }
}
