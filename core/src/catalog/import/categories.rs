//! Categories that a CSV file names by their names only.

use std::collections::{HashMap, VecDeque};

use super::header::Column;
use super::rules::MAX_SLUG;
use super::slugs::{Taken, slugify};
use super::{CategoryRecord, Member, ProductRecord, ReadItem, Record};

/// Gives each path of category names its slug, and each category its record, once.
///
/// The slug is made from the whole path (`clothing-hoodies`), so that it does not depend on which file or which row
/// names the category first, and two parents may each have children of the same name.
#[derive(Debug, Default)]
pub(super) struct Categories {
    slugs: HashMap<Vec<String>, String>,
    taken: Taken,
}

impl Categories {
    /// Puts a product into the category with these names, after the records of categories not seen before.
    pub(super) fn assign(
        &mut self,
        product: &mut ProductRecord,
        names: Option<&[String]>,
        (line, column): (u64, &Column),
        found: &mut VecDeque<ReadItem>,
    ) {
        product.category = Member::Null;
        let Some(names) = names else { return };
        if let Some((slug, records)) = self.slug_of(names) {
            product.category = Member::Value(slug);
            found.extend(records.into_iter().map(|record| ReadItem::record(line, record)));
        } else {
            let reason = format!(
                "`{}` has a name without letter and digit, so that `{}` gets no category",
                names.join(" > "),
                product.slug
            );
            found.push_back(ReadItem::notice(line, Some(column.place()), reason));
        }
    }

    /// The slug for a path of names from the root down, with the records of categories not seen before; nothing when
    /// a name has neither letter nor digit.
    ///
    /// The records leave `active` out, so that a category which the operator has hidden stays hidden.
    fn slug_of(&mut self, names: &[String]) -> Option<(String, Vec<Record>)> {
        let words: Option<Vec<String>> = names.iter().map(|name| slugify(name, MAX_SLUG)).collect();
        let words = words.filter(|words| !words.is_empty())?;
        let mut records = Vec::new();
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
        parent.or_stored(None).map(|slug| (slug, records))
    }

    fn new_slug(&mut self, words: &[String]) -> Option<String> {
        let joined: String = words.join("-").chars().take(MAX_SLUG).collect();
        // Only digits would be taken for a category's id (S4.2 rule 3).
        let joined =
            if joined.bytes().all(|byte| byte.is_ascii_digit()) { format!("category-{joined}") } else { joined };
        self.taken.take(&[joined], MAX_SLUG)
    }
}
