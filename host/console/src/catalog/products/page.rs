//! The page of a product: its form in sections.

use std::collections::BTreeSet;

use askama::Template;
use http::StatusCode;
use stoa_core::catalog::{OptionType, export_categories, find_product_id};
use stoa_kernel::console::On;
use stoa_kernel::http::error::ApiResult;
use stoa_pages::answer::PageResponse;

use super::Workbench;
use super::draft::Draft;
use super::list::{category_choices, thumbnail};
use super::options::OptionRow;
use super::settings;
use crate::catalog::capability::{called, meaning};
use crate::catalog::in_address;
use crate::form::{Field, FieldKind, Problem};
use crate::layout::Layout;
use crate::page::Frame;

/// Fields that belong together.
struct Section {
    id: String,
    title: String,
    fields: Vec<Field>,
    /// What is wrong with all of them together.
    problem: Option<String>,
    /// Whether it stands open, or only with what is typed in it.
    is_open: bool,
}

struct Photo {
    path: String,
    place: String,
    is_removed: bool,
    address: String,
}

struct Capability {
    key: String,
    label: String,
    /// What it means to who sells the product; nothing of one that nobody has described.
    meaning: &'static str,
    is_on: bool,
}

#[derive(Template)]
#[template(path = "product.html")]
struct Page {
    layout: Layout,
    /// Where the form is sent.
    path: String,
    is_new: bool,
    may_edit: bool,
    /// Where customers see it, if they do.
    in_shop: Option<String>,
    seen: String,
    /// What is wrong: the field, and a sentence.
    problems: Vec<(String, String)>,
    /// What is another now than what is typed.
    differs: Vec<String>,
    main: Vec<Field>,
    sections: Vec<Section>,
    active: bool,
    capabilities: Vec<Capability>,
    photos: Vec<Photo>,
    photo_problem: Option<String>,
    options: Vec<OptionRow>,
    /// What modules show about the product.
    boxes: Vec<String>,
    kinds: Vec<&'static str>,
}

/// What the page says besides the product.
#[derive(Default)]
pub(super) struct Told {
    pub(super) status: StatusCode,
    pub(super) problems: Vec<Problem>,
    pub(super) differs: Vec<String>,
    /// Which rows are to be added: `option`, or the number of the option that gets choices.
    pub(super) more: Option<String>,
}

/// A product that is there: its slug, name, and what its form is made from.
pub(super) struct Stored {
    pub(super) slug: String,
    pub(super) name: String,
    pub(super) seen: u64,
}

pub(super) async fn shown(
    frame: &Frame,
    bench: &Workbench,
    stored: Option<Stored>,
    draft: &Draft,
    told: Told,
) -> ApiResult<PageResponse> {
    let categories = category_choices(&export_categories(&bench.db).await?);
    let problems = &told.problems;
    let main = main_fields(stored.is_none(), draft, problems);
    let sections = sections(bench, draft, problems, categories);
    let label = |member: &str| {
        let mut fields = main.iter().chain(sections.iter().flat_map(|section| &section.fields));
        let field = fields.find(|field| field.name == member).map(|field| field.label.clone());
        field.unwrap_or_else(|| humanized(member))
    };
    let summary = problems.iter().map(|problem| (problem.member.clone(), problem.sentence(&label(&problem.member))));
    let mut options = draft.options.clone();
    if told.more.as_deref() == Some("option") {
        options.push(OptionRow::blank());
    }
    let more = told.more.as_ref().and_then(|more| more.parse::<usize>().ok());
    let options = options.into_iter().enumerate().map(|(at, option)| option.with_more_choices(more == Some(at)));
    let photos = draft.images.iter().map(|image| Photo {
        path: image.path.clone(),
        place: image.place.clone(),
        is_removed: image.is_removed,
        address: thumbnail(&image.path),
    });
    let id = match &stored {
        Some(stored) => find_product_id(&bench.db, &stored.slug).await?,
        None => None,
    };
    let boxes = match id {
        Some(id) => frame.boxes(On::Product, id).await?,
        None => Vec::new(),
    };
    let title = stored.as_ref().map_or_else(|| String::from("Create product"), |stored| stored.name.clone());
    let slug = stored.as_ref().map(|stored| in_address(&stored.slug));
    let layout = frame.layout(title, "products");
    let page = Page {
        path: slug.as_ref().map_or_else(|| frame.path("/products"), |slug| frame.path(&format!("/products/{slug}"))),
        is_new: stored.is_none(),
        may_edit: frame.staff.may("products.edit"),
        in_shop: slug.filter(|_| layout.has_storefront && draft.active).map(|slug| format!("/p/{slug}")),
        seen: stored.map(|stored| stored.seen.to_string()).unwrap_or_default(),
        problems: summary.collect(),
        differs: told.differs,
        active: draft.active,
        capabilities: capabilities(bench, draft),
        photos: photos.collect(),
        photo_problem: problems.iter().find(|problem| problem.member == "photos").map(|problem| problem.reason.clone()),
        options: options.collect(),
        boxes,
        kinds: OptionType::ALL.map(OptionType::as_str).to_vec(),
        main,
        sections,
        layout,
    };
    frame.show_as(told.status, &page)
}

