//! Creating and saving products, each by the writer that imports and the command line use.

use http::StatusCode;
use stoa_core::catalog::import::slug_of;
use stoa_core::catalog::write::{Change, Expected, Mode, RecordProblem};
use stoa_core::catalog::{Member, Photo, ProductRecord, Record, export_product};
use stoa_kernel::console::StaffUpload;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_kernel::storage::MediaStore;
use stoa_pages::answer::PageResponse;

use super::Workbench;
use super::draft::Draft;
use super::page::{Stored, Told, shown};
use crate::catalog::in_address;
use crate::catalog::lay_over::lay_over;
use crate::form::{Problem, changed_meanwhile};
use crate::page::Frame;

const NOT_TAKEN: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

/// `GET /console/products/new`.
pub(in crate::catalog) async fn new(frame: Frame, Uses(bench): Uses<Workbench>) -> ApiResult<PageResponse> {
    shown(&frame, &bench, None, &Draft::new(), Told::default()).await
}

/// `GET /console/products/{slug}`.
pub(in crate::catalog) async fn show(
    frame: Frame,
    Uses(bench): Uses<Workbench>,
    Name(slug): Name,
) -> ApiResult<PageResponse> {
    let product = export_product(&bench.db, &slug).await?.ok_or_else(ApiError::not_found)?;
    shown(&frame, &bench, Some(stored(&product)), &Draft::of_record(&product, &bench), Told::default()).await
}

fn stored(product: &ProductRecord) -> Stored {
    Stored {
        slug: product.slug.clone(),
        name: product.name.value().cloned().unwrap_or_default(),
        seen: product.fingerprint(),
    }
}

/// `POST /console/products`.
pub(in crate::catalog) async fn create(
    frame: Frame,
    Uses(bench): Uses<Workbench>,
    upload: StaffUpload,
) -> ApiResult<PageResponse> {
    let draft = Draft::of_form(&upload.form);
    if let Some(more) = upload.form.get("more") {
        let told = Told { more: Some(more.to_owned()), ..Told::default() };
        return shown(&frame, &bench, None, &draft, told).await;
    }
    let slug = match draft.text("slug") {
        "" => slug_of(draft.text("name")).unwrap_or_default(),
        slug => slug.to_owned(),
    };
    match write(&bench, &slug, &draft, &upload, None, Expected::Nothing).await? {
        Ok(_) => Ok(frame.done(&format!("/products/{}", in_address(&slug)), "The product is created.")),
        Err(problems) => {
            let taken = problems.iter().any(|problem| problem.member == "slug" && problem.reason.contains("already"));
            let status = if taken { StatusCode::CONFLICT } else { NOT_TAKEN };
            shown(&frame, &bench, None, &draft, Told { status, problems, ..Told::default() }).await
        }
    }
}

/// `POST /console/products/{slug}`.
pub(in crate::catalog) async fn save(
    frame: Frame,
    Uses(bench): Uses<Workbench>,
    Name(slug): Name,
    upload: StaffUpload,
) -> ApiResult<PageResponse> {
    let product = export_product(&bench.db, &slug).await?.ok_or_else(ApiError::not_found)?;
    let draft = Draft::of_form(&upload.form);
    // What the form was made from: a product as it was then.
    let seen = upload.form.get("seen").and_then(|seen| seen.parse().ok()).unwrap_or_default();
    if let Some(more) = upload.form.get("more") {
        let told = Told { more: Some(more.to_owned()), ..Told::default() };
        return shown(&frame, &bench, Some(Stored { seen, ..stored(&product) }), &draft, told).await;
    }
    let problems = match write(&bench, &slug, &draft, &upload, Some(&product), Expected::Seen(seen)).await? {
        Ok(Change::Unchanged) => {
            return Ok(frame.done(&format!("/products/{}", in_address(&slug)), "Nothing was different."));
        }
        Ok(_) => return Ok(frame.done(&format!("/products/{}", in_address(&slug)), "The product is saved.")),
        Err(problems) => problems,
    };
    let is_stale = problems.iter().any(|problem| problem.member == RecordProblem::SEEN);
    if !is_stale {
        let told = Told { status: NOT_TAKEN, problems, ..Told::default() };
        return shown(&frame, &bench, Some(Stored { seen, ..stored(&product) }), &draft, told).await;
    }
    let now = export_product(&bench.db, &slug).await?.ok_or_else(ApiError::not_found)?;
    let differs = differing(&draft, &Draft::of_record(&now, &bench));
    let told = Told { status: StatusCode::CONFLICT, differs, ..Told::default() };
    shown(&frame, &bench, Some(stored(&now)), &draft, told).await
}

