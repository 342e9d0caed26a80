//! The module's page of the operator's console: what was written, to be published or refused.

use stoa_core::prelude::*;

use crate::model::ListedReview;
use crate::queries;
use crate::writing::judge;

const VIEW: &str = "reviews.view";
const JUDGE: &str = "reviews.judge";

/// What a review can be.
const STATES: [&str; 3] = ["waiting", "published", "refused"];

/// Registers the page with its form.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see reviews");
    cx.console_ability(JUDGE, "publish and refuse reviews");
    let form = form(JUDGE, "Publish or refuse", JUDGE, |new: Judgement, db: Db| async move {
        if judge(&db, new.review, new.version, &new.status).await? {
            return Ok(format!("The review is {}.", new.status).into());
        }
        Err(Refused::because(&"its author has changed or withdrawn it meanwhile: read it again"))
    });
    let form = form.hides(&["review", "version"]);
    cx.console_page((), page("reviews.list", "Reviews", VIEW, list).near(Menu::Products).form(form))?;
    cx.console_waiting(VIEW, "Reviews to be read", "/m/reviews/list?status=waiting", |db: Db| async move {
        db.read(queries::COUNT_LISTED).bind("waiting").bind(MOST_COUNTED + 1).scalar().await
    });
    Ok(())
}

async fn list(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let status = query.get("status").and_then(|word| STATES.into_iter().find(|state| *state == word));
    let counted = db.read(queries::COUNT_LISTED).bind(status).bind(MOST_COUNTED + 1).scalar().await?;
    let list = List::new("Reviews", |review: &ListedReview| review.id)
        .empty("There are no reviews yet. They appear here as soon as a customer writes one.")
        .choice("status", "Status", STATES)
        .column("Product", |review| Cell::link(&review.product_name, format!("/products/{}", review.product_slug)))
        .number("Stars", |review| review.stars)
        .column("Review", |review| Cell::from(&review.text).over(format!("shown as {}", review.name)))
        .column("Status", |review| Cell::state(&review.status))
        .column("Customer", |review| {
            Cell::link(review.customer_id.to_string(), format!("/customers/{}", review.customer_id))
        })
        .column("Written", |review| review.updated_at)
        .act(JUDGE, |review| act(review, "Publish", "published"))
        .act(JUDGE, |review| act(review, "Refuse", "refused"));
    list.show(query, RowCount::of(counted), move |after, limit| {
        let db = db.clone();
        async move { db.read(queries::LIST).bind(status).bind(limit).bind(after).all().await }
    })
    .await
}

/// Makes a review that; nothing for one that is it already.
fn act(review: &ListedReview, label: &'static str, status: &'static str) -> Option<RowAct> {
    let fields =
        [("review", review.id.to_string()), ("version", review.version.to_string()), ("status", status.to_owned())];
    (review.status != status).then(|| RowAct::send(label, "/m/reviews/list/judge", fields))
}

/// What becomes of a review, as it was when it was read.
#[derive(Debug, Deserialize)]
struct Judgement {
    review: i64,
    version: i64,
    status: String,
}

impl Input for Judgement {
    const NAME: &'static str = "ReviewJudgement";

    fn rules() -> Rules {
        Rules::new([
            field("review").integer(1, i64::MAX).required(),
            field("version").integer(1, i64::MAX).required(),
            field("status").one_of(vec!["published", "refused"]).required(),
        ])
    }
}
