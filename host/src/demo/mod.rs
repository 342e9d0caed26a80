//! The demo shop, embedded in the program.

mod goods;
mod mark;
mod queries;
mod recording;

use std::io::Cursor;

use chrono::{DateTime, TimeDelta};
use rust_embed::Embed;
use serde_json::Value;
use stoa_core::catalog::file::{CatalogFile, Progress, Remark, RemarkKind, Shop};
use stoa_core::catalog::import::Format;
use stoa_core::catalog::write::Mode;
use stoa_core::clock::Clock;
use stoa_core::commands;
use stoa_core::customers::{NewCustomer, create_customer, find_customer};
use stoa_core::db::Db;
use stoa_core::error_chain;
use stoa_core::random::Random;
use stoa_core::storage::MediaStore;
use stoa_kernel::from_shop::ShopParts;
use stoa_staff::{NewStaff, create_staff, find_staff};

pub(crate) use self::mark::{mark_configured, purpose_of, refuse_own_shop};
use crate::failure::Failure;
use crate::installation::Installation;

/// Products and categories that need no module.
const CATALOG: &str = include_str!("../../demo/catalog.jsonl");

/// Products that each need a module, one a line.
const MODULE_CATALOG: &str = include_str!("../../demo/catalog-modules.jsonl");

/// What becomes cheaper after it was there for its usual price, so that the shop knows what that was.
const REDUCTIONS: &str = include_str!("../../demo/reductions.jsonl");

/// The login of the demo's customer.
const EMAIL: &str = "demo@stoa.example";

/// How far ahead events are when the demo is made, at least.
const EVENTS_AHEAD: TimeDelta = TimeDelta::days(60);

/// By how much events are moved that would be sooner: a year, to the same day of the week.
const LATER: TimeDelta = TimeDelta::weeks(52);

#[derive(Embed)]
#[folder = "demo/media"]
struct Pictures;

/// The login of the demo's operator.
const OPERATOR: &str = "operator@stoa.example";

/// What somebody who tries the demo needs to know.
pub(crate) struct DemoLogins {
    pub(crate) customer: DemoLogin,
    pub(crate) operator: DemoLogin,
}

/// A login of the demo.
pub(crate) struct DemoLogin {
    pub(crate) email: &'static str,
    /// Made anew for each demo database, and known only when it is made.
    pub(crate) password: Option<String>,
}

/// Makes a migrated database the demo shop's, unless it is that already: its catalog, its goods and its customer.
pub(crate) async fn load(
    installation: &Installation,
    parts: &ShopParts,
    random: &Random,
) -> Result<DemoLogins, Failure> {
    let db = &parts.db;
    if mark::begin(db).await? {
        let progress = commands::Progress::begin("filling the demo shop");
        write_pictures(&MediaStore::of(&installation.config.media)).await?;
        lay_over(installation, db, CATALOG.to_owned()).await?;
        let modules = MODULE_CATALOG.lines().filter_map(|line| module_line(installation, &parts.clock, line));
        let modules = modules.collect::<Vec<_>>().join("\n");
        if !modules.is_empty() {
            lay_over(installation, db, modules).await?;
        }
        lay_over(installation, db, REDUCTIONS.to_owned()).await?;
        goods::supply(installation, parts, random).await?;
        mark::filled(db).await?;
        drop(progress);
    }
    mark::show(db).await?;
    let customer = DemoLogin { email: EMAIL, password: customer(installation, db, random).await? };
    let operator = DemoLogin { email: OPERATOR, password: operator(installation, parts, random).await? };
    Ok(DemoLogins { customer, operator })
}

/// Makes the demo's operator. Gives the password, unless there is one already.
async fn operator(installation: &Installation, parts: &ShopParts, random: &Random) -> Result<Option<String>, Failure> {
    if find_staff(&parts.db, OPERATOR).await?.is_some() {
        return Ok(None);
    }
    let password = random.alphanumeric(16);
    let password_hash = Some(installation.program.passwords.hash(password.clone()).await?);
    let (name, role) = (String::from("Demo Operator"), String::from("owner"));
    let new = NewStaff { email: OPERATOR.to_owned(), name, role, password_hash };
    create_staff(&parts.db, &parts.console, new).await?;
    Ok(Some(password))
}

/// Makes the demo's customer. Gives the password, unless there is one already.
async fn customer(installation: &Installation, db: &Db, random: &Random) -> Result<Option<String>, Failure> {
    if find_customer(db, EMAIL).await?.is_some() {
        return Ok(None);
    }
    let password = random.alphanumeric(16);
    let password_hash = Some(installation.program.passwords.hash(password.clone()).await?);
    let name = String::from("Demo Customer");
    create_customer(db, NewCustomer { email: EMAIL.to_owned(), name, password_hash, verified: true }).await?;
    Ok(Some(password))
}

/// A line whose modules this program links, with its event in the future.
fn module_line(installation: &Installation, clock: &Clock, line: &str) -> Option<String> {
    let record: Value = serde_json::from_str(line).unwrap_or_default();
    let modules = record["modules"].as_object()?;
    if !modules.keys().all(|key| installation.program.registry.is_linked(key)) {
        return None;
    }
    let Some(written) = record["modules"]["event_tickets"]["starts_at"].as_str() else { return Some(line.to_owned()) };
    let mut starts_at = DateTime::parse_from_rfc3339(written).ok()?;
    while starts_at < clock.now() + EVENTS_AHEAD {
        starts_at += LATER;
    }
    Some(line.replace(written, &starts_at.to_rfc3339()))
}

async fn write_pictures(media: &MediaStore) -> Result<(), Failure> {
    for name in Pictures::iter() {
        let Some(picture) = Pictures::get(&name) else { continue };
        let written = media.put(&format!("demo/{name}"), picture.data.into_owned().into()).await;
        written.map_err(|error| {
            Failure::operation(format!("cannot keep pictures in {}: {}", media.shown(), error_chain(&error)))
        })?;
    }
    Ok(())
}

async fn lay_over(installation: &Installation, db: &Db, text: String) -> Result<(), Failure> {
    let file = CatalogFile {
        source: Cursor::new(text.into_bytes()),
        name: String::from("demo"),
        format: Some(Format::Stoa),
        settings: installation.read_settings(),
        images: None,
    };
    let shop = Shop { db, modules: &installation.program.registry.products, config: &installation.config };
    let summary = file.lay_over(&shop, Mode::Write, &mut Quiet).await?;
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
