//! `/console/imports`: a file is uploaded and tried, and then imported by the queue, whose progress the page shows.

use std::sync::Arc;

use askama::Template;
use http::StatusCode;
use stoa_core::catalog::file::{ColumnLeftOut, Counts, LayOverError, Remark, Summary};
use stoa_core::catalog::import::UnreadableFile;
use stoa_core::catalog::imports::{
    Import, ImportInto, ImportSettings, ask_for_import, count_imports, find_import, list_imports, try_import,
};
use stoa_core::clock::Clock;
use stoa_core::config::Config;
use stoa_core::db::Db;
use stoa_core::from_shop;
use stoa_core::money::{Currency, MoneyFormatter};
use stoa_kernel::console::{Cell, List, StaffUpload, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_kernel::module::ProductModules;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::list::Table;
use crate::page::Frame;
use crate::show::{Badge, Time};

/// How many of the newest imports are listed.
const NEWEST: i64 = 50;

/// The module that takes the stock which other shops' exports tell of.
const STOCK_KEEPER: &str = "inventory";

from_shop! {
    /// What imports work with.
    pub(super) struct Works {
        db: Db,
        config: Arc<Config>,
        modules: Arc<ProductModules>,
        money: Arc<MoneyFormatter>,
        currency: Currency,
        clock: Clock,
    }
}

#[derive(Template)]
#[template(path = "imports.html")]
struct Page<'a> {
    layout: Layout,
    problem: Option<String>,
    told: String,
    format: String,
    tags: bool,
    fetch: bool,
    table: Option<Table<'a>>,
}

#[derive(Template)]
#[template(path = "import.html")]
struct One {
    layout: Layout,
    path: String,
    uploaded: Time,
    by: String,
    state: Badge,
    /// What was done, or would be, in a line each.
    counts: Vec<String>,
    rejections: Vec<Remark>,
    refused: u64,
    notices: Vec<Remark>,
    left_out: Vec<ColumnLeftOut>,
    problem: Option<String>,
    is_tried: bool,
    /// How much of the file is read, of 100, while it is imported.
    progress: Option<i64>,
}

async fn page(
    frame: &Frame,
    works: &Works,
    settings: &ImportSettings,
    problem: Option<(StatusCode, String)>,
) -> ApiResult<PageResponse> {
    let imports = list_imports(&works.db, None, NEWEST).await?;
    let counted = count_imports(&works.db).await?;
    let list = List::new("Imports", |import: &Import| import.id)
        .column("File", |import| Cell::link(&import.file_name, format!("/imports/{}", import.id)))
        .column("Uploaded", |import| import.created_at)
        .column("By", |import| Cell::from(&import.actor))
        .column("State", |import| Cell::state(&import.state))
        .column("What came of it", |import| {
            let summary = import.report.as_ref().map(|report| lines(&report.0, import.state == "tried").join(", "));
            summary.or_else(|| import.problem.clone())
        })
        .of_rows(&frame.staff, &works.money, &imports);
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.0);
    let shown = Page {
        layout: frame.layout("Imports", "imports"),
        problem: problem.map(|problem| problem.1),
        told: format!("{} of {}{}", imports.len(), if counted.more { "more than " } else { "" }, counted.number),
        format: settings.format.clone().unwrap_or_default(),
        tags: settings.tags_as_categories,
        fetch: settings.fetch_images,
        table: (!imports.is_empty()).then(|| Table::of(&list, &frame.staff)),
    };
    frame.show_as(status, &shown)
}

/// `GET /console/imports`.
pub(super) async fn list(frame: Frame, Uses(works): Uses<Works>) -> ApiResult<PageResponse> {
    page(&frame, &works, &ImportSettings::default(), None).await
}

