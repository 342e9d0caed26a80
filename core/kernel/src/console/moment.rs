//! Moments as people type them.

use chrono::{DateTime, FixedOffset, NaiveDateTime};

/// What people are told where a moment is typed.
pub const MOMENT_HINT: &str = "Such as 2031-05-01 19:00 +02:00; without the offset of the place, UTC.";

const WITH_OFFSET: [&str; 2] = ["%Y-%m-%d %H:%M%:z", "%Y-%m-%d %H:%M:%S%:z"];
const WITHOUT: [&str; 2] = ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"];

/// A moment that was typed, in the form of the API (RFC 3339): what has that form already stays as it is. None of what is no moment.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::console::moment;
///
/// assert_eq!(moment("2031-05-01 19:00 +02:00").as_deref(), Some("2031-05-01T19:00:00+02:00"));
/// assert_eq!(moment("2031-05-01T19:00").as_deref(), Some("2031-05-01T19:00:00+00:00"));
/// assert_eq!(moment("2031-05-01T19:00:00Z").as_deref(), Some("2031-05-01T19:00:00Z"));
/// assert_eq!(moment("tomorrow"), None);
/// ```
pub fn moment(text: &str) -> Option<String> {
    let text = text.trim();
    if DateTime::parse_from_rfc3339(text).is_ok() {
        return Some(text.to_owned());
    }
    let plain = text.replacen('T', " ", 1).replace(" +", "+").replace(" -", "-");
    let local = WITH_OFFSET.iter().find_map(|form| DateTime::<FixedOffset>::parse_from_str(&plain, form).ok());
    let in_utc = || WITHOUT.iter().find_map(|form| NaiveDateTime::parse_from_str(&plain, form).ok());
    let typed = local.or_else(|| in_utc().map(|time| time.and_utc().fixed_offset()));
    typed.map(|time| time.to_rfc3339())
}
