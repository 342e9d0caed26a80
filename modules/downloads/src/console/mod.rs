//! The module's pages of the operator's console: files, what buyers may download, and other limits for one; and its boxes.

mod attaching;
mod queries;

use chrono::{DateTime, Utc};
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::changing::{GrantError, MAX_REASON, extend, find_grant, give_back, revoke};
use crate::config::MOST;
use crate::entitlement::Refusal;
use crate::model::Grant;
use crate::queries::LIST_GRANTS;
use crate::routes::DownloadsState;

const VIEW: &str = "downloads.view";
const EDIT: &str = "downloads.edit";
const ATTACH: &str = "downloads.attach";
const FILES: &str = "/m/downloads/files";
const GRANTS: &str = "/m/downloads/grants";

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, state: &DownloadsState) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see files and who may download them");
    cx.console_ability(ATTACH, "attach files to products, and detach them");
    cx.console_ability(EDIT, "give buyers more downloads, and take downloads back");
    let longer = form("downloads.extend", "Extend", EDIT, extend_grant)
        .about("Nothing filled in is one more download. 0 is any number, and for ever.");
    let back = form("downloads.revoke", "Revoke", EDIT, revoke_grant).about("The buyer cannot download it any more.");
    let given = form("downloads.give-back", "Give back", EDIT, return_grant);
    let grants = page("downloads.grants", "Downloads", VIEW, grants).near(Menu::Orders);
    cx.console_page((), grants.form(longer).form(back).form(given))?;
    let files = page("downloads.files", "Files", VIEW, files);
    cx.console_page((), files.form(attaching::attach_form(state)).form(attaching::detach_form()))?;
    cx.console_panel(On::Product, VIEW, |product_id, db: Db| async move {
        let rows = db.read(queries::FILES_OF_PRODUCT).bind(product_id).all::<File>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Files").rows(file_list(), rows)))
    });
    cx.console_panel(On::Order, VIEW, |order_id, db: Db| async move {
        let rows = db.read(LIST_GRANTS).bind(order_id).bind(None::<&str>).bind(None::<&str>);
        let rows = rows.bind(None::<i64>).bind(None::<&str>).bind(100_i64).bind(None::<i64>).all::<Grant>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Downloads").rows(list(db.now()), rows)))
    });
    Ok(())
}

fn list(now: DateTime<Utc>) -> List<Grant> {
    let id = |grant: &Grant| grant.id.to_string();
    let is_revoked = |grant: &Grant| grant.standing.revoked_at.is_some();
    List::new("Downloads", |grant: &Grant| grant.id)
        .column("Download", id)
        .column("File", |grant| Cell::from(&grant.filename).over(grant.product.as_str()))
        .column("Order", |grant| {
            let number = OrderNumber::of(grant.order_id).to_string();
            Cell::link(number.as_str(), format!("/orders/{number}"))
        })
        .column("Used", |grant| match grant.standing.download_limit {
            Some(limit) => format!("{} of {limit}", grant.standing.download_count),
            None => grant.standing.download_count.to_string(),
        })
        .column("Until", |grant| grant.standing.expires_at)
        .column("State", move |grant| Cell::state(grant.standing.refusal(now).map_or("active", Refusal::as_str)))
        .act(EDIT, move |grant| Some(RowAct::fill("Extend", &format!("{GRANTS}/extend"), [("id", id(grant).as_str())])))
        .act(EDIT, move |grant| {
            let act = || RowAct::fill("Revoke", &format!("{GRANTS}/revoke"), [("id", id(grant).as_str())]);
            (!is_revoked(grant)).then(act)
        })
        .act(EDIT, move |grant| {
            is_revoked(grant).then(|| RowAct::send("Give back", format!("{GRANTS}/give-back"), [("id", id(grant))]))
        })
}

async fn grants(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let order = query.parsed::<OrderNumber>("order").map(OrderNumber::id);
    let (email, product) = (query.get("customer").map(str::to_lowercase), query.get("product").map(str::to_owned));
    let counted = db.read(queries::COUNT_GRANTS).bind(order).bind(email.clone()).bind(product.clone());
    let counted = counted.bind(MOST_COUNTED + 1).scalar().await?;
    let list = list(db.now())
        .about("What buyers may download, the newest first.")
        .text("order", "Order", "O-000042")
        .text("customer", "Customer", "ada@example.com")
        .text("product", "Product", "songs")
        .empty("Nobody has bought a file yet.");
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, email, product) = (db.clone(), email.clone(), product.clone());
        async move {
            let read = db.read(LIST_GRANTS).bind(order).bind(email).bind(product).bind(None::<i64>);
            read.bind(None::<&str>).bind(limit).bind(after).all::<Grant>().await
        }
    })
    .await
}

