//! Forms of pages, filled in and sent as a browser does it: with everything that stands in them.

use stoa_core::testing::{TestBrowser, TestResponse};

/// What stands between two texts, and what follows.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(begin)?.1.split_once(end)
}

/// The value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (value, _) = between(tag, &format!(" {name}=\""), "\"")?;
    Some(unescaped(value))
}

fn unescaped(text: &str) -> String {
    let signs = [("&#34;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&#60;", "<"), ("&#62;", ">")];
    let text = signs.iter().fold(text.to_owned(), |text, (coded, sign)| text.replace(coded, sign));
    text.replace("&#38;", "&").replace("&amp;", "&")
}

/// The fields of the first form of a page that is sent to this path, with what stands in them.
pub(crate) fn fields_of(page: &str, action: &str) -> Vec<(String, String)> {
    let begin = format!("<form method=\"post\" action=\"{action}\"");
    let (form, _) = between(page, &begin, "</form>").unwrap_or_else(|| panic!("no form to {action}: {page}"));
    let mut fields = Vec::new();
    let mut rest = form;
    while let Some(at) = rest.find('<') {
        let (tag, behind) = rest[at + 1..].split_once('>').expect("a tag ends");
        rest = behind;
        let kind = tag.split([' ', '>']).next().unwrap_or_default();
        let Some(name) = attribute(&format!(" {tag}"), "name") else { continue };
        let value = match kind {
            "input" if tag.contains("type=\"file\"") => continue,
            "input" if tag.contains("type=\"checkbox\"") && !tag.contains(" checked") => continue,
            "input" => attribute(tag, "value").unwrap_or_default(),
            "textarea" => unescaped(behind.split("</textarea>").next().unwrap_or_default()),
            "select" => chosen(behind.split("</select>").next().unwrap_or_default()),
            _ => continue,
        };
        fields.push((name, value));
    }
    fields
}

/// The option that is chosen, else the first.
fn chosen(options: &str) -> String {
    let options = options.split("<option").skip(1).map(|option| option.split_once('>').expect("an option ends"));
    let options = options.collect::<Vec<_>>();
    let chosen = options.iter().find(|(tag, _)| tag.contains(" selected")).or(options.first());
    chosen.map_or_else(String::new, |(tag, text)| {
        attribute(tag, "value").unwrap_or_else(|| unescaped(text.split('<').next().unwrap_or_default()))
    })
}

/// Opens a page, fills in its form that is sent to a path, in the fields that are named, and sends it.
pub(crate) async fn fill_in(
    browser: &mut TestBrowser,
    page: &str,
    action: &str,
    typed: &[(&str, &str)],
    files: &[(&str, &str, &[u8])],
) -> TestResponse {
    let shown = browser.get(page).await.expect_status(200).text();
    let mut fields = fields_of(&shown, action);
    fields.retain(|(name, _)| !typed.iter().any(|(other, _)| other == name));
    fields.extend(typed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    if shown.contains(&format!("action=\"{action}\" enctype")) || !files.is_empty() {
        browser.upload(action, &fields, files).await
    } else {
        browser.submit(action, &fields).await
    }
}
