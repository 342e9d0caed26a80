//! What `GET /browse` is asked for.

use stoa_kernel::http::error::{ApiError, ApiResult, FieldProblem, FieldProblems};
use stoa_kernel::http::page::{PAGE_PARAMETER, page_number, split_query};
use stoa_kernel::http::table::QueryParameter;
use stoa_kernel::i18n::Violation;
use stoa_kernel::money::{Currency, format_decimal_amount, parse_decimal_amount};

use crate::render::searchable;

/// In which order products are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Sort {
    #[default]
    Name,
    Price,
    PriceDown,
    Newest,
}

/// Their names.
const SORTS: [&str; 4] = ["name", "price", "-price", "newest"];

/// A price that refusals show, in minor units.
const EXAMPLE: i64 = 1990;

/// What it asks for.
#[derive(Debug, Default)]
pub(super) struct Wish {
    pub(super) term: Option<String>,
    pub(super) category: Option<String>,
    pub(super) sort: Sort,
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    pub(super) only_available: bool,
    /// Parameter and value.
    pub(super) chosen: Vec<(String, String)>,
    pub(super) page: u64,
}

impl Wish {
    /// Reads the query string; the last of several values counts, and an empty one is none. What is unknown is passed over.
    pub(super) fn parse(query: &str, currency: Currency) -> ApiResult<Self> {
        let (page, pairs) = split_query(Some(query));
        let mut wish = Self { page: page_number(page.as_deref()), ..Self::default() };
        let mut problems = FieldProblems::new();
        for (name, value) in &pairs {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let mut refuse = |violation: Violation| {
                problems.insert(name.clone(), vec![FieldProblem::Message(violation.on(name.clone()))]);
            };
            match name.as_str() {
                "q" => wish.term = searchable(value),
                "category" => wish.category = Some(value.to_owned()),
                "sort" => match value {
                    "name" => wish.sort = Sort::Name,
                    "price" => wish.sort = Sort::Price,
                    "-price" => wish.sort = Sort::PriceDown,
                    "newest" => wish.sort = Sort::Newest,
                    _ => refuse(Violation::OneOf { allowed: SORTS.map(Into::into).to_vec() }),
                },
                "min" | "max" => match amount(value, currency) {
                    Some(amount) if name == "min" => wish.min = Some(amount),
                    Some(amount) => wish.max = Some(amount),
                    None => refuse(Violation::Price { example: format_decimal_amount(EXAMPLE, currency).into() }),
                },
                "available" => wish.only_available = matches!(value, "1" | "true"),
                "brand" => wish.choose(name, value),
                name if name.contains('.') => wish.choose(name, value),
                _ => {}
            }
        }
        if problems.is_empty() { Ok(wish) } else { Err(ApiError::validation(problems)) }
    }

    /// Chooses a value of a facet, in place of another.
    fn choose(&mut self, parameter: &str, value: &str) {
        self.chosen.retain(|(chosen, _)| chosen != parameter);
        self.chosen.push((parameter.to_owned(), value.to_owned()));
    }
}

/// An amount as customers write it: `19.90`, `19,90` or `20`.
fn amount(text: &str, currency: Currency) -> Option<i64> {
    let text = if text.contains('.') { text.to_owned() } else { text.replacen(',', ".", 1) };
    parse_decimal_amount(&text, currency).ok()
}

const fn text(name: &'static str, description: &'static str, example: &'static str) -> QueryParameter {
    QueryParameter { name, description, kind: "string", pattern: None, example }
}

/// What can be wished for.
pub(crate) const PARAMETERS: [QueryParameter; 8] = [
    text("q", "A part of the name or description, in any case; at least 2 characters after trimming.", "lamp"),
    text("category", "A category's slug or id; products of it and of the categories below it.", "lamps"),
    text("sort", "`name`, `price`, `-price` or `newest`; by name without it.", "price"),
    text("min", "The least price, as customers write money: `19.90`, `19,90` or `20`, not in minor units.", "19.90"),
    text("max", "The highest price, as customers write money: `19.90`, `19,90` or `20`, not in minor units.", "49"),
    text("available", "`1` leaves out what is sold out.", "1"),
    text(
        "brand",
        "A brand. `option.KEY` chooses by an option likewise, `MODULE.KEY` by what a module adds, as `meta.facets` offers it.",
        "Lumina",
    ),
    PAGE_PARAMETER,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn euros(text: &str) -> Option<i64> {
        amount(text, Currency::from_code("EUR").expect("known"))
    }

    #[test]
    fn of_several_values_of_a_facet_the_last_is_chosen() {
        let euro = Currency::from_code("EUR").expect("known");
        let wish = Wish::parse("brand=Lumina&option.size=s&brand=&brand=Acme", euro).expect("it is read");
        let chosen = wish.chosen.iter().map(|(parameter, value)| (parameter.as_str(), value.as_str()));
        assert_eq!(chosen.collect::<Vec<_>>(), [("option.size", "s"), ("brand", "Acme")]);
    }

    #[test]
    fn amounts_are_read_as_customers_write_them() {
        assert_eq!(euros("19.90"), Some(1990));
        assert_eq!(euros("19,90"), Some(1990));
        assert_eq!(euros("20"), Some(2000));
        for text in ["1.000,00", "-1", "cheap", "1e3"] {
            assert_eq!(euros(text), None, "{text}");
        }
    }
}
