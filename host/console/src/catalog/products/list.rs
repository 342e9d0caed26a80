//! The list of products, with search, filters and what is done with several at once.

use std::sync::Arc;

use stoa_core::catalog::images::is_elsewhere;
use stoa_core::catalog::{
    CategoryRecord, Frame, ProductListed, ProductSearch, count_products, export_categories, image_url, search_products,
};
use stoa_core::db::Db;
use stoa_core::from_shop::FromShop;
use stoa_kernel::console::{Cell, ConsoleAnswer, Filter, FilterKind, List, ListQuery, RowsWanted};
use stoa_kernel::fold::fold;
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_kernel::module::ProductModules;

use crate::catalog::capability::called;
use crate::catalog::in_address;

/// What the list is read with.
pub(in crate::catalog) struct Shelf {
    db: Db,
    frame: Arc<Frame>,
    modules: Arc<ProductModules>,
}

impl FromShop for Shelf {
    fn from_shop(shop: &ShopParts) -> Self {
        Self { db: Db::from_shop(shop), frame: Arc::new(Frame::from_shop(shop)), modules: FromShop::from_shop(shop) }
    }
}

/// `GET /console/products`.
pub(in crate::catalog) async fn show(Uses(shelf): Uses<Shelf>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let text = |name: &str| query.get(name).map(str::to_owned);
    let search = ProductSearch {
        text: text("q"),
        active: query.get("state").map(|state| state == "active"),
        category: text("category"),
        capability: text("type"),
        ..ProductSearch::default()
    };
    let counted = count_products(&shelf.db, &search).await?;
    let categories = category_choices(&export_categories(&shelf.db).await?);
    let types = shelf.modules.capabilities().iter().map(|key| ((*key).to_owned(), called(key))).collect();
    let list = List::new("Products", |product: &ProductListed| product.id)
        .column("Product", |product| {
            let below =
                product.sku.as_ref().map_or_else(|| product.slug.clone(), |sku| format!("{} · {sku}", product.slug));
            let link = Cell::link(&product.name, format!("/products/{}", in_address(&product.slug)));
            link.over(below).pictured(product.image.as_deref().map(thumbnail))
        })
        .sorted("name", |product| fold(&product.name))
        .column("Category", |product| product.category.as_ref().map(|(_, name)| Cell::from(name)))
        .column("Type", |product| product.capabilities.iter().map(|key| called(key)).collect::<Vec<_>>().join(", "))
        .column("State", |product| Cell::state(state(product.active, product.visible)))
        .column("Stock", |product| product.availability.map(|availability| Cell::state(availability.as_str())))
        .number("Price", |product| Cell::Money { amount: product.price_amount, currency: None })
        .sorted("price", |product| product.price_amount)
        .search("Name, slug or SKU")
        .choice("state", "State", ["active", "inactive"])
        .filter(Filter { name: "category", label: "Category", kind: FilterKind::Choice(categories.clone()) })
        .named_choice("type", "Type", types)
        .bulk("products.edit", "/bulk/products", bulk_fields(categories), |product| product.slug.clone())
        .button("products.edit", "Create product", "/products/new")
        .empty("There are no products yet. Create one, or import those of another shop.");
    let Shelf { db, frame, .. } = shelf;
    list.show_sorted(query, counted, move |RowsWanted { sort, after, limit }| {
        let (db, frame) = (db.clone(), Arc::clone(&frame));
        let search = ProductSearch { sort, after, limit, ..search.clone() };
        async move { search_products(&db, &frame, &search).await }
    })
    .await
}

fn bulk_fields(categories: Vec<(String, String)>) -> Vec<Filter> {
    let acts = [
        ("activate", "activate"),
        ("deactivate", "deactivate"),
        ("category", "put into the category"),
        ("price", "change the price by percent"),
    ];
    let acts = acts.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    vec![
        Filter { name: "do", label: "With the chosen", kind: FilterKind::Choice(acts) },
        Filter { name: "category", label: "Into category", kind: FilterKind::Choice(categories) },
        Filter { name: "percent", label: "Percent", kind: FilterKind::Text("-10") },
    ]
}

/// Categories as a choice, each after the one above it and set in below.
pub(in crate::catalog) fn category_choices(categories: &[CategoryRecord]) -> Vec<(String, String)> {
    let mut choices = Vec::with_capacity(categories.len());
    add_choices(categories, None, 0, &mut choices);
    choices
}

fn add_choices(
    categories: &[CategoryRecord],
    above: Option<&String>,
    depth: usize,
    choices: &mut Vec<(String, String)>,
) {
    let mut here = categories.iter().filter(|category| category.parent.value() == above).collect::<Vec<_>>();
    here.sort_by_key(|category| category.name.value().map(|name| name.to_lowercase()));
    for category in here {
        let name = category.name.value().map_or("", String::as_str);
        choices.push((category.slug.clone(), format!("{}{name}", "– ".repeat(depth))));
        add_choices(categories, Some(&category.slug), depth + 1, choices);
    }
}

/// The address of a small copy of an image.
pub(super) fn thumbnail(image: &str) -> String {
    if is_elsewhere(image) { image.to_owned() } else { format!("{}?w=160", image_url("", image)) }
}

/// The state of a product or category in a word.
pub(in crate::catalog) const fn state(active: bool, visible: bool) -> &'static str {
    match (active, visible) {
        (false, _) => "inactive",
        (true, false) => "hidden",
        (true, true) => "active",
    }
}
