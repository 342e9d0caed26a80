//! Style sheet and script, under names that change with their content.

use std::sync::LazyLock;

use http::HeaderMap;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Name;
use stoa_pages::answer::PageResponse;
use stoa_pages::assets::Assets;

use crate::page::BrowserHeaders;

static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    let mut assets = Assets::default();
    assets.put("console.css", include_bytes!("../assets/console.css").to_vec());
    assets.put("console.js", include_bytes!("../assets/console.js").to_vec());
    assets.put("favicon.svg", include_bytes!("../assets/favicon.svg").to_vec());
    assets
});

/// The names that the files of every page are asked for by.
pub(crate) struct Files {
    pub(crate) css: &'static str,
    pub(crate) js: &'static str,
    pub(crate) icon: &'static str,
}

impl Default for Files {
    fn default() -> Self {
        let name_of = |file| ASSETS.name_of(file).expect("files that templates name are there");
        Self { css: name_of("console.css"), js: name_of("console.js"), icon: name_of("favicon.svg") }
    }
}

/// `GET /console/assets/{file}`.
pub(crate) async fn file(Name(file): Name, BrowserHeaders(headers): BrowserHeaders) -> ApiResult<PageResponse> {
    answer(&file, &headers).map(PageResponse).ok_or_else(ApiError::not_found)
}

fn answer(file: &str, headers: &HeaderMap) -> Option<axum::response::Response> {
    ASSETS.answer(file, headers)
}