fn main_fields(is_new: bool, draft: &Draft, problems: &[Problem]) -> Vec<Field> {
    let mut fields = vec![Field::text("name", "Name").required()];
    if is_new {
        fields.push(
            Field::text("slug", "Slug")
                .hint("The name in addresses. Made from the name if empty, and fixed from then on."),
        );
    }
    fields.extend([
        Field::text("subtitle", "Subtitle"),
        Field::new("description", "Description", FieldKind::Area),
        Field::new("price_amount", "Price", FieldKind::Number).required().hint("Such as 49 or 49.00."),
        Field::new("compare_at_amount", "Compare-at price", FieldKind::Number)
            .hint("The price before a reduction; customers see it while it is above the price."),
    ]);
    filled(fields, draft, problems)
}

fn filled(fields: Vec<Field>, draft: &Draft, problems: &[Problem]) -> Vec<Field> {
    let fill = |field: Field| {
        let value = draft.text(&field.name).to_owned();
        field.filled(value, problems)
    };
    fields.into_iter().map(fill).collect()
}

fn sections(bench: &Workbench, draft: &Draft, problems: &[Problem], categories: Vec<(String, String)>) -> Vec<Section> {
    let choice = |values: Vec<(String, String)>, none: &str| {
        FieldKind::Choice(std::iter::once((String::new(), none.to_owned())).chain(values).collect())
    };
    let mut classes = bench.config.tax.classes.keys().map(|name| (name.clone(), name.clone())).collect::<Vec<_>>();
    let own = draft.text("tax_class");
    if !own.is_empty() && !bench.config.tax.classes.contains_key(own) {
        classes.push((own.to_owned(), format!("{own} (not configured)")));
    }
    let mut sections = vec![
        section(
            "order",
            "Category and identifiers",
            true,
            vec![
                Field::new("category", "Category", choice(categories, "none")),
                Field::text("sku", "SKU"),
                Field::text("brand", "Brand"),
                Field::text("gtin", "GTIN").hint("EAN, UPC or ISBN-13, in digits."),
            ],
        ),
        section(
            "tax",
            "Tax, weight and base price",
            false,
            vec![
                Field::new("tax_class", "Tax class", choice(classes, "standard rates")),
                Field::new("weight_grams", "Weight in grams", FieldKind::Number),
                Field::new("unit_price.amount", "Base price", FieldKind::Number)
                    .hint("What the quantity below costs; it follows the price."),
                Field::text("unit_price.reference", "of").hint("Such as 1 kg or 100 ml."),
            ],
        ),
        section("safety", "Safety", false, safety_fields(bench, draft)),
    ];
    for section in &mut sections {
        section.fields = filled(std::mem::take(&mut section.fields), draft, problems);
    }
    let modules = bench.modules.all().iter().filter(|module| module.enabled && module.has_settings());
    sections.extend(modules.map(|module| {
        let whole = format!("modules.{}", module.name);
        let fields = settings::fields(module, draft, problems);
        let problem = problems.iter().find(|problem| problem.member == whole).map(|problem| problem.reason.clone());
        Section { problem, ..section(module.name, &humanized(module.name), false, fields) }
    }));
    for section in &mut sections {
        let says = |field: &Field| !field.value.is_empty() || field.problem.is_some();
        section.is_open = section.is_open || section.problem.is_some() || section.fields.iter().any(says);
    }
    sections
}

fn section(id: &str, title: &str, is_open: bool, fields: Vec<Field>) -> Section {
    Section { id: format!("section-{id}"), title: title.to_owned(), fields, problem: None, is_open }
}

fn safety_fields(bench: &Workbench, draft: &Draft) -> Vec<Field> {
    let mut fields = Vec::new();
    for (who, label) in [("manufacturer", "Manufacturer"), ("responsible_person", "Responsible person")] {
        let name = |part: &str| format!("safety.{who}.{part}");
        fields.push(Field::text(name("name"), label));
        fields.push(Field::new(name("address"), format!("{label}: address"), FieldKind::Area));
        fields.push(Field::text(name("email"), format!("{label}: e-mail")));
    }
    let mut languages = BTreeSet::from([bench.config.shop.locale.id.language.as_str().to_owned()]);
    let said = draft.texts.keys().filter_map(|name| name.strip_prefix("safety.warnings."));
    languages.extend(said.map(str::to_owned));
    fields.extend(languages.into_iter().map(|language| {
        Field::new(format!("safety.warnings.{language}"), format!("Warnings ({language})"), FieldKind::Area)
    }));
    fields
}

/// The product's own capabilities in their order, so that saving keeps it, and then the others that there are.
fn capabilities(bench: &Workbench, draft: &Draft) -> Vec<Capability> {
    let known = bench.modules.capabilities();
    let own = draft.capabilities.iter().map(String::as_str);
    let others = known.iter().copied().filter(|key| !draft.capabilities.iter().any(|own| own == key));
    own.map(|key| (key, true))
        .chain(others.map(|key| (key, false)))
        .map(|(key, is_on)| {
            let words = called(key);
            let label = if known.contains(&key) { words } else { format!("{words} (nothing provides it)") };
            Capability { key: key.to_owned(), label, meaning: meaning(key), is_on }
        })
        .collect()
}

/// The name of a member for people: `options[0].choices[1].label` is "Options 1 choices 2 label".
fn humanized(member: &str) -> String {
    let mut words = String::new();
    for part in member.split(['.', '[', ']', '_']).filter(|part| !part.is_empty()) {
        let number = part.parse::<usize>().map(|number| (number + 1).to_string());
        let word = number.unwrap_or_else(|_| part.to_owned());
        if words.is_empty() {
            words.push_str(stoa_kernel::console::sentence(&word).trim_end_matches('.'));
        } else {
            words.push(' ');
            words.push_str(&word);
        }
    }
    words
}