#[derive(sqlx::FromRow)]
struct File {
    id: i64,
    product: String,
    filename: String,
    version: i64,
    size: i64,
    detached_at: Option<DateTime<Utc>>,
    attached_at: DateTime<Utc>,
    problem: Option<String>,
}

fn file_list() -> List<File> {
    let fill = |label, act: &str, file: &File| {
        let values = [("product", file.product.as_str()), ("name", file.filename.as_str())];
        RowAct::fill(label, &format!("{FILES}/{act}"), values)
    };
    List::new("Files", |file: &File| file.id)
        .column("File", |file| Cell::from(&file.filename).over(file.product.as_str()))
        .number("Version", |file| file.version)
        .number("Bytes", |file| file.size)
        .column("Since", |file| file.attached_at)
        .column("State", |file| match (&file.problem, file.detached_at) {
            (Some(problem), _) => Cell::state("failed").over(problem.as_str()),
            (None, Some(time)) => Cell::state("detached").over(time),
            (None, None) => Cell::state("ok"),
        })
        .act(ATTACH, move |file| Some(fill("New version", "attach", file)))
        .act(ATTACH, move |file| file.detached_at.is_none().then(|| fill("Detach", "detach", file)))
}

async fn files(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let product = query.get("product").map(str::to_owned);
    let counted = db.read(queries::COUNT_ASSETS).bind(product.clone()).bind(MOST_COUNTED + 1).scalar().await?;
    let list = file_list()
        .about("The files of products in their newest version. All buyers get the newest.")
        .text("product", "Product", "songs")
        .button(ATTACH, "Attach file", format!("{FILES}/attach"))
        .empty("No product has a file yet.");
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, product) = (db.clone(), product.clone());
        async move { db.read(queries::PAGE_ASSETS).bind(product).bind(after).bind(limit).all::<File>().await }
    })
    .await
}

/// Which download is meant.
fn id() -> stoa_core::http::rules::Field {
    field("id").label("Download").integer(1, i64::MAX).required()
}

/// Other limits.
#[derive(Debug, Deserialize)]
struct Longer {
    id: i64,
    downloads: Option<i64>,
    days: Option<i64>,
}

impl Input for Longer {
    const NAME: &'static str = "DownloadExtension";

    fn rules() -> Rules {
        let downloads = field("downloads").integer(0, MOST).describe("So many in all.");
        Rules::new([id(), downloads, field("days").integer(0, MOST).describe("So many from now on.")])
    }
}

async fn extend_grant(new: Longer, db: Db) -> Result<Told, Refused> {
    let grant = find_grant(&db, &new.id.to_string()).await.map_err(refused)?;
    extend(&db, grant.id, new.downloads, new.days).await.map_err(refused)?;
    Ok(format!("Download {} is extended.", grant.id).into())
}

/// What is taken back.
#[derive(Debug, Deserialize)]
struct Revoked {
    id: i64,
    reason: String,
}

impl Input for Revoked {
    const NAME: &'static str = "DownloadRevocation";

    fn rules() -> Rules {
        Rules::new([id(), field("reason").max(MAX_REASON).required()])
    }
}

async fn revoke_grant(taken: Revoked, db: Db) -> Result<Told, Refused> {
    let grant = find_grant(&db, &taken.id.to_string()).await.map_err(refused)?;
    let told = if revoke(&db, grant.id, &taken.reason).await? { "is revoked" } else { "was revoked before" };
    Ok(format!("Download {} {told}.", grant.id).into())
}

/// What is given back.
#[derive(Debug, Deserialize)]
struct Returned {
    id: i64,
}

impl Input for Returned {
    const NAME: &'static str = "DownloadReturn";

    fn rules() -> Rules {
        Rules::new([id()])
    }
}

async fn return_grant(given: Returned, db: Db) -> Result<Told, Refused> {
    let grant = find_grant(&db, &given.id.to_string()).await.map_err(refused)?;
    if !give_back(&db, grant.id).await? {
        return Err(Refused::because(&"it stays as it is: its unit of the order was refunded, or it was not revoked"));
    }
    Ok(format!("Download {} is given back.", grant.id).into())
}

fn refused(error: GrantError) -> Refused {
    match error {
        GrantError::Unknown(_) => Refused::field("id", &"there is no such download"),
        GrantError::Counted => Refused::field("downloads", &"more downloads than that were counted already"),
        GrantError::Db(error) => error.into(),
    }
}
