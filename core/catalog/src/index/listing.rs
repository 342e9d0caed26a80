//! The listing: all visible products in the order of their names, by category too.
//!
//! A page of a list is a slice of it, so page 400 costs what page 1 costs, and a count is a length.

use std::collections::{HashMap, HashSet};

use crate::model::{CategoryResource, ChildCategory};

/// A visible category.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct CategoryNode {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) parent_id: Option<i64>,
    pub(crate) image: Option<String>,
}

/// One version of the listing.
#[derive(Debug, Default, Clone)]
pub(crate) struct ListingIndex {
    /// The catalog's version that this was read at.
    pub(crate) version: i64,
    /// The version at which products or categories last changed.
    pub(crate) arranged: i64,
    /// Product ids in order.
    order: Vec<i64>,
    /// The category of each product in `order`; 0 for none.
    category_of: Vec<i64>,
    /// Product ids in order, by category.
    by_category: HashMap<i64, Vec<i64>>,
    /// Visible categories in the order of their names.
    categories: Vec<CategoryNode>,
}

impl ListingIndex {
    /// Reads the text of the listing query.
    pub(crate) fn new(version: i64, arranged: i64, text: &str, categories: Vec<CategoryNode>) -> Self {
        let mut listing = Self { version, arranged, categories, ..Self::default() };
        for entry in text.split(',').filter(|entry| !entry.is_empty()) {
            let (id, category) = entry.split_once(':').unwrap_or((entry, "0"));
            let (Ok(id), Ok(category)) = (id.parse::<i64>(), category.parse::<i64>()) else { continue };
            listing.order.push(id);
            listing.category_of.push(category);
            if category != 0 {
                listing.by_category.entry(category).or_default().push(id);
            }
        }
        listing
    }

    /// The same listing at a later version, which has not changed it.
    pub(crate) fn at(&self, version: i64) -> Self {
        Self { version, ..self.clone() }
    }

    /// All products in order.
    pub(crate) fn all(&self) -> &[i64] {
        &self.order
    }

    /// The products that stand in a category, in order.
    pub(crate) fn of_category(&self, category: i64) -> &[i64] {
        self.by_category.get(&category).map_or(&[], Vec::as_slice)
    }

    /// The category of the product at a position of the order; 0 for none.
    pub(crate) fn category_at(&self, position: usize) -> i64 {
        self.category_of.get(position).copied().unwrap_or(0)
    }

    /// The visible category with this slug.
    pub(crate) fn category_by_slug(&self, slug: &str) -> Option<&CategoryNode> {
        self.categories.iter().find(|category| category.slug == slug)
    }

    /// The visible category that a filter names by slug or by id (S4.2 rule 3).
    pub(crate) fn category_by_filter(&self, filter: &str) -> Option<&CategoryNode> {
        self.category_by_slug(filter).or_else(|| {
            let digits = !filter.is_empty() && filter.bytes().all(|byte| byte.is_ascii_digit());
            let id = filter.parse::<i64>().ok().filter(|_| digits)?;
            self.categories.iter().find(|category| category.id == id)
        })
    }

    /// A category and all below it.
    pub(crate) fn with_descendants(&self, id: i64) -> HashSet<i64> {
        let mut found = HashSet::from([id]);
        let mut open = vec![id];
        while let Some(parent) = open.pop() {
            let children = self.categories.iter().filter(|category| category.parent_id == Some(parent));
            open.extend(children.map(|category| category.id).filter(|child| found.insert(*child)));
        }
        found
    }

    /// The categories without a parent, as resources.
    pub(crate) fn roots(&self, image_url: impl Fn(&str) -> String) -> Vec<CategoryResource> {
        let roots = self.categories.iter().filter(|category| category.parent_id.is_none());
        roots.map(|category| self.resource(category, &image_url)).collect()
    }

    /// A category as a resource, with its children one level down (S2.2).
    pub(crate) fn resource(&self, category: &CategoryNode, image_url: impl Fn(&str) -> String) -> CategoryResource {
        let children = self.categories.iter().filter(|child| child.parent_id == Some(category.id));
        CategoryResource {
            id: category.id,
            name: category.name.clone(),
            slug: category.slug.clone(),
            image: category.image.as_deref().map(image_url),
            products_count: self.count(category.id),
            children: children
                .map(|child| ChildCategory {
                    id: child.id,
                    name: child.name.clone(),
                    slug: child.slug.clone(),
                    products_count: self.count(child.id),
                })
                .collect(),
        }
    }

    fn count(&self, category: i64) -> u64 {
        self.of_category(category).len() as u64
    }
}
