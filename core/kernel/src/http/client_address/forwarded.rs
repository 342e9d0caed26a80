//! The `Forwarded` header of RFC 7239, read from the right.

use std::net::IpAddr;

use super::address_of;

/// What one element of the header says about the address it was forwarded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It has no `for` parameter.
    Silent,
    /// Its `for` parameter is hidden, unknown or malformed.
    Unusable,
    /// It names this address.
    Address(IpAddr),
}

/// The elements of one header line, the last one first.
///
/// A line is cut from the right, because only its right end was written by proxies: read from the left, a lone quotation
/// mark from the client would swallow what the proxies wrote after it.
pub(super) fn elements_from_right(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let mut quoted = false;
        for (position, byte) in line.iter().enumerate().rev() {
            match byte {
                b'"' if !is_escaped(line, position) => quoted = !quoted,
                b',' if !quoted => {
                    rest = Some(&line[..position]);
                    return Some(&line[position + 1..]);
                }
                _ => {}
            }
        }
        rest = None;
        Some(line)
    })
}

/// Reads the `for` parameter of one element, such as `for="[2001:db8::1]:4711";proto=https`.
pub(super) fn claim(element: &[u8]) -> Claim {
    let mut quoted = false;
    let parameters = element.split(|byte| {
        quoted ^= *byte == b'"';
        *byte == b';' && !quoted
    });
    let mut found = Claim::Silent;
    for parameter in parameters {
        let Some(equals) = parameter.iter().position(|byte| *byte == b'=') else { continue };
        let (name, value) = (&parameter[..equals], &parameter[equals + 1..]);
        if !name.trim_ascii().eq_ignore_ascii_case(b"for") {
            continue;
        }
        if found != Claim::Silent {
            return Claim::Unusable;
        }
        found = unquoted(value.trim_ascii()).and_then(address_of).map_or(Claim::Unusable, Claim::Address);
    }
    found
}

/// Takes the quotation marks off. No address needs an escaped character, so a value with one is not an address.
fn unquoted(value: &[u8]) -> Option<&[u8]> {
    match value {
        [b'"', inner @ .., b'"'] => Some(inner),
        _ => Some(value),
    }
    .filter(|value| !value.contains(&b'"') && !value.contains(&b'\\'))
}

fn is_escaped(line: &[u8], position: usize) -> bool {
    let backslashes = line[..position].iter().rev().take_while(|byte| **byte == b'\\').count();
    backslashes % 2 == 1
}
