//! Whether the module's pages of the console ask who is there and what they may do.

use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{Request, header};
use tower_service::Service;

use stoa_kernel::console::{
    FormPage, ListPage, OncePage, PageAsked, ShowConsole, staff_cookie_name, start_staff_session,
};
use stoa_kernel::db::DbError;
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::{FailureCause, PeerAddress};
use stoa_kernel::module::ModuleEntry;
use stoa_kernel::pages::{ErrorPage, ShowErrors};
use stoa_staff::{NewStaff, create_staff};

use super::report::Report;
use super::request::customer;
use super::rule::Rule;
use super::sample_rows::with_parents;
use super::schema::Table;
use super::strangers::fill;
use super::subject::{Subject, describe};
use crate::program::Shop;

/// Where requests come from: an address of the documentation.
const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// A role that may do nothing.
pub(super) const NOTHING: &str = "nothing";

/// A role that may look at everything and do nothing.
const VIEWER: &str = "viewer";

/// Shows pages as far as is needed to see that they open.
pub(super) struct Plain;

impl ShowConsole for Plain {
    fn list(&self, _: &PageAsked, page: &ListPage) -> ApiResult<Response> {
        Ok(page.title.clone().into_response())
    }

    fn form(&self, _: &PageAsked, page: &FormPage<'_>) -> ApiResult<Response> {
        Ok(page.title.into_response())
    }

    fn once(&self, _: &PageAsked, page: &OncePage<'_>) -> ApiResult<Response> {
        Ok(page.title.into_response())
    }

    fn html(&self, _: &PageAsked, title: &str, _: &str) -> ApiResult<Response> {
        Ok(title.to_owned().into_response())
    }
}

impl ShowErrors for Plain {
    type Uses = ();

    fn show(&self, error: &ErrorPage, (): &()) -> Response {
        (error.status, error.message.clone()).into_response()
    }
}

/// A text that is an object as well, for columns that hold JSON.
const TEXT: &str = "{}";

/// Asks for each page as nobody, as somebody who may do nothing, as somebody who may only look, and as the owner; and as the
/// owner once more when there is a row in each of the module's tables.
pub(super) async fn look(entry: ModuleEntry, tables: &[Table], report: &mut Report) -> Result<(), String> {
    let subject = Subject::freeze(entry).map_err(|problems| problems.to_string())?;
    let pages = subject.console_pages();
    if pages.is_empty() {
        return Ok(());
    }
    let db = subject.open_database().await?;
    db.migrate(&subject.registry().migrations).await.map_err(|error| describe(&error))?;
    let shop = subject.open(db).await?;
    let (nothing, owner) = (session(&shop.parts, NOTHING).await?, session(&shop.parts, "owner").await?);
    let viewer = session(&shop.parts, VIEWER).await?;
    for (path, ability) in &pages {
        let may_view = ability.is_none_or(|ability| shop.parts.console.allows(VIEWER, ability));
        let asked = [
            (None, 303, "nobody"),
            (Some(&nothing), 403, "a role without abilities"),
            (Some(&viewer), if may_view { 200 } else { 403 }, "a viewer"),
            (Some(&owner), 200, "the owner"),
        ];
        for (cookie, expected, whom) in asked {
            let answer = visit(&shop, path, cookie).await?;
            if answer.status != expected {
                let problem = format!("it answers {answer} to {whom}, instead of {expected}");
                let mend = "a page opens by an ability that the module registers, and works in an empty shop";
                report.breach(Rule::Console, path.as_str(), problem, mend);
            }
        }
    }
    // Rows that belong to a customer are the first one's.
    customer(&shop, "buyer").await?;
    fill(&shop, &with_parents(tables.iter().filter(|table| table.is_own), tables), TEXT).await;
    for (path, _) in &pages {
        let answer = visit(&shop, path, Some(&owner)).await?;
        if answer.status != 200 {
            let problem =
                format!("it answers {answer} to the owner when there is a row in each of the module's tables");
            report.breach(Rule::Console, path.as_str(), problem, "show whatever its tables may hold");
        }
    }
    Ok(())
}

/// The cookie of a session of somebody with this role.
async fn session(parts: &ShopParts, role: &str) -> Result<String, String> {
    let email = format!("{role}@check.invalid");
    let new = NewStaff { email, name: role.to_owned(), role: role.to_owned(), password_hash: None };
    let member = create_staff(&parts.db, &parts.console, new).await.map_err(|error| describe(&error))?;
    let config = &parts.config.console;
    let started = parts.db.write(async |tx| -> Result<_, DbError> {
        start_staff_session(tx, &parts.random, config, member.id, false, (None, CLIENT)).await
    });
    let secret = started.await.map_err(|error| describe(&error))?;
    Ok(format!("{}={}", staff_cookie_name(&parts.base_url), secret.expose()))
}

/// What a page answered.
struct Answer {
    status: u16,
    cause: Option<String>,
}

impl Display for Answer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Some(cause) => write!(f, "{} ({cause})", self.status),
            None => write!(f, "{}", self.status),
        }
    }
}

async fn visit(shop: &Shop, path: &str, cookie: Option<&String>) -> Result<Answer, String> {
    let mut request = Request::builder().uri(path);
    if let Some(cookie) = cookie {
        request = request.header(header::COOKIE, cookie);
    }
    let mut request = request.body(Body::empty()).map_err(|error| describe(&error))?;
    request.extensions_mut().insert(PeerAddress::new(SocketAddr::new(CLIENT, 40_000)));
    let Ok(response) = shop.front.clone().call(request).await;
    let cause = response.extensions().get::<FailureCause>().map(|cause| cause.0.clone());
    Ok(Answer { status: response.status().as_u16(), cause })
}
