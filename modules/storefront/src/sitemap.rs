//! The sitemap: one document, or an index of several where a shop has more pages than one may hold.

use std::fmt::Write;

use axum::extract::State;
use serde_json::Value;

use stoa_core::catalog::path_segment;
use stoa_core::chrono::{DateTime, SecondsFormat, Utc};
use stoa_core::from_shop;
use stoa_core::pages::SitemapReader;
use stoa_core::pages::answer::{Html, PageResponse};
use stoa_core::prelude::*;

use crate::machines::shared;
use crate::queries::{COUNT_PRODUCTS_BY_PART, LIST_PRODUCTS};
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.sitemap", "/sitemap.xml", whole).get("storefront.sitemap_part", "/sitemaps/{part}", part)
}

/// Pages of one document: the protocol allows 50,000.
const MOST_PAGES: usize = 49_000;

/// Successive product ids that one document covers.
const MOST_PRODUCTS: i64 = 49_000;

from_shop! {
    /// What the sitemap is made from.
    pub(crate) struct Sources {
        db: Db,
        pages: SitemapReader,
    }
}

impl Sources {
    /// Home, the categories, the operator's own pages, and what modules have.
    async fn pages_but_products(&self, storefront: &Storefront, view: &mut View) -> ApiResult<Vec<SitemapPage>> {
        let mut pages = vec![SitemapPage::new("/")];
        let categories = view.categories().await?;
        let slug = |category: &Value| category["slug"].as_str().map(|slug| address("c", slug));
        for category in categories.as_array().into_iter().flatten() {
            let children = category["children"].as_array().into_iter().flatten();
            let listed = std::iter::once(category).chain(children).filter_map(slug);
            pages.extend(listed.map(SitemapPage::new));
        }
        let own = storefront.own_pages().slugs().map(|slug| address("pages", slug));
        pages.extend(own.map(SitemapPage::new));
        pages.extend(self.pages.read().await?);
        Ok(pages)
    }

    /// The products of a part, counted from 0.
    async fn products(&self, part: i64) -> ApiResult<Vec<SitemapPage>> {
        let (after, last) = (part.saturating_mul(MOST_PRODUCTS), part.saturating_add(1).saturating_mul(MOST_PRODUCTS));
        let rows = self.db.read(LIST_PRODUCTS).bind(after).bind(last).all::<(String, DateTime<Utc>)>().await?;
        let pages = rows.into_iter().map(|(slug, changed_at)| {
            let path = address("p", &slug);
            SitemapPage { path, changed_at: Some(changed_at) }
        });
        Ok(pages.collect())
    }
}

fn address(folder: &str, name: &str) -> String {
    format!("/{folder}/{}", path_segment(name))
}

async fn whole(
    State(storefront): State<Storefront>,
    Uses(sources): Uses<Sources>,
    mut view: View,
) -> ApiResult<PageResponse> {
    let version = view.shop.catalog_version.clone();
    let kept = storefront.sitemap().of(&version, async {
        let mut pages = sources.pages_but_products(&storefront, &mut view).await?;
        let counts = sources.db.read(COUNT_PRODUCTS_BY_PART).bind(MOST_PRODUCTS).all::<(i64, i64)>().await?;
        let root = &view.shop.base_url;
        if let Some(parts) = parts(pages.len(), &counts) {
            return Ok(Html::from(index(root, &parts)));
        }
        for (part, _) in &counts {
            pages.extend(sources.products(*part).await?);
        }
        Ok(Html::from(document(root, &pages)))
    });
    let document = kept.await?;
    Ok(shared(view, &document))
}

/// The names of the parts where one document is too small; none where it is not. Of the parts with products it takes their numbers from 0
/// and how many each has.
fn parts(pages: usize, products: &[(i64, i64)]) -> Option<Vec<String>> {
    let of_products = products.iter().map(|(_, count)| usize::try_from(*count).unwrap_or(0)).sum::<usize>();
    if pages + of_products <= MOST_PAGES {
        return None;
    }
    let of_pages = (0..pages.div_ceil(MOST_PAGES)).map(|part| format!("pages-{}", part + 1));
    Some(of_pages.chain(products.iter().map(|(part, _)| format!("products-{}", part + 1))).collect())
}

async fn part(
    State(storefront): State<Storefront>,
    Uses(sources): Uses<Sources>,
    Name(name): Name,
    mut view: View,
) -> ApiResult<PageResponse> {
    let named = name.strip_suffix(".xml").and_then(|name| name.split_once('-'));
    let (kind, number) = named.ok_or_else(ApiError::not_found)?;
    let number = number.parse::<u32>().ok().and_then(|number| number.checked_sub(1)).ok_or_else(ApiError::not_found)?;
    let pages = match kind {
        "products" => sources.products(number.into()).await?,
        "pages" => {
            let all = sources.pages_but_products(&storefront, &mut view).await?;
            let before = usize::try_from(number).unwrap_or(usize::MAX).saturating_mul(MOST_PAGES);
            all.into_iter().skip(before).take(MOST_PAGES).collect()
        }
        _ => return Err(ApiError::not_found()),
    };
    if pages.is_empty() {
        return Err(ApiError::not_found());
    }
    let document = document(&view.shop.base_url, &pages).into();
    Ok(shared(view, &document))
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn document(root: &str, pages: &[SitemapPage]) -> String {
    let mut text = format!("{HEAD}\n<urlset xmlns=\"{NAMESPACE}\">\n");
    for page in pages {
        let path = page.path.replace('&', "&amp;").replace('<', "&lt;");
        let changed = page
            .changed_at
            .map(|time| format!("<lastmod>{}</lastmod>", time.to_rfc3339_opts(SecondsFormat::Secs, true)));
        let changed = changed.unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<url><loc>{root}{path}</loc>{changed}</url>");
    }
    text + "</urlset>\n"
}

fn index(root: &str, parts: &[String]) -> String {
    let mut text = format!("{HEAD}\n<sitemapindex xmlns=\"{NAMESPACE}\">\n");
    for part in parts {
        let _ = writeln!(text, "<sitemap><loc>{root}/sitemaps/{part}.xml</loc></sitemap>");
    }
    text + "</sitemapindex>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_addresses_is_text_in_the_document() {
        let text = document("https://shop.example", &[SitemapPage::new("/reviews?of=lamp&by=<date>")]);
        assert!(text.contains("<loc>https://shop.example/reviews?of=lamp&amp;by=&lt;date></loc>"), "{text}");
        assert_eq!(address("p", "größe l"), "/p/gr%C3%B6%C3%9Fe%20l");
    }

    #[test]
    fn more_pages_than_a_document_may_hold_are_in_parts() {
        assert_eq!(parts(20, &[(0, 40_000), (2, 8_000)]), None);
        let many = parts(49_001, &[(0, 30_000), (2, 20_000)]).expect("an index");
        assert_eq!(many, ["pages-1", "pages-2", "products-1", "products-3"]);
    }
}
