//! Shares as operators write them, in percent.

use stoa_kernel::config::BasisPoints;

/// What is expected of a share.
const EXPECTED: &str = "a percentage above 0 and up to 100, with at most two decimals, is expected, such as 10 or 12.5";

/// Reads a share of more than nothing, such as `12.5` or `12.5%`.
pub fn read_percent(text: &str) -> Result<BasisPoints, String> {
    let text = text.trim();
    let number = text.strip_suffix('%').map_or(text, str::trim_end);
    let points = points(number).and_then(BasisPoints::new).filter(|share| share.get() > 0);
    points.ok_or_else(|| EXPECTED.to_owned())
}

/// A plain decimal number as hundredths.
fn points(text: &str) -> Option<u16> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if !is_digits(whole) || !is_digits(decimals) || decimals.len() > 2 {
        return None;
    }
    format!("{whole}{decimals:0<2}").parse().ok()
}

/// A share in percent as operators read it, without decimals that are zeros.
pub fn written_percent(share: BasisPoints) -> String {
    let (whole, rest) = (share.get() / 100, format!("{:02}", share.get() % 100));
    match rest.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{whole}.{decimals}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_has_up_to_two_decimals() {
        for (text, points, shown) in [
            ("10", 1_000, "10"),
            ("12.5", 1_250, "12.5"),
            ("33.33", 3_333, "33.33"),
            ("0.01", 1, "0.01"),
            ("0.1", 10, "0.1"),
            ("100", 10_000, "100"),
            ("100.00", 10_000, "100"),
            (" 007 ", 700, "7"),
            ("10%", 1_000, "10"),
            ("12.5 %", 1_250, "12.5"),
        ] {
            let read = read_percent(text).expect(text);
            assert_eq!((read.get(), written_percent(read)), (points, shown.to_owned()));
        }
        for text in [
            "",
            "0",
            "0.00",
            "101",
            "100.01",
            "-5",
            "+5",
            "%",
            "5%%",
            "12,5",
            "1.234",
            ".5",
            "5.",
            "1e1",
            "ten",
            "655.37",
            "99999999999999999999",
            "٥",
        ] {
            assert_eq!(read_percent(text), Err(EXPECTED.to_owned()), "{text:?}");
        }
    }
}
