//! Errors of the console, for people.

use askama::Template;
use axum::response::{IntoResponse, Response};
use stoa_kernel::pages::{ErrorPage, ShowErrors};

use crate::assets::Files;
use crate::page::{ConsoleState, page};

/// Shows errors of the console.
pub(crate) struct ConsoleErrors(pub(crate) ConsoleState);

#[derive(Template)]
#[template(path = "error.html")]
struct Shown<'a> {
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
        let shown = Shown {
            heading,
            message: &error.message,
            back: error.back.as_deref(),
            console: &self.0.config.console.path.0,
            shop: &self.0.config.shop.name,
            files: Files::default(),
        };
        match page(error.status, &shown, false) {
            Ok(page) => page.0,
            Err(error) => error.into_response(),
        }
    }
}
