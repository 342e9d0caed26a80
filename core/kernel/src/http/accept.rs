//! Which form of a thing the client prefers, where it comes in several (RFC 9110, 12.5.1).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, header};

use super::shape::Takes;

/// What every route of the API answers with.
const JSON: &str = "application/json";

/// The media types that the client accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    ranges: Vec<Range>,
}

/// One range of the header, such as `text/*;q=0.5`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Range {
    kind: String,
    subtype: String,
    /// In thousandths.
    quality: u16,
}

impl Range {
    /// None for what has not the form of a range: it is passed over, as if it were not there.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let mut quality = 1000;
        for parameter in parts {
            match parameter.split_once('=') {
                Some((name, value)) if name.trim().eq_ignore_ascii_case("q") => quality = thousandths(value.trim())?,
                _ => {}
            }
        }
        Some(Self { kind: kind.to_ascii_lowercase(), subtype: subtype.to_ascii_lowercase(), quality })
    }

    /// How exactly the range names a media type; none when it does not.
    fn precision(&self, media_type: &str) -> Option<u8> {
        let (kind, subtype) = media_type.split_once('/')?;
        match (self.kind.as_str(), self.subtype.as_str()) {
            ("*", "*") => Some(0),
            (own, "*") if own == kind => Some(1),
            (own, exact) if own == kind && exact == subtype => Some(2),
            _ => None,
        }
    }
}

/// `0`, `1`, or one of them with up to three decimals; no more than 1.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = decimals.len() <= 3 && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let quality = match whole {
        "0" if is_number => format!("{decimals:0<3}").parse().ok()?,
        "1" if is_number => 1000 + format!("{decimals:0<3}").parse::<u16>().ok()?,
        _ => return None,
    };
    (quality <= 1000).then_some(quality)
}

impl Accepted {
    /// Reads the values of the header.
    fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        Self { ranges: values.flat_map(|value| value.split(',')).filter_map(Range::parse).collect() }
    }

    /// Quality and precision of the range that speaks of a media type most exactly.
    fn quality(&self, media_type: &str) -> (u16, u8) {
        let matching = self.ranges.iter().filter_map(|range| Some((range.precision(media_type)?, range.quality)));
        matching.max_by_key(|(precision, _)| *precision).map_or((0, 0), |(precision, quality)| (quality, precision))
    }

    /// Which of these media types the client would rather have than JSON; the first of those that it likes most. Where it likes one
    /// and JSON alike, it is the one that it names; otherwise it is JSON, also for those who accept none.
    pub fn preferred<'a>(&self, media_types: &[&'a str]) -> Option<&'a str> {
        let json = self.quality(JSON);
        let wanted = media_types.iter().rev().map(|media_type| (self.quality(media_type), *media_type));
        let wanted = wanted.filter(|(quality, _)| quality.0 > 0 && *quality > json);
        wanted.max_by_key(|(quality, _)| *quality).map(|(_, media_type)| media_type)
    }

    /// Whether the client would rather have this media type than JSON.
    pub fn prefers(&self, media_type: &str) -> bool {
        self.preferred(&[media_type]).is_some()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Accepted {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let values = parts.headers.get_all(header::ACCEPT).iter();
        Ok(Self::of(values.filter_map(|value| value.to_str().ok())))
    }
}

impl Takes for Accepted {}

/// Whether a client takes answers compressed with gzip (RFC 9110, 12.5.3): it names the coding, or any, and does not refuse it.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name == "*" || name.eq_ignore_ascii_case("gzip"));
        let is_refused =
            parts.filter_map(|weight| weight.strip_prefix("q=")).any(|weight| weight.parse() == Ok(0.0_f32));
        is_named && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_that_is_liked_better_is_answered() {
        for (header, is_pdf) in [
            ("application/pdf", true),
            ("Application/PDF;q=0.1", true),
            ("application/pdf, application/json;q=0.9", true),
            ("application/json;q=0.5, application/pdf;q=0.6", true),
            ("application/pdf, */*", true),
            ("application/*;q=0.5, application/json;q=0.4", true),
            ("text/html;level=1, application/pdf; Q=0.300", true),
            ("", false),
            ("*/*", false),
            ("application/*", false),
            ("text/html", false),
            ("application/json", false),
            ("application/json, application/pdf", false),
            ("application/pdf;q=0.8, */*", false),
            ("application/pdf;q=0", false),
            ("application/pdf;q=0, */*", false),
            ("application/pdf;q=0.5, application/json;q=0.6", false),
            ("application/pdf;q=1.5", false),
            ("application/pdf;q=-1", false),
            ("application/pdf;q=0.1234", false),
            ("pdf", false),
            ("/,;=,*/pdf", false),
        ] {
            assert_eq!(Accepted::of([header].into_iter()).prefers("application/pdf"), is_pdf, "{header}");
        }
    }

    #[test]
    fn the_header_may_come_in_several_lines() {
        let accepted = Accepted::of(["application/json;q=0.2", "application/pdf;q=0.3"].into_iter());
        assert!(accepted.prefers("application/pdf"));
    }

    #[test]
    fn of_several_forms_the_one_that_is_liked_most_is_answered_and_the_first_among_equals() {
        const FORMS: [&str; 2] = ["application/pdf", "application/xml"];
        for (header, expected) in [
            ("application/xml", Some("application/xml")),
            ("application/xml, application/pdf", Some("application/pdf")),
            ("application/xml, application/pdf;q=0.9", Some("application/xml")),
            ("application/xml;q=0.5, application/pdf;q=0.4, application/json;q=0.1", Some("application/xml")),
            ("application/xml;q=0.5, application/json", None),
            ("text/xml", None),
        ] {
            assert_eq!(Accepted::of([header].into_iter()).preferred(&FORMS), expected, "{header}");
        }
    }

    fn takes(value: &'static str) -> bool {
        takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, http::HeaderValue::from_static(value))]))
    }

    #[test]
    fn gzip_is_used_where_the_client_takes_it() {
        for value in ["gzip", "GZIP", "br, gzip;q=0.5", "deflate,*"] {
            assert!(takes(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "gzip; q=0.000", "identity"] {
            assert!(!takes(value), "{value}");
        }
    }
}
