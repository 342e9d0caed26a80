//! `/console/categories`: the tree, and one category.

use askama::Template;
use http::StatusCode;
use serde_json::{Map, Value, json};
use stoa_core::catalog::import::{ProblemLocation, read_record, slug_of};
use stoa_core::catalog::write::{Expected, Mode, RecordProblem, RemoveCategoryError, remove_category};
use stoa_core::catalog::{CategoryDetails, CategoryRecord, Frame as CatalogFrame, category_details, export_categories};
use stoa_core::db::Db;
use stoa_core::from_shop;
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_kernel::module::ProductModules;
use stoa_pages::answer::PageResponse;

use super::in_address;
use super::lay_over::lay_over;
use super::products::list::{category_choices, state};
use crate::form::{Field, FieldKind, Problem, changed_meanwhile};
use crate::layout::Layout;
use crate::page::Frame;
use crate::question::Question;
use crate::show::Badge;

from_shop! {
    /// What pages about categories work with.
    pub(super) struct Shelves {
        db: Db,
        frame: CatalogFrame,
        modules: std::sync::Arc<ProductModules>,
    }
}

/// A category in the tree.
struct Row {
    name: String,
    path: String,
    products: String,
    slug: String,
    state: Badge,
    number: u64,
    /// How far it is set in.
    depth: usize,
}

#[derive(Template)]
#[template(path = "categories.html")]
struct Tree {
    layout: Layout,
    rows: Vec<Row>,
    may_edit: bool,
    fields: Vec<Field>,
    problems: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "category.html")]
struct Page {
    layout: Layout,
    path: String,
    products: String,
    slug: String,
    seen: String,
    may_edit: bool,
    fields: Vec<Field>,
    problems: Vec<(String, String)>,
}

/// What is typed in the form of a category.
#[derive(Default)]
struct Draft {
    name: String,
    slug: String,
    parent: String,
    image: String,
    active: bool,
}

impl Draft {
    fn of_form(form: &StaffForm) -> Self {
        let text = |name: &str| form.get(name).unwrap_or_default().to_owned();
        Self {
            name: text("name"),
            slug: text("slug"),
            parent: text("parent"),
            image: text("image"),
            active: form.get("active").is_some(),
        }
    }

    fn of_record(category: &CategoryRecord) -> Self {
        Self {
            name: category.name.value().cloned().unwrap_or_default(),
            slug: category.slug.clone(),
            parent: category.parent.value().cloned().unwrap_or_default(),
            image: category.image.value().cloned().unwrap_or_default(),
            active: category.active.value().copied().unwrap_or_default(),
        }
    }

    fn fields(&self, is_new: bool, categories: &[CategoryRecord], problems: &[Problem]) -> Vec<Field> {
        let above = category_choices(categories).into_iter().filter(|(slug, _)| is_new || *slug != self.slug);
        let above = std::iter::once((String::new(), String::from("none, it is a root"))).chain(above).collect();
        let mut fields = vec![Field::text("name", "Name").required().filled(&self.name, problems)];
        if is_new {
            let hint = "The name in addresses. Made from the name if empty, and fixed from then on.";
            fields.push(Field::text("slug", "Slug").hint(hint).filled(&self.slug, problems));
        }
        let image = Field::text("image", "Image").hint("An address, or a path below the media folder.");
        fields.extend([
            Field::new("parent", "Below", FieldKind::Choice(above)).filled(&self.parent, problems),
            image.filled(&self.image, problems),
            Field::new("active", "Active: customers see it", FieldKind::Check)
                .filled(if self.active { "1" } else { "" }, problems),
        ]);
        fields
    }

    /// What is another now than what is typed.
    fn differing(&self, now: &Self) -> Vec<String> {
        let state = |active: bool| if active { "active" } else { "inactive" };
        let texts = [
            ("the name", &now.name, &self.name),
            ("the category above", &now.parent, &self.parent),
            ("the image", &now.image, &self.image),
        ];
        let texts = texts.into_iter().map(|(label, now, typed)| (label, now.as_str(), typed.as_str()));
        let all = texts.chain([("the state", state(now.active), state(self.active))]);
        let different = all.filter(|(_, now, typed)| now != typed);
        different.map(|(label, now, typed)| changed_meanwhile(label, now, typed)).collect()
    }

