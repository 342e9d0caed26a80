//! Errors of the console, for people.

use askama::Template;
use axum::response::{IntoResponse, Response};
use stoa_kernel::pages::{ErrorPage, ShowErrors};

use crate::assets::Files;
use crate::layout::Layout;
use crate::page::{ConsoleState, page};

/// Shows errors of the console.
pub(crate) struct ConsoleErrors(pub(crate) ConsoleState);

/// Before somebody who is logged in: with the menu.
#[derive(Template)]
#[template(path = "error.html")]
struct Inside<'a> {
    layout: Layout,
    message: &'a str,
    back: Option<&'a str>,
}

/// Before anybody else.
#[derive(Template)]
#[template(path = "error_outside.html")]
struct Outside<'a> {
    heading: &'static str,
    message: &'a str,
    back: Option<&'a str>,
    console: &'a str,
    shop: &'a str,
    files: Files,
}

impl ShowErrors for ConsoleErrors {
    type Uses = ();

    fn show(&self, error: &ErrorPage, (): &()) -> Response {
        let heading = match error.status.as_u16() {
            403 => "This is not open to you",
            404 => "There is nothing here",
            409 => "This has changed meanwhile",
            429 => "Too many attempts",
            500.. => "Something went wrong",
            _ => "This could not be saved",
        };
        let (message, back) = (error.message.as_str(), error.back.as_deref());
        let (shop, console) = (&self.0.config.shop.name, &self.0.config.console.path.0);
        let answered = if let Some(staff) = &error.staff {
            let layout = Layout::new(staff, &self.0.config, heading.to_owned(), "");
            page(error.status, &Inside { layout, message, back }, false)
        } else {
            let files = Files::default();
            page(error.status, &Outside { heading, message, back, console, shop, files }, false)
        };
        match answered {
            Ok(page) => page.0,
            Err(error) => error.into_response(),
        }
    }
}