/// What is another now than what is typed, a line for each.
fn differing(typed: &Draft, now: &Draft) -> Vec<String> {
    let names = now.texts.iter().filter(|(name, text)| *name != "slug" && typed.text(name) != text.as_str());
    let mut lines = names
        .map(|(name, text)| changed_meanwhile(&name.replace(['_', '.'], " "), text, typed.text(name)))
        .collect::<Vec<_>>();
    if typed.active != now.active {
        lines.push(String::from(if now.active {
            "it is active now, saving makes it inactive"
        } else {
            "it is inactive now, saving makes it active"
        }));
    }
    for (name, is_other) in [
        ("photos", typed.kept_images() != now.kept_images()),
        ("options", typed.options != now.options),
        ("capabilities", typed.capabilities != now.capabilities),
    ] {
        if is_other {
            lines.push(format!("the {name} are others now, saving makes them those below"));
        }
    }
    lines
}

/// Writes what is typed. Photos are kept once all else is known to be right.
async fn write(
    bench: &Workbench,
    slug: &str,
    draft: &Draft,
    upload: &StaffUpload,
    product: Option<&ProductRecord>,
    expected: Expected,
) -> ApiResult<Result<Change, Vec<Problem>>> {
    let read = draft.record(slug, bench, product);
    let photos = match photos(upload).await {
        Ok(photos) => photos,
        Err(problem) => {
            let others = read.err().unwrap_or_default();
            return Ok(Err(others.into_iter().chain([problem]).collect()));
        }
    };
    let mut record = match read {
        Ok(record) => record,
        Err(problems) => return Ok(Err(and_photos_again(problems, &photos))),
    };
    if !photos.is_empty() {
        if let Err(problems) = lay_over(&bench.db, &bench.modules, &record, Mode::DryRun, expected).await? {
            return Ok(Err(and_photos_again(problems, &photos)));
        }
        let kept = keep(bench, slug, photos).await?;
        if let Record::Product(product) = &mut record {
            let mut images = product.images.value().cloned().unwrap_or_default();
            images.extend(kept.into_iter().filter(|path| !draft.images.iter().any(|image| image.path == *path)));
            product.images = Member::Value(images);
        }
    }
    lay_over(&bench.db, &bench.modules, &record, Mode::Write, expected).await
}

/// No browser sends a file twice by itself.
fn and_photos_again(mut problems: Vec<Problem>, photos: &[Photo]) -> Vec<Problem> {
    if !photos.is_empty() {
        problems.push(Problem::new("photos", "Nothing was saved: choose the photos again."));
    }
    problems
}

/// The photos that came along, each looked at.
async fn photos(upload: &StaffUpload) -> Result<Vec<Photo>, Problem> {
    let files = upload.files("photos").cloned().collect::<Vec<_>>();
    let read = tokio::task::spawn_blocking(move || {
        let read = files.iter().map(|file| {
            Photo::read(&file.name, &file.content)
                .map_err(|reason| Problem::new("photos", format!("“{}” {reason}. Choose the photos again.", file.name)))
        });
        read.collect()
    });
    read.await.unwrap_or_else(|_| Err(Problem::new("photos", "A photo could not be read.")))
}

async fn keep(bench: &Workbench, slug: &str, photos: Vec<Photo>) -> ApiResult<Vec<String>> {
    let media = MediaStore::of(&bench.config.media);
    let mut kept = Vec::new();
    for photo in photos {
        kept.push(photo.keep(slug, &media).await.map_err(ApiError::unavailable)?);
    }
    Ok(kept)
}
