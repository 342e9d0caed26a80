//! The tree of categories while a file is laid over it.

use std::collections::BTreeMap;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::suggestion::meant_or;

use super::queries;
use super::writer::RecordProblem;
use crate::record::{CategoryRecord, Member};

/// A category as it is stored, or shall be.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CategoryState {
    /// The id; 0 for one that is not stored yet.
    pub id: i64,
    /// The key.
    pub slug: String,
    /// The name.
    pub name: String,
    /// Slug of the category above.
    pub parent: Option<String>,
    /// Absolute URL, or path below the media folder.
    pub image: Option<String>,
    /// Whether the shop shows it.
    pub active: bool,
    /// Active, and so are all categories above it.
    pub visible: bool,
}

impl CategoryState {
    /// The category as a record that says everything.
    pub fn record(self) -> CategoryRecord {
        CategoryRecord {
            slug: self.slug,
            name: Member::Value(self.name),
            parent: Member::known(self.parent),
            image: Member::known(self.image),
            active: Member::Value(self.active),
        }
    }
}

/// All categories, in the order of their ids.
pub(crate) async fn stored_categories(db: &Db) -> Result<Vec<CategoryState>, DbError> {
    db.read(queries::ALL_CATEGORIES).all().await
}

/// All categories by slug.
#[derive(Debug, Clone, Default)]
pub(super) struct Categories(BTreeMap<String, CategoryState>);

impl Categories {
    pub(super) fn new(stored: Vec<CategoryState>) -> Self {
        Self(stored.into_iter().map(|category| (category.slug.clone(), category)).collect())
    }

    pub(super) fn get(&self, slug: &str) -> Option<&CategoryState> {
        self.0.get(slug)
    }

    pub(super) fn put(&mut self, category: CategoryState) {
        self.0.insert(category.slug.clone(), category);
    }

    pub(super) fn set_id(&mut self, slug: &str, id: i64) {
        if let Some(category) = self.0.get_mut(slug) {
            category.id = id;
        }
    }

    /// What the record makes of the stored category, or why it cannot be.
    pub(super) fn merge(&self, record: &CategoryRecord) -> Result<CategoryState, RecordProblem> {
        let stored = self.get(&record.slug);
        let name = record.name.clone().or_stored(stored.map(|category| category.name.clone()));
        let parent = record.parent.clone().or_stored(stored.and_then(|category| category.parent.clone()));
        if let Some(parent) = &parent {
            self.check_parent(&record.slug, parent)?;
        }
        Ok(CategoryState {
            id: stored.map_or(0, |category| category.id),
            slug: record.slug.clone(),
            name: name.ok_or_else(|| RecordProblem::new("name", "a new category needs a name"))?,
            visible: false,
            parent,
            image: record.image.clone().or_stored(stored.and_then(|category| category.image.clone())),
            active: record.active.or_stored(stored.map(|category| category.active)).unwrap_or(true),
        })
    }

    fn check_parent(&self, slug: &str, parent: &str) -> Result<(), RecordProblem> {
        if self.get(parent).is_none() && parent != slug {
            return Err(RecordProblem::new("parent", self.unknown(parent)));
        }
        // Walk upwards; a path that comes back here would never end.
        let mut above = Some(parent);
        while let Some(current) = above {
            if current == slug {
                let reason = format!("`{slug}` would stand below itself; give a parent that is not among its children");
                return Err(RecordProblem::new("parent", reason));
            }
            above = self.get(current).and_then(|category| category.parent.as_deref());
        }
        Ok(())
    }

    /// What is told about a category that a record names and that is not there.
    pub(super) fn unknown(&self, slug: &str) -> String {
        let instead = meant_or(slug, self.slugs(), "a category must be there before it is named");
        format!("there is no category `{slug}`{instead}")
    }

    fn slugs(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Works out anew which categories are visible, and returns those for which that has changed.
    pub(super) fn recompute_visibility(&mut self) -> Vec<CategoryState> {
        let visible = self.0.keys().map(|slug| (slug.clone(), self.is_visible(slug))).collect::<Vec<_>>();
        let mut changed = Vec::new();
        for (slug, visible) in visible {
            if let Some(category) = self.0.get_mut(&slug).filter(|category| category.visible != visible) {
                category.visible = visible;
                changed.push(category.clone());
            }
        }
        changed
    }

    fn is_visible(&self, slug: &str) -> bool {
        let mut current = self.get(slug);
        while let Some(category) = current {
            if !category.active {
                return false;
            }
            current = category.parent.as_deref().and_then(|parent| self.get(parent));
        }
        true
    }
}
