//! The messages in English.

use std::borrow::Cow;

use super::{ChatText, DocumentText, Letter, Message, PageText, Violation, violation::enumerate};
use crate::excerpt::excerpt;

pub(super) fn message(message: &Message) -> Cow<'static, str> {
    match message {
        Message::Unauthenticated => "Please sign in, or send a valid access token.".into(),
        Message::Unauthorized => "You are not allowed to do this.".into(),
        Message::InsufficientScope { ability } => {
            format!("Your access token does not include the ability {}, which this request needs.", quoted(ability))
                .into()
        }
        Message::IpNotAllowed => "Your access token cannot be used from this network address.".into(),
        Message::UnmappedApiRoute => {
            "This address is not available through the API because no ability is assigned to it.".into()
        }
        Message::NotFound => "We could not find what you asked for.".into(),
        Message::MethodNotAllowed => "This address does not support the request method that was used.".into(),
        Message::InvalidState => "This is not possible in the current state. Please reload and try again.".into(),
        Message::ValidationError => "Please check the data you sent: some of it is missing or not valid.".into(),
        Message::PaymentFailed => {
            "The payment could not be started. Please try again or choose another payment method.".into()
        }
        Message::RateLimited { seconds } => {
            let wait = if *seconds == 1 { "1 second".to_owned() } else { format!("{seconds} seconds") };
            format!("You have sent too many requests. Please try again in {wait}.").into()
        }
        Message::PayloadTooLarge => "The request is too large. Please send less data at once.".into(),
        Message::UnsupportedMediaType => {
            "Please send the data as JSON, uncompressed and with the header “Content-Type: application/json”.".into()
        }
        Message::BadRequest => "The request is damaged or incomplete. Please send it again.".into(),
        Message::RequestTimeout => "The request took too long to arrive. Please send it again.".into(),
        Message::UriTooLong => "The address of the request is too long.".into(),
        Message::HeaderFieldsTooLarge => "The request has too many headers, or headers that are too long.".into(),
        Message::TransferCodingUnknown => {
            "The body of the request is encoded in a way that is not supported. Please send it without a transfer coding, or in chunks.".into()
        }
        Message::ServerError => "Something went wrong on our side. Please try again later.".into(),
        Message::MalformedJson { line, column } => {
            format!("The request body is not valid JSON: the error is in line {line}, column {column}.").into()
        }
        Message::NestingTooDeep { max } => {
            format!("The JSON is nested too deeply: at most {max} levels are allowed.").into()
        }
        Message::BodyNotObject => "The request body must be a JSON object.".into(),
        Message::CsrfTokenMismatch => {
            "The header X-XSRF-TOKEN must repeat the cookie XSRF-TOKEN, which GET /session/csrf sets.".into()
        }
        Message::ForeignOrigin => "Only pages of this shop may do this.".into(),
        Message::InvalidCredentials => "The e-mail address or the password is not correct.".into(),
        Message::InvalidLink => "This link is not valid any more. Please ask for a new one.".into(),
        Message::InsufficientStock { product } => {
            format!("We do not have enough of {} in stock for this quantity.", quoted(product)).into()
        }
        Message::CartEmpty => "Your cart is empty. Please add a product first.".into(),
        Message::TooManyCartLines { max } => {
            format!("Your cart holds {max} different items, and there is no room for more. Please remove one first.")
                .into()
        }
        Message::TotalChanged => {
            "The total has changed in the meantime. Please check the new total and confirm your order again.".into()
        }
        Message::AlreadyPaid => "This order has already been paid.".into(),
        Message::IdempotencyKeyReused => {
            "This idempotency key has already been used for another request. Please use a new one.".into()
        }
        Message::LineUnavailable { product } => {
            format!("The product {} is not available any more. Please remove it from your cart.", quoted(product))
                .into()
        }
        Message::TotalTooLarge => "The total is larger than we can charge. Please order less at once.".into(),
        Message::OrderCancelled => "This order was cancelled.".into(),
        Message::PaymentProcessing => "A payment for this order is already on its way.".into(),
        Message::TooManyAddresses { max } => format!(
            "You have saved {max} addresses, and there is no room for more. Please delete one that you no longer need."
        )
        .into(),
        Message::Field { field, violation } => self::violation(&quoted(field), violation).into(),
        Message::Custom(translations) => translations.en.clone(),
    }
}