/// `POST /console/imports`: tries the file and writes nothing of it into the catalog.
pub(super) async fn upload(frame: Frame, Uses(works): Uses<Works>, upload: StaffUpload) -> ApiResult<PageResponse> {
    let form = &upload.form;
    let settings = ImportSettings {
        format: form.get("format").map(str::to_owned),
        tags_as_categories: form.get("tags").is_some(),
        fetch_images: form.get("fetch").is_some(),
        stock_module: works.modules.is_linked(STOCK_KEEPER).then(|| STOCK_KEEPER.to_owned()),
    };
    let refuse =
        async |told: String| page(&frame, &works, &settings, Some((StatusCode::UNPROCESSABLE_ENTITY, told))).await;
    let Some(file) = upload.files("file").next() else {
        return refuse(String::from("Choose the file to import.")).await;
    };
    let into = ImportInto {
        db: &works.db,
        modules: &works.modules,
        config: &works.config,
        currency: works.currency,
        now: works.clock.now(),
    };
    let name = if file.name.is_empty() { "file" } else { &file.name };
    match try_import(&into, name, file.content.to_vec(), &settings).await {
        Ok(id) => Ok(frame.done(&format!("/imports/{id}"), "The file was tried. Nothing is imported yet.")),
        Err(LayOverError::Unreadable { problem, .. }) => refuse(in_words(&problem)).await,
        Err(LayOverError::Db(error)) => Err(error.into()),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// Why a file cannot be read: what options of the command line mend, the form does.
fn in_words(problem: &UnreadableFile) -> String {
    match problem {
        UnreadableFile::UnknownFormat => String::from("The format cannot be told from the content: choose it below."),
        UnreadableFile::OtherFormat { expected, found } => {
            format!("This is no {expected} file: it looks like {found}. Choose that format below.")
        }
        UnreadableFile::NoTags { format } => {
            format!("Categories are made of Shopify's tags alone, but this is a {format} file.")
        }
        other => sentence(&other.to_string()),
    }
}

/// `GET /console/imports/{number}`.
pub(super) async fn show(frame: Frame, db: Db, Id(id): Id) -> ApiResult<PageResponse> {
    let import = find_import(&db, id).await?.ok_or_else(ApiError::not_found)?;
    let is_tried = import.state == "tried";
    let is_at_work = matches!(import.state.as_str(), "waiting" | "running");
    let percent = import.read_bytes.saturating_mul(100) / import.size_bytes.max(1);
    let report = import.report.map(|report| report.0).filter(|_| !is_at_work).unwrap_or_default();
    let shows = is_tried || import.state == "done";
    let shown = One {
        layout: frame.layout(import.file_name.as_str(), "imports"),
        path: frame.path(&format!("/imports/{}", import.id)),
        uploaded: Time::of(import.created_at),
        by: import.actor,
        state: Badge::of(&import.state),
        counts: if shows { lines(&report, is_tried) } else { Vec::new() },
        refused: report.refused,
        rejections: report.rejections,
        notices: report.notices,
        left_out: report.columns_left_out,
        problem: import.problem,
        is_tried,
        progress: is_at_work.then(|| percent.clamp(0, 100)),
    };
    frame.show(&shown)
}

/// What was done, or would be done.
fn lines(report: &Summary, would: bool) -> Vec<String> {
    let would = if would { "would be " } else { "" };
    let of = |counts: &Counts, count: fn(&Counts) -> u64, noun: &str, nouns: &str| {
        let number = count(counts);
        (number > 0).then(|| format!("{number} {}", if number == 1 { noun } else { nouns }))
    };
    let line = |count: fn(&Counts) -> u64, what: &str| {
        let parts = [
            of(&report.products, count, "product", "products"),
            of(&report.categories, count, "category", "categories"),
        ];
        let parts = parts.into_iter().flatten().collect::<Vec<_>>();
        (!parts.is_empty()).then(|| format!("{} {would}{what}", parts.join(" and ")))
    };
    let refused = (report.refused > 0).then(|| format!("{} {would}refused", report.refused));
    let lines = [
        line(|counts| counts.created, "created"),
        line(|counts| counts.updated, "changed"),
        line(|counts| counts.unchanged, "left as they are"),
        refused,
    ];
    let lines = lines.into_iter().flatten().collect::<Vec<_>>();
    if lines.is_empty() { vec![String::from("nothing is in it")] } else { lines }
}

/// `POST /console/imports/{number}/run`.
pub(super) async fn run(frame: Frame, db: Db, Id(id): Id) -> ApiResult<PageResponse> {
    let asked = ask_for_import(&db, id).await?;
    if !asked && find_import(&db, id).await?.is_none() {
        return Err(ApiError::not_found());
    }
    let told = if asked { "The import has begun." } else { "This file is imported already." };
    Ok(frame.done(&format!("/imports/{id}"), told))
}
