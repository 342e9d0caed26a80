//! A page of the operator's console: what is to be wrapped, and printing a card again.

use stoa_core::prelude::*;

use crate::events::reprint;
use crate::model::ListedWish;
use crate::queries;

/// Registers the page with its form.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.console_ability("gift_wrap.view", "see what is to be wrapped");
    cx.console_ability("gift_wrap.reprint", "print cards again");
    let again = form("gift_wrap.reprint", "Print again", "gift_wrap.reprint", |new: Reprint, db: Db| async move {
        let found = reprint(&db, new.wish).await?;
        found.then(|| "The card is printed again.".into()).ok_or_else(|| Refused::field("wish", &"it has no card"))
    });
    cx.console_page((), page("gift_wrap.wishes", "Gift wraps", "gift_wrap.view", wishes).near(Menu::Orders).form(again))
}

async fn wishes(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let waiting = query.is_on("waiting");
    let counted = db.read(queries::COUNT_FOR_OPERATOR).bind(waiting).bind(MOST_COUNTED + 1).scalar().await?;
    let list = List::new("Gift wraps", |wish: &ListedWish| wish.id)
        .flag("waiting", "Card not printed yet")
        .column("Wish", |wish| wish.id)
        .column("Paper", |wish| Cell::from(&wish.paper).over(wish.message.as_deref()))
        .column("Card printed", |wish| wish.card_printed_at)
        .act("gift_wrap.reprint", |wish| {
            Some(RowAct::send("Print again", "/m/gift_wrap/wishes/reprint", [("wish", wish.id.to_string())]))
        });
    list.show(query, RowCount::of(counted), move |after, limit| {
        let db = db.clone();
        async move { db.read(queries::LIST_FOR_OPERATOR).bind(waiting).bind(limit).bind(after).all().await }
    })
    .await
}

/// Which card is printed again.
#[derive(Debug, Deserialize)]
struct Reprint {
    wish: i64,
}

impl Input for Reprint {
    const NAME: &'static str = "GiftWrapReprint";

    fn rules() -> Rules {
        Rules::new([field("wish").integer(1, i64::MAX).required()])
    }
}
