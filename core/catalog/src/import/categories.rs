//! Categories that a CSV file names by their names only.

use std::collections::{HashMap, VecDeque};

use super::header::Column;
use super::rules::MAX_SLUG;
use super::slugs::{UsedNames, slugify};
use super::{CategoryRecord, Member, ProductRecord, ReadItem, Record};

/// Gives each path of category names its slug, and each category its record, once.
///
/// The slug is made from the whole path (`clothing-hoodies`), so that it does not depend on which file or which row
/// names the category first, and two parents may each have children of the same name.
#[derive(Debug, Default)]
pub(super) struct Categories {
    slugs: HashMap<Vec<String>, String>,
    taken: UsedNames,
}

impl Categories {
    /// Puts a product into the first of the categories with these paths of names that can be made, after the records of
    /// categories not seen before. The others are made as well; that a product stands in one alone is told.
    pub(super) fn assign(
        &mut self,
        product: &mut ProductRecord,
        paths: &[Vec<String>],
        (line, column): (u64, &Column),
        found: &mut VecDeque<ReadItem>,
    ) {
        let mut records = Vec::new();
        let slugs: Vec<Option<String>> = paths.iter().map(|path| self.slug_of(path, &mut records)).collect();
        let own = slugs.iter().position(Option::is_some);
        product.category = own.and_then(|own| slugs[own].clone()).map_or(Member::Null, Member::Value);
        let reason = match (own, paths) {
            (None, []) | (Some(_), [_]) => None,
            (None, [path, ..]) => Some(format!(
                "{} has a name without letter and digit, so that `{}` gets no category",
                shown_path(path),
                product.slug
            )),
            (Some(own), paths) => Some(format!(
                "`{}` stands in {} alone, since a product has one category; {} left out",
                product.slug,
                shown_path(&paths[own]),
                listed(&[&paths[..own], &paths[own + 1..]].concat())
            )),
        };
        found.extend(reason.map(|reason| ReadItem::notice(line, Some(column.place()), reason)));
        found.extend(records.into_iter().map(|record| ReadItem::record(line, record)));
    }

    /// The slug for a path of names from the root down, after adding the records of categories not seen before; nothing
    /// when a name has neither letter nor digit.
    ///
    /// The records leave `active` out, so that a category which the operator has hidden stays hidden.
    fn slug_of(&mut self, names: &[String], records: &mut Vec<Record>) -> Option<String> {
        let words: Option<Vec<String>> = names.iter().map(|name| slugify(name, MAX_SLUG)).collect();
        let words = words.filter(|words| !words.is_empty())?;
        let mut parent: Member<String> = Member::Absent;
        for (depth, name) in names.iter().enumerate() {
            let path: Vec<String> = names[..=depth].iter().map(|name| name.to_lowercase()).collect();
            let slug = if let Some(slug) = self.slugs.get(&path) {
                slug.clone()
            } else {
                let slug = self.new_slug(&words[..=depth])?;
                records.push(Record::Category(CategoryRecord {
                    slug: slug.clone(),
                    name: Member::Value(name.clone()),
                    parent,
                    ..CategoryRecord::default()
                }));
                self.slugs.insert(path, slug.clone());
                slug
            };
            parent = Member::Value(slug);
        }
        parent.or_stored(None)
    }

    fn new_slug(&mut self, words: &[String]) -> Option<String> {
        let joined: String = words.join("-").chars().take(MAX_SLUG).collect();
        // Only digits would be taken for a category's id (S4.2 rule 3).
        let joined =
            if joined.bytes().all(|byte| byte.is_ascii_digit()) { format!("category-{joined}") } else { joined };
        self.taken.claim_name(&[joined], MAX_SLUG)
    }
}

/// A path of names as a notice may show it.
fn shown_path(names: &[String]) -> String {
    format!("`{}`", names.join(" > "))
}

/// Some of the paths, how many more there are, and the verb.
fn listed(paths: &[Vec<String>]) -> String {
    const NAMED: usize = 3;
    let mut names: Vec<String> = paths.iter().take(NAMED).map(|path| shown_path(path)).collect();
    if paths.len() > NAMED {
        names.push(format!("{} more", paths.len() - NAMED));
    }
    let verb = if paths.len() == 1 { "is" } else { "are" };
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { format!("{last} {verb}") } else { format!("{} and {last} {verb}", names.join(", ")) }
}