/// The sentence for a field whose name already stands in quotation marks.
fn violation(field: &str, violation: &Violation) -> String {
    match violation {
        Violation::Required => format!("The field {field} is required."),
        Violation::String => format!("The field {field} must be a text."),
        Violation::Integer => format!("The field {field} must be a whole number."),
        Violation::Number => format!("The field {field} must be a number."),
        Violation::Boolean => format!("The field {field} must be “true” or “false”."),
        Violation::Array => format!("The field {field} must be a list."),
        Violation::Object => format!("The field {field} must be a JSON object."),
        Violation::MinLength { min } => {
            format!("The field {field} must be at least {} long.", characters(*min))
        }
        Violation::MaxLength { max } => {
            format!("The field {field} must not be longer than {}.", characters(*max))
        }
        Violation::ExactLength { length } => {
            format!("The field {field} must be exactly {} long.", characters(*length))
        }
        Violation::MinItems { min } => {
            format!("The field {field} must contain at least {}.", items(*min))
        }
        Violation::MaxItems { max } => {
            format!("The field {field} must not contain more than {}.", items(*max))
        }
        Violation::MinValue { min } => format!("The field {field} must be at least {min}."),
        Violation::MaxValue { max } => format!("The field {field} must be at most {max}."),
        Violation::Between { min, max } => format!("The field {field} must be between {min} and {max}."),
        Violation::NumberOutOfRange => format!("The number in the field {field} is too large or too small."),
        Violation::Email => format!("The field {field} must be a valid e-mail address."),
        Violation::Url => {
            format!("The field {field} must be a complete web address that starts with http:// or https://.")
        }
        Violation::DateTime => format!("The field {field} must be a date and time such as “2026-01-31T12:00:00Z”."),
        Violation::OneOf { allowed } => {
            format!("The field {field} must have one of these values: {}.", enumerate(allowed, quoted))
        }
        Violation::ControlCharacters => format!("The field {field} must not contain control characters."),
        Violation::DuplicateKey => format!("The field {field} must not appear more than once."),
        Violation::UnknownAbility { ability } => {
            format!("The field {field} names the ability {}, which does not exist.", quoted(ability))
        }
        Violation::UnknownCountry => {
            format!("The field {field} must be the two-letter code of a country that this shop supports.")
        }
        Violation::Taken => format!("The field {field} has a value that is already in use."),
        Violation::GuessablePassword => format!(
            "The field {field} is too easy to guess: please choose something other than a common password, your e-mail address or the name of this shop."
        ),
        Violation::ForeignPage => {
            format!("The field {field} must be the address of a page of this shop, or of a website that belongs to it.")
        }
        Violation::Ambiguous => format!("The field {field} is given twice, with different values."),
        Violation::Exclusive { other } => format!("Please give either {field} or {}, not both.", quoted(other)),
        Violation::UnknownId => format!("The field {field} names nothing that belongs to you."),
        Violation::NotDelivered => format!("The field {field} names a country that we do not deliver to."),
        Violation::NoWayToPay => format!("The field {field} has no possible value: this shop takes no payments now."),
        Violation::UnavailableProduct => {
            format!("The field {field} must be the id of a product that can be bought now.")
        }
        Violation::UnknownOption => format!("The field {field} is no option of this product."),
        Violation::TooManyInCart { max } => {
            format!("The field {field} is too high: a cart holds at most {max} of the same product.")
        }
        Violation::UnsupportedCurrency { supported } => {
            format!("The field {field} must be {}, the currency of this shop.", quoted(supported))
        }
        Violation::DiscountUnknown => format!("The field {field} must be a discount code that this shop gives."),
        Violation::DiscountNotYet => format!("The discount code in the field {field} is not valid yet."),
        Violation::DiscountOver => format!("The discount code in the field {field} is no longer valid."),
        Violation::DiscountBelowMinimum { minimum } => format!(
            "The discount code in the field {field} is for orders of {minimum} or more, before discount and shipping."
        ),
        Violation::DiscountUsedUp => {
            format!("The discount code in the field {field} has been used as often as it can be.")
        }
        Violation::DiscountUsedUpByCustomer => {
            format!("You have already used the discount code in the field {field} as often as you can.")
        }
    }
}

/// Subject and body of a letter.
pub(super) fn letter(letter: &Letter<'_>, shop: &str) -> (String, String) {
    match letter {
        Letter::VerifyEmail { link, days } => (
            format!("Please confirm your e-mail address for {shop}"),
            format!(
                "Hello,\n\
             \n\
             this e-mail address was used to register at\n\
             {shop}.\n\
             Please confirm that it is yours:\n\
             \n\
             {link}\n\
             \n\
             The link can be used once, within {days} days.\n\
             \n\
             If you did not register, please ignore this message: the address then stays\n\
             unconfirmed.\n"
            ),
        ),
        Letter::ResetPassword { link, minutes } => (
            format!("Choose a new password for {shop}"),
            format!(
                "Hello,\n\
             \n\
             somebody has asked for a new password for your account at\n\
             {shop}.\n\
             You can choose it here:\n\
             \n\
             {link}\n\
             \n\
             The link can be used once, within {minutes} minutes. Choosing a new password\n\
             logs you out everywhere.\n\
             \n\
             If you did not ask for it, please ignore this message: your password stays as\n\
             it is.\n"
            ),
        ),
    }
}

