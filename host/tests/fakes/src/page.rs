//! The page where a customer pays or gives up.

use std::fmt::Write;

use axum::extract::RawPathParams;
use axum::response::Html;

/// A page with one button for each of the customer's choices; each posts to its address.
pub(crate) fn page(provider: &str, what: &str, amount: &str, choices: &[(&str, String)]) -> Html<String> {
    let mut buttons = String::new();
    for (label, address) in choices {
        let (label, address) = (escape(label), escape(address));
        let _ = write!(buttons, "<form method=post action=\"{address}\"><button>{label}</button></form>");
    }
    Html(format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Fake for {0}</title>\
         <style>body{{font-family:sans-serif;max-width:30em;margin:3em auto}}button{{font-size:1.2em;margin:.3em 0}}</style>\
         <h1>Fake for {0}</h1><p>{1}: <b>{2}</b></p>{buttons}<p>No money moves here.</p>",
        escape(provider),
        escape(what),
        escape(amount),
    ))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One part of a path.
pub(crate) fn part(path: &RawPathParams, name: &str) -> String {
    path.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).unwrap_or_default()
}
