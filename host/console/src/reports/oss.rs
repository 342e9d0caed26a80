//! What consumers in other member states have bought in a quarter (One-Stop-Shop, C10.4).

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::money::MoneyFormatter;
use stoa_core::reports::{OssError, Quarter, oss_report};
use stoa_kernel::console::PageAddress;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use super::sheet::{Sheet, file};
use crate::layout::Layout;
use crate::page::{ConsoleState, Frame};

#[derive(Template)]
#[template(path = "oss.html")]
struct Page {
    layout: Layout,
    path: String,
    quarter: String,
    sheet: Option<Sheet>,
    problem: Option<String>,
}

/// `GET /console/reports/oss`.
pub(super) async fn show(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
) -> ApiResult<PageResponse> {
    let text = |name: &str| Some(frame.query.get(name).to_owned()).filter(|text| !text.is_empty());
    let asked = text("quarter").unwrap_or_else(|| Quarter::of(db.now().date_naive()).to_string());
    let path = frame.path("/reports/oss");
    let mut page =
        Page { layout: frame.layout("One-Stop-Shop", "reports"), path, quarter: asked, sheet: None, problem: None };
    let Ok(quarter) = page.quarter.parse::<Quarter>() else {
        page.problem = Some(format!("“{}” is no quarter, such as 2026Q4.", page.quarter));
        return frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page);
    };
    match oss_report(&db, state.config.seller.member_state(), quarter).await {
        Ok(rows) if text("format").is_some() => return file(&format!("oss-{quarter}"), &rows),
        Ok(rows) => {
            let address = PageAddress { path: page.path.clone(), query: Vec::new() };
            let csv = address.with(&[("quarter", Some(&quarter.to_string())), ("format", Some("csv"))]);
            page.sheet = Some(Sheet::of("Sales to consumers abroad", "oss", &rows, csv, &money));
        }
        Err(OssError::NoMemberState) => {
            let needs = "This report needs the VAT ID of your company: it tells the member state that you sell from.";
            page.problem = Some(match &state.config.seller.tax_id {
                Some(other) => format!("{needs} The setting seller.tax_id is “{other}”, which is none."),
                None => format!("{needs} The setting seller.tax_id is missing."),
            });
        }
        Err(OssError::Db(error)) => return Err(error.into()),
    }
    frame.show(&page)
}