    /// Lays it over what is stored.
    async fn write(&self, shelves: &Shelves, slug: &str, expected: Expected) -> ApiResult<Vec<Problem>> {
        let mut problems = Vec::new();
        let members = [
            ("type", json!("category")),
            ("slug", json!(slug)),
            ("name", json!(self.name)),
            ("parent", json!(self.parent)),
            ("image", json!(self.image)),
            ("active", json!(self.active)),
        ];
        let mut object = members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect::<Map<_, Value>>();
        if self.name.is_empty() {
            object.shift_remove("name");
            problems.push(Problem::new("name", "is missing"));
        }
        let record = match read_record(object, 1) {
            Ok(record) if problems.is_empty() => record,
            Ok(_) => return Ok(problems),
            Err(rejection) => {
                problems.extend(rejection.problems.into_iter().map(|problem| {
                    let member = problem.place.as_ref().map_or("", ProblemLocation::name);
                    Problem::new(member, problem.reason)
                }));
                return Ok(problems);
            }
        };
        let written = lay_over(&shelves.db, &shelves.modules, &record, Mode::Write, expected).await?;
        Ok(written.err().unwrap_or_default())
    }
}

fn summary(problems: &[Problem], fields: &[Field]) -> Vec<(String, String)> {
    let told = problems.iter().map(|problem| {
        let field = fields.iter().find(|field| field.name == problem.member);
        let label = field.map_or(problem.member.as_str(), |field| field.label.as_str());
        (problem.member.clone(), problem.sentence(label))
    });
    told.collect()
}

