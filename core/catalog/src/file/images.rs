//! The images of an import: which lie on other servers, and which are copied from there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use url::Url;

use super::Remark;
use crate::images::{ImageCopier, is_elsewhere};
use crate::{Member, Record};

/// Images that are fetched at once.
const AT_ONCE: usize = 6;

/// How many images there were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageCounts {
    /// Images that now lie in the media folder.
    pub copied: u64,
    /// Images that lie on other servers.
    pub elsewhere: u64,
    /// Those servers.
    pub servers: BTreeSet<String>,
}

/// The images of one file.
pub(super) struct ImportedImages {
    copier: Option<ImageCopier>,
    /// What became of each address.
    asked: HashMap<String, Result<String, String>>,
    elsewhere: u64,
    servers: BTreeSet<String>,
}

impl ImportedImages {
    pub(super) fn new(copier: Option<ImageCopier>) -> Self {
        Self { copier, asked: HashMap::new(), elsewhere: 0, servers: BTreeSet::new() }
    }

    /// Copies the images of records, each address once, and puts the copies into their place. An image that cannot be
    /// copied keeps its address, and a remark says why, with the line of the first record that has it.
    pub(super) async fn copy(&mut self, lines: &[u64], records: &mut [Record]) -> Vec<Remark> {
        let Some(copier) = &self.copier else { return Vec::new() };
        let mut wanted = BTreeMap::<String, (u64, &str)>::new();
        for (line, record) in lines.iter().zip(records.iter_mut()) {
            let column = if matches!(record, Record::Product(_)) { "images" } else { "image" };
            for image in images(record).filter(|image| is_elsewhere(image) && !self.asked.contains_key(*image)) {
                wanted.entry(image.clone()).or_insert((*line, column));
            }
        }
        let addresses = wanted.keys().cloned().collect::<Vec<_>>();
        let copies = stream::iter(addresses).map(|address| async {
            let copied = copier.copy(&address).await;
            (address, copied)
        });
        let copies = copies.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
        self.asked.extend(copies);
        for image in records.iter_mut().flat_map(images) {
            if let Some(Ok(path)) = self.asked.get(image) {
                image.clone_from(path);
            }
        }
        let mut remarks = Vec::new();
        for (address, (line, column)) in wanted {
            if let Some(Err(reason)) = self.asked.get(&address) {
                let reason = format!("the image {address} {reason}; its address is kept");
                remarks.push(Remark { line, column: Some(column.to_owned()), reason });
            }
        }
        remarks.sort_by_key(|remark| remark.line);
        remarks
    }

    /// Counts the images of a record that lie elsewhere.
    pub(super) fn count(&mut self, record: &mut Record) {
        for image in images(record).filter(|image| is_elsewhere(image)) {
            self.elsewhere += 1;
            let url = Url::parse(image).ok();
            self.servers.extend(url.as_ref().and_then(Url::host_str).map(str::to_owned));
        }
    }

    pub(super) fn counts(self) -> ImageCounts {
        let copied = self.asked.values().filter(|copied| copied.is_ok()).count() as u64;
        ImageCounts { copied, elsewhere: self.elsewhere, servers: self.servers }
    }
}

/// The images of a record.
fn images(record: &mut Record) -> impl Iterator<Item = &mut String> {
    let (several, one) = match record {
        Record::Product(product) => (Some(&mut product.images), None),
        Record::Category(category) => (None, Some(&mut category.image)),
    };
    let several = several.into_iter().filter_map(|images| match images {
        Member::Value(images) => Some(images.iter_mut()),
        Member::Null | Member::Absent => None,
    });
    let one = one.into_iter().filter_map(|image| match image {
        Member::Value(image) => Some(image),
        Member::Null | Member::Absent => None,
    });
    several.flatten().chain(one)
}
