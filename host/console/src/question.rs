//! The question before what cannot be undone.

use askama::Template;
use http::StatusCode;
use stoa_kernel::http::error::ApiResult;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::page::Frame;

/// A question whose answer sends the form once more, with `confirm`. Paths are those of the console, such as `/orders`.
pub(crate) struct Question<'a> {
    /// The question itself.
    pub(crate) asks: String,
    /// Where it belongs in the navigation.
    pub(crate) current: &'static str,
    /// What leads there, by name and path; the last is where one stays who says no.
    pub(crate) trail: Vec<(&'a str, String)>,
    /// What will happen.
    pub(crate) says: &'a str,
    /// The same, one by one.
    pub(crate) lines: Vec<String>,
    /// Where the answer is sent.
    pub(crate) action: String,
    /// What is sent along.
    pub(crate) fields: Vec<(&'a str, &'a str)>,
    /// Yes and no.
    pub(crate) buttons: [&'a str; 2],
    pub(crate) is_dangerous: bool,
    /// Why it was not done.
    pub(crate) problem: Option<String>,
}

impl<'a> Question<'a> {
    /// One before something is done to one thing of a list, which is deleted unless the rest says otherwise. The list is what the
    /// navigation has, by path and name; the thing has its name and its place below the list.
    pub(crate) fn of_one((current, list): (&'static str, &'a str), name: &'a str, place: &str, act: &str) -> Self {
        let path = format!("/{current}/{place}");
        Self {
            asks: format!("Delete {name}?"),
            current,
            action: format!("{path}/{act}"),
            trail: vec![(list, format!("/{current}")), (name, path)],
            says: "This cannot be undone.",
            lines: Vec::new(),
            fields: Vec::new(),
            buttons: ["Delete", "Keep it"],
            is_dangerous: true,
            problem: None,
        }
    }
}

#[derive(Template)]
#[template(path = "question.html")]
struct Page<'a> {
    layout: Layout,
    trail: Vec<(&'a str, String)>,
    says: &'a str,
    lines: Vec<String>,
    action: String,
    fields: Vec<(&'a str, &'a str)>,
    button: &'a str,
    keep: &'a str,
    back: String,
    is_dangerous: bool,
    problem: Option<String>,
}

impl Frame {
    /// Asks.
    pub(crate) fn ask(&self, question: Question<'_>) -> ApiResult<PageResponse> {
        let Question { asks, current, trail, says, lines, action, fields, buttons, is_dangerous, problem } = question;
        let status = if problem.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
        let trail = trail.into_iter().map(|(name, path)| (name, self.staff.way_to(&path))).collect::<Vec<_>>();
        let back = trail.last().map(|(_, path)| path.clone()).unwrap_or_default();
        let [button, keep] = buttons;
        let (layout, action) = (self.layout(asks, current), self.path(&action));
        let page = Page { layout, trail, says, lines, action, fields, button, keep, back, is_dangerous, problem };
        self.show_as(status, &page)
    }
}