async fn tree(frame: &Frame, shelves: &Shelves, draft: &Draft, problems: &[Problem]) -> ApiResult<PageResponse> {
    let categories = export_categories(&shelves.db).await?;
    let details = category_details(&shelves.db, &shelves.frame).await?;
    let rows = category_choices(&categories).into_iter().filter_map(|(slug, shown)| {
        let category = details.iter().find(|category| category.resource.slug == slug)?;
        Some(row(frame, category, shown.matches("– ").count()))
    });
    let fields = draft.fields(true, &categories, problems);
    let is_taken = problems.iter().any(|problem| problem.member == "slug" && problem.reason.contains("already"));
    let status = match problems {
        [] => StatusCode::OK,
        _ if is_taken => StatusCode::CONFLICT,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = Tree {
        layout: frame.layout("Categories", "categories"),
        rows: rows.collect(),
        may_edit: frame.staff.may("products.edit"),
        problems: summary(problems, &fields),
        fields,
    };
    frame.show_as(status, &page)
}

fn row(frame: &Frame, category: &CategoryDetails, depth: usize) -> Row {
    let shown = &category.resource;
    Row {
        name: shown.name.clone(),
        path: frame.path(&format!("/categories/{}", in_address(&shown.slug))),
        products: frame.path(&format!("/products?category={}", in_address(&shown.slug))),
        slug: shown.slug.clone(),
        state: Badge::of(state(category.active, category.visible)),
        number: shown.products_count,
        depth: depth.min(6),
    }
}

/// `GET /console/categories`.
pub(super) async fn show(frame: Frame, Uses(shelves): Uses<Shelves>) -> ApiResult<PageResponse> {
    tree(&frame, &shelves, &Draft { active: true, ..Draft::default() }, &[]).await
}

/// `POST /console/categories`.
pub(super) async fn create(frame: Frame, Uses(shelves): Uses<Shelves>, form: StaffForm) -> ApiResult<PageResponse> {
    let draft = Draft::of_form(&form);
    let slug = if draft.slug.is_empty() { slug_of(&draft.name).unwrap_or_default() } else { draft.slug.clone() };
    let problems = draft.write(&shelves, &slug, Expected::Nothing).await?;
    if problems.is_empty() {
        return Ok(frame.done("/categories", &format!("The category {} is created.", draft.name)));
    }
    tree(&frame, &shelves, &draft, &problems).await
}

/// What the page of a category says besides.
#[derive(Default)]
struct Told {
    status: StatusCode,
    problems: Vec<Problem>,
}

async fn one(
    frame: &Frame,
    shelves: &Shelves,
    slug: &str,
    draft: Option<(Draft, String)>,
    told: Told,
) -> ApiResult<PageResponse> {
    let categories = export_categories(&shelves.db).await?;
    let category = categories.iter().find(|category| category.slug == slug).ok_or_else(ApiError::not_found)?;
    let (draft, seen) = match draft {
        Some((draft, seen)) => (Draft { slug: slug.to_owned(), ..draft }, seen),
        None => (Draft::of_record(category), category.fingerprint().to_string()),
    };
    let fields = draft.fields(false, &categories, &told.problems);
    let name = category.name.value().map_or(slug, String::as_str);
    let page = Page {
        layout: frame.layout(name, "categories"),
        path: frame.path(&format!("/categories/{}", in_address(slug))),
        products: frame.path(&format!("/products?category={}", in_address(slug))),
        slug: slug.to_owned(),
        seen,
        may_edit: frame.staff.may("products.edit"),
        problems: summary(&told.problems, &fields),
        fields,
    };
    frame.show_as(told.status, &page)
}

/// `GET /console/categories/{slug}`.
pub(super) async fn show_one(frame: Frame, Uses(shelves): Uses<Shelves>, Name(slug): Name) -> ApiResult<PageResponse> {
    one(&frame, &shelves, &slug, None, Told::default()).await
}

/// `POST /console/categories/{slug}`.
pub(super) async fn save(
    frame: Frame,
    Uses(shelves): Uses<Shelves>,
    Name(slug): Name,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let seen = form.get("seen").unwrap_or_default().to_owned();
    let draft = Draft::of_form(&form);
    let problems = draft.write(&shelves, &slug, Expected::Seen(seen.parse().unwrap_or_default())).await?;
    if problems.is_empty() {
        return Ok(frame.done(&format!("/categories/{}", in_address(&slug)), "The category is saved."));
    }
    if !problems.iter().any(|problem| problem.member == RecordProblem::SEEN) {
        let told = Told { status: StatusCode::UNPROCESSABLE_ENTITY, problems };
        return one(&frame, &shelves, &slug, Some((draft, seen)), told).await;
    }
    let categories = export_categories(&shelves.db).await?;
    let now = categories.iter().find(|category| category.slug == slug).ok_or_else(ApiError::not_found)?;
    let differs = draft.differing(&Draft::of_record(now)).join("; ");
    let told = format!("Somebody has changed this category meanwhile, and nothing was saved: {differs}");
    let told = Told { status: StatusCode::CONFLICT, problems: vec![Problem::new("name", told)] };
    one(&frame, &shelves, &slug, Some((draft, now.fingerprint().to_string())), told).await
}

/// `POST /console/categories/{slug}/delete`: asks, and with `confirm` deletes.
pub(super) async fn delete(
    frame: Frame,
    Uses(shelves): Uses<Shelves>,
    Name(slug): Name,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    if form.get("confirm").is_none() {
        return ask(&frame, &shelves, &slug, None).await;
    }
    let refused = match remove_category(&shelves.db, &slug).await {
        Ok(()) => return Ok(frame.done("/categories", &format!("{slug} is deleted."))),
        Err(RemoveCategoryError::Unknown) => return Err(ApiError::not_found()),
        Err(RemoveCategoryError::Db(error)) => return Err(error.into()),
        Err(error @ RemoveCategoryError::Filled { .. }) => {
            format!("{} Move them first, or take the mark “Active” off.", sentence(&error.to_string()))
        }
    };
    ask(&frame, &shelves, &slug, Some(refused)).await
}

async fn ask(frame: &Frame, shelves: &Shelves, slug: &str, problem: Option<String>) -> ApiResult<PageResponse> {
    let categories = export_categories(&shelves.db).await?;
    let category = categories.iter().find(|category| category.slug == slug).ok_or_else(ApiError::not_found)?;
    let name = category.name.value().map_or(slug, String::as_str);
    frame.ask(Question {
        says: "This cannot be undone. It goes only if nothing stands in it.",
        problem,
        ..Question::of_one(("categories", "Categories"), name, &in_address(slug), "delete")
    })
}
