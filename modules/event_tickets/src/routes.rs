//! `/event-tickets`: the customer's own tickets.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde_json::{Value, json};
use stoa_core::config::Config;
use stoa_core::http::accept::Accepted;
use stoa_core::http::extract::{ClientLanguage, Uses};
use stoa_core::http::file::{DISPOSITION, File};
use stoa_core::http::shape::DescribesAnswer;
use stoa_core::http::table::Operation;
use stoa_core::pages::qr::QrSquares;
use stoa_core::prelude::*;

use crate::model::{TicketResource, TicketRow, number};
use crate::{paper, queries};

const SVG: &str = "image/svg+xml";
const PDF: &str = "application/pdf";

const EXAMPLE_TOKEN: &str = "hV2k0QmJx9sTtW4cZp7LbN3yRf8Ga1Ue";

pub(crate) fn ticket_routes() -> Routes<()> {
    routes()
        .get("event-tickets.index", "/event-tickets", index)
        .summary("List own event tickets")
        .description("The newest first, 20 on a page. A ticket stands here once its order is paid.")
        .example(|| example_page("/event-tickets", &example()))
        .get("event-tickets.show", "/event-tickets/{token}", show)
        .summary("Read an own event ticket")
        .path_parameter("The `token` of an own ticket, as the list has it.", EXAMPLE_TOKEN)
        .description(
            "`qr` is the text to show as a QR code: `T1.`, JSON in base64url, a point, and the Ed25519 signature of all \
             before that point in base64url. `Accept: image/svg+xml` gives the QR code, `Accept: application/pdf` the \
             ticket to print.",
        )
        .example(|| json!({"data": example()}))
}

fn example() -> Value {
    json!({
        "number": "ET-000042", "token": EXAMPLE_TOKEN, "status": "issued", "event": "Symposium",
        "event_slug": "symposium-3", "venue": "Agora", "starts_at": "2031-05-01T17:00:00Z",
        "starts_at_local": "2031-05-01T19:00:00", "ends_at": null,
        "ticket_type": "Standing", "holder": "Ada Lovelace", "seat": null, "checked_in_at": null, "voided_at": null,
        "qr": "T1.eyJrZXlfaWQiOiI5ZjAxIn0.c2lnbmF0dXJl", "order_id": 42,
    })
}

async fn index(buyer: Buyer, db: ListDb, page: PageRequest) -> ApiResult<Paged<TicketResource>> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bought_by(buyer).scalar::<i64>().await?;
    let rows = db.read(queries::LIST_OF_CUSTOMER).bought_by(buyer).bind(page.limit()).bind(page.offset());
    let rows = rows.all::<TicketRow>().await?;
    Ok(page.answer(rows.into_iter().map(TicketResource::from).collect(), total))
}

async fn show(
    buyer: Buyer,
    db: ListDb,
    Uses((config, texts)): Uses<(Arc<Config>, Texts)>,
    Name(token): Name,
    ClientLanguage(language): ClientLanguage,
    accepted: Accepted,
) -> ApiResult<TicketAnswer> {
    let find = db.read(queries::FIND_OF_CUSTOMER).bought_by(buyer).bind(token);
    let ticket = find.optional::<TicketRow>().await?.ok_or_else(ApiError::not_found)?;
    if accepted.prefers(SVG) {
        let squares = QrSquares::of(&ticket.qr).map_err(ApiError::internal)?;
        return Ok(TicketAnswer::Code(squares.svg()));
    }
    if !accepted.prefers(PDF) {
        return Ok(TicketAnswer::Ticket(Box::new(ticket.into())));
    }
    let name = format!("{}.pdf", number(ticket.id));
    let shop = config.shop.name.clone();
    let drawn = tokio::task::spawn_blocking(move || paper::draw(&ticket, &shop, &texts, language)).await;
    let content = drawn.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    Ok(TicketAnswer::Paper(File { media_type: PDF, name, content }))
}

/// A ticket in the form that the client prefers.
enum TicketAnswer {
    Ticket(Box<TicketResource>),
    Code(String),
    Paper(File),
}

impl IntoResponse for TicketAnswer {
    fn into_response(self) -> Response {
        let mut response = match self {
            Self::Ticket(ticket) => Data(*ticket).into_response(),
            Self::Code(svg) => ([(header::CONTENT_TYPE, HeaderValue::from_static(SVG))], svg).into_response(),
            Self::Paper(file) => file.into_response(),
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
        response
    }
}

impl DescribesAnswer for TicketAnswer {
    fn answers(operation: &mut Operation) {
        Data::<TicketResource>::answers(operation);
        operation.files.extend([SVG, PDF]);
        operation.answer_headers.push(DISPOSITION);
    }
}
