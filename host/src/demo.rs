//! The demo shop, embedded in the program.

use std::io::Cursor;
use std::path::Path;

use rust_embed::Embed;
use stoa_core::catalog::import::Format;
use stoa_core::catalog::write::Mode;
use stoa_core::customers::{NewCustomer, create_customer, find_customer};
use stoa_core::db::{Db, Sql};
use stoa_core::random::Random;
use stoa_core::sql;

use crate::catalog_file::{CatalogFile, Progress, Remark, RemarkKind};
use crate::failure::Failure;
use crate::installation::Installation;

/// Products and categories that need no module.
const CATALOG: &str = include_str!("../demo/catalog.jsonl");

/// Products that each need a module, one a line.
const MODULE_CATALOG: &str = include_str!("../demo/catalog-modules.jsonl");

/// The login of the demo's customer.
const EMAIL: &str = "demo@stoa.example";

const COUNT_PRODUCTS: Sql = sql!("SELECT COUNT(*) FROM products");

#[derive(Embed)]
#[folder = "demo/media"]
struct Pictures;

/// What somebody who tries the demo needs to know.
pub(crate) struct DemoCustomer {
    pub(crate) email: &'static str,
    /// Made anew for each demo database, and known only when it is made.
    pub(crate) password: Option<String>,
}

/// Loads the demo shop into an empty database, and makes its customer.
pub(crate) async fn load(installation: &Installation, db: &Db, random: &Random) -> Result<DemoCustomer, Failure> {
    if db.read(COUNT_PRODUCTS).scalar::<i64>().await? == 0 {
        write_pictures(&installation.config.media.folder)?;
        lay_over(installation, db, CATALOG.to_owned()).await?;
        let modules = MODULE_CATALOG.lines().filter(|line| needs_only_linked(installation, line));
        let modules = modules.collect::<Vec<_>>().join("\n");
        if !modules.is_empty() {
            lay_over(installation, db, modules).await?;
        }
    }
    if find_customer(db, EMAIL).await?.is_some() {
        return Ok(DemoCustomer { email: EMAIL, password: None });
    }
    let password = random.alphanumeric(16);
    let password_hash = Some(installation.program.passwords.hash(password.clone()).await?);
    let name = String::from("Demo Customer");
    create_customer(db, NewCustomer { email: EMAIL.to_owned(), name, password_hash, verified: true }).await?;
    Ok(DemoCustomer { email: EMAIL, password: Some(password) })
}

/// Whether this program links the modules whose settings a line holds.
fn needs_only_linked(installation: &Installation, line: &str) -> bool {
    let record: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    let modules = record["modules"].as_object();
    modules.is_some_and(|modules| modules.keys().all(|key| installation.program.registry.is_linked(key)))
}

fn write_pictures(media: &Path) -> Result<(), Failure> {
    let folder = media.join("demo");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::operation(format!("cannot make the folder {}: {error}", folder.display())))?;
    for name in Pictures::iter() {
        let Some(picture) = Pictures::get(&name) else { continue };
        let path = folder.join(name.as_ref());
        std::fs::write(&path, picture.data)
            .map_err(|error| Failure::operation(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

async fn lay_over(installation: &Installation, db: &Db, text: String) -> Result<(), Failure> {
    let file = CatalogFile {
        source: Cursor::new(text.into_bytes()),
        name: String::from("demo"),
        format: Some(Format::Stoa),
        settings: installation.read_settings(),
    };
    let summary = file.lay_over(db, &installation.program.registry, Mode::Write, &mut Quiet).await?;
    match summary.rejections.first() {
        None => Ok(()),
        Some(Remark { line, reason, .. }) => {
            Err(Failure::operation(format!("the demo shop cannot be loaded: line {line}: {reason}")))
        }
    }
}

struct Quiet;

impl Progress for Quiet {
    fn bytes(&mut self, _: u64) {}
    fn remark(&mut self, _: RemarkKind, _: &Remark) {}
}
