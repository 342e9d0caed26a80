//! Attaching files to products in the console, and detaching them.

use std::io::Cursor;
use std::sync::Arc;

use stoa_core::config::Config as ShopConfig;
use stoa_core::console::ConsoleForm;
use stoa_core::http::rules::Field;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use super::ATTACH;
use crate::assets::{AttachError, Counts, LONGEST_LABEL, NewFile, attach, detach, public_folder};
use crate::config::MOST;
use crate::file_name;
use crate::routes::DownloadsState;
use crate::upload::UploadError;

const FILE: FormFile = FormFile {
    name: "file",
    label: "File",
    hint: "At most 24 MiB. Larger ones take the command line: stoa downloads attach.",
    accept: "",
};

/// A file that is attached.
#[derive(Debug, Deserialize)]
struct Attached {
    product: String,
    name: Option<String>,
    label: Option<String>,
    downloads: Option<i64>,
    days: Option<i64>,
    keep_counts: bool,
}

impl Input for Attached {
    const NAME: &'static str = "DownloadAttached";

    fn rules() -> Rules {
        let name = field("name")
            .label("Name for customers")
            .describe("Else as the file is called here. One of a name that is there becomes its new version.");
        let label = field("label").label("Name in lists").max(LONGEST_LABEL).describe("Else as the product.");
        let downloads = field("downloads")
            .integer(0, MOST)
            .describe("So often a buyer can download it; 0 for any number. Else what the product's settings say.");
        let days = field("days")
            .integer(0, MOST)
            .describe("For so many days; 0 for ever. Else what the product's settings say.");
        let keep_counts = field("keep_counts").label("Downloads of earlier versions count").boolean();
        Rules::new([product(), name, label, downloads, days, keep_counts])
    }
}

fn product() -> Field {
    field("product").describe("Its name in addresses.").required()
}

pub(super) fn attach_form(state: &DownloadsState) -> ConsoleForm {
    type Uses = (Db, Random, Arc<ShopConfig>);
    let state = state.clone();
    let attach = file_form(
        "downloads.attach",
        "Attach file",
        ATTACH,
        FILE,
        move |new: Attached, sent: UploadedFile, uses: Uses| {
            let state = state.clone();
            async move { attach_file(&state, new, sent, &uses).await }
        },
    );
    attach.about("All who buy the product can download it, and those who have bought it.")
}

async fn attach_file(
    state: &DownloadsState,
    new: Attached,
    sent: UploadedFile,
    (db, random, config): &(Db, Random, Arc<ShopConfig>),
) -> Result<Told, Refused> {
    let filename = new.name.unwrap_or(sent.name);
    if let Some(problem) = file_name::problem(&filename) {
        return Err(Refused::field("name", &problem));
    }
    if sent.content.is_empty() {
        return Err(Refused::field(FILE.name, &"the file is empty"));
    }
    if public_folder(state, config).is_some() {
        return Err(Refused::because(
            &"the folder of the files lies in the media folder, which is open to everybody: change `modules.downloads.folder`",
        ));
    }
    let file = NewFile {
        product: &new.product,
        filename: &filename,
        label: new.label.as_deref(),
        limit: new.downloads,
        days: new.days,
        counts: if new.keep_counts { Counts::Kept } else { Counts::Reset },
    };
    let attached = attach(db, random, state, &file, Cursor::new(sent.content)).await.map_err(refused)?;
    let what = if attached.unchanged { "is attached already" } else { "is attached" };
    let mut told = format!("{filename} {what} to {} as version {}.", new.product, attached.version);
    if attached.granted > 0 {
        told = format!("{told} {} downloads were granted to buyers of the past.", attached.granted);
    }
    Ok(told.into())
}

fn refused(error: AttachError) -> Refused {
    match error {
        AttachError::UnknownProduct(_) => Refused::field("product", &"there is no such product"),
        AttachError::NotDigital(slug) => Refused::field(
            "product",
            &format!("{slug} is not marked as a download, so its buyers would not get the file"),
        ),
        AttachError::Db(error) | AttachError::Upload(UploadError::Db(error)) => error.into(),
        AttachError::Upload(error) => Refused::because(&error),
    }
}

/// A file that is detached.
#[derive(Debug, Deserialize)]
struct Detached {
    product: String,
    name: String,
}

impl Input for Detached {
    const NAME: &'static str = "DownloadDetached";

    fn rules() -> Rules {
        Rules::new([product(), field("name").label("File").required()])
    }
}

pub(super) fn detach_form() -> ConsoleForm {
    let detach = form("downloads.detach", "Detach file", ATTACH, |gone: Detached, db: Db| async move {
        if !detach(&db, &gone.product, &gone.name).await? {
            return Err(Refused::field("name", &"no such file is attached to the product"));
        }
        Ok(format!("{} is detached from {}.", gone.name, gone.product).into())
    });
    detach.about("No further buyers get it. Those who have it keep it; attaching it again undoes this.")
}