/// The months, for days on documents.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A text on an invoice or a credit note.
pub(super) fn document(text: DocumentText<'_>) -> Cow<'static, str> {
    match text {
        DocumentText::Invoice => "Invoice".into(),
        DocumentText::CreditNote => "Credit note".into(),
        DocumentText::InvoiceNumber => "Invoice number".into(),
        DocumentText::CreditNoteNumber => "Number".into(),
        DocumentText::InvoiceDate => "Invoice date".into(),
        DocumentText::Date => "Date".into(),
        DocumentText::ForInvoice => "For invoice".into(),
        DocumentText::OrderNumber => "Order".into(),
        DocumentText::TaxId => "Tax ID".into(),
        DocumentText::Reason { reason } => format!("Reason: {reason}").into(),
        DocumentText::ShipTo => "Delivery address".into(),
        DocumentText::Description => "Description".into(),
        DocumentText::Quantity => "Quantity".into(),
        DocumentText::UnitPrice => "Unit price".into(),
        DocumentText::Tax => "Tax".into(),
        DocumentText::Amount => "Amount".into(),
        DocumentText::Subtotal => "Subtotal".into(),
        DocumentText::Discount => "Discount".into(),
        DocumentText::DiscountByCode { code } => format!("Discount ({code})").into(),
        DocumentText::Shipping => "Shipping".into(),
        DocumentText::ShippingBy { label } => format!("Shipping ({label})").into(),
        DocumentText::Total => "Total".into(),
        DocumentText::TotalCredited => "Total credited".into(),
        DocumentText::IncludedTax => "Tax included".into(),
        DocumentText::TaxRate => "Tax rate".into(),
        DocumentText::Net => "Net".into(),
        DocumentText::Gross => "Gross".into(),
        DocumentText::PaidOn { day } => format!("Paid on {day}. Thank you.").into(),
        DocumentText::CancelledOn { day } => format!("Cancelled on {day}. Nothing is to be paid.").into(),
        DocumentText::PartialRefund => "Refund".into(),
        DocumentText::RefundedOn { day } => format!("Refunded on {day}.").into(),
        DocumentText::PleasePay { amount, number } => {
            format!("Amount due: {amount}. Please name the number {number} with your payment.").into()
        }
        DocumentText::Page { number, count } => format!("Page {number} of {count}").into(),
    }
}

/// A text on one of the shop's pages.
pub(super) fn page(text: PageText) -> &'static str {
    match text {
        PageText::VerifyHeading => "Confirm your e-mail address",
        PageText::VerifyExplanation => "Please press the button to confirm that this e-mail address is yours.",
        PageText::VerifyButton => "Confirm address",
        PageText::Verified => "Thank you. Your e-mail address is confirmed.",
        PageText::ResetHeading => "Choose a new password",
        PageText::NewPassword => "New password",
        PageText::ResetExplanation => "At least 10 characters. You will be logged out everywhere.",
        PageText::ResetButton => "Change password",
        PageText::PasswordChanged => "Your password is changed. You can log in with it now.",
    }
}

/// A text of a message to a chat.
pub(super) fn chat(chat: ChatText, text: &str) -> String {
    match chat {
        ChatText::OrderCreated => format!("New order {text}"),
        ChatText::OrderPaid => format!("Order {text} is paid"),
        ChatText::OrderCancelled => format!("Order {text} is cancelled"),
        ChatText::PaymentRecorded => format!("Payment received for order {text}"),
        ChatText::RefundRecorded => format!("Refund for order {text}"),
        ChatText::CreditNoteIssued => format!("Credit note for order {text}"),
        ChatText::Order => "Order".to_owned(),
        ChatText::Total => "Total".to_owned(),
        ChatText::Amount => "Amount".to_owned(),
        ChatText::Status => "Status".to_owned(),
        ChatText::TestTitle => format!("Test message from {text}"),
        ChatText::TestDescription => "This endpoint receives messages from your shop.".to_owned(),
        ChatText::StatusWord => match text {
            "partially_refunded" => "partly refunded".to_owned(),
            _ => text.to_owned(),
        },
    }
}

fn quoted(text: &str) -> String {
    format!("“{}”", excerpt(text))
}

fn characters(number: usize) -> String {
    if number == 1 { "1 character".to_owned() } else { format!("{number} characters") }
}

fn items(number: usize) -> String {
    if number == 1 { "1 item".to_owned() } else { format!("{number} items") }
}
