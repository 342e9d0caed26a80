//! Where links lead: to another page, or to the repository for what is not part of the documentation.

use crate::sources;

/// Where everything stands that is no page.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The files that are pages under another address than their path says.
const ELSEWHERE: &[(&str, &str)] =
    &[("core/README.md", "modules/guide"), ("CHANGELOG.md", "changelog"), ("config.toml", "reference/config.toml")];

/// Where the pages of the guide for authors of modules lie, which stand below its overview.
const GUIDE: &str = "core/guide/";

/// The address of the page that is made of a file, below `/docs/`; empty for the contents.
pub(crate) fn address_of(path: &str) -> Option<String> {
    if let Some((_, address)) = ELSEWHERE.iter().find(|(file, _)| *file == path) {
        return Some((*address).to_owned());
    }
    let stem = path.strip_suffix(".md")?;
    if let Some(page) = stem.strip_prefix(GUIDE) {
        return Some(format!("modules/guide/{page}"));
    }
    let stem = stem.strip_suffix("README").map_or(stem, |folder| folder.trim_end_matches('/'));
    Some(stem.strip_prefix("docs").map_or(stem, |rest| rest.trim_start_matches('/')).to_owned())
}

/// The link that a page shows for one of its file's: `../sell/tax.md#reports` in `docs/operate/backup.md` is `/docs/sell/tax#reports`.
pub(crate) fn resolve(link: &str, from: &str) -> String {
    if link.starts_with('#') || link.starts_with('/') || link.contains("://") || link.starts_with("mailto:") {
        return link.to_owned();
    }
    if link.contains("::") {
        // The documentation of Rust reads it: a name in the crates that authors use.
        return String::from("/docs/modules/guide");
    }
    let (path, anchor) = link.split_once('#').map_or((link, String::new()), |(path, at)| (path, format!("#{at}")));
    let path = join(from, path);
    if let Some(picture) = path.strip_prefix("docs/pictures/") {
        return format!("/docs/pictures/{picture}");
    }
    let page = [path.clone(), format!("{path}/README.md")].into_iter().find(|path| sources::is_there(path));
    match page.and_then(|path| address_of(&path)) {
        Some(address) if address.is_empty() => format!("/docs{anchor}"),
        Some(address) => format!("/docs/{address}{anchor}"),
        None => format!("{REPOSITORY}/blob/v{}/{path}{anchor}", env!("CARGO_PKG_VERSION")),
    }
}

/// A path beside a file, from the top of the repository.
fn join(from: &str, path: &str) -> String {
    let mut parts = from.split('/').collect::<Vec<_>>();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_file_is_one_to_its_page() {
        let from = "docs/operate/backup.md";
        assert_eq!(resolve("../sell/tax.md#reports", from), "/docs/sell/tax#reports");
        assert_eq!(resolve("../README.md", from), "/docs");
        assert_eq!(resolve("../../modules/inventory/README.md", from), "/docs/modules/inventory");
        assert_eq!(resolve("../../core/README.md#at-a-glance", from), "/docs/modules/guide#at-a-glance");
        assert_eq!(resolve("../../core/guide/data.md#migrations", from), "/docs/modules/guide/data#migrations");
        assert_eq!(resolve("../README.md", "core/guide/data.md"), "/docs/modules/guide");
        assert_eq!(resolve("#restore", from), "#restore");
        assert_eq!(resolve("https://example.com/a.md", from), "https://example.com/a.md");
    }

    #[test]
    fn a_link_to_what_is_no_page_leads_to_the_repository() {
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!("https://github.com/stoa-shop/stoa/blob/v{version}/deploy/stoa.service");
        assert_eq!(resolve("../../deploy/stoa.service", "docs/operate/deploy.md"), expected);
    }
}
