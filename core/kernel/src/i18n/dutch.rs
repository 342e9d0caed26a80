//! The messages in Dutch, with "u".

use std::borrow::Cow;

use super::{ChatText, DocumentText, Letter, Message, PageText, Violation, violation::enumerate};
use crate::excerpt::excerpt;

pub(super) fn message(message: &Message) -> Cow<'static, str> {
    match message {
        Message::Unauthenticated => "Meld u aan of stuur een geldig toegangstoken mee.".into(),
        Message::Unauthorized => "U hebt geen toestemming om dit te doen.".into(),
        Message::InsufficientScope { ability } => {
            format!("Uw toegangstoken mist het recht {}, dat voor dit verzoek nodig is.", quoted(ability)).into()
        }
        Message::IpNotAllowed => "Uw toegangstoken kan niet vanaf dit netwerkadres worden gebruikt.".into(),
        Message::UnmappedApiRoute => {
            "Dit adres is niet via de API bereikbaar, omdat er geen recht aan is toegewezen.".into()
        }
        Message::NotFound => "We konden niet vinden wat u zoekt.".into(),
        Message::MethodNotAllowed => "Dit adres ondersteunt de gebruikte verzoekmethode niet.".into(),
        Message::InvalidState => {
            "Dit is in de huidige toestand niet mogelijk. Laad opnieuw en probeer het nog eens.".into()
        }
        Message::ValidationError => "Controleer uw gegevens: een deel ervan ontbreekt of is ongeldig.".into(),
        Message::PaymentFailed => {
            "De betaling kon niet worden gestart. Probeer het nog eens of kies een andere betaalmethode.".into()
        }
        Message::RateLimited { seconds } => {
            let wait = if *seconds == 1 { "1 seconde".to_owned() } else { format!("{seconds} seconden") };
            format!("U hebt te veel verzoeken gestuurd. Probeer het over {wait} nog eens.").into()
        }
        Message::PayloadTooLarge => "Het verzoek is te groot. Stuur minder gegevens tegelijk.".into(),
        Message::UnsupportedMediaType => {
            "Stuur de gegevens als JSON, ongecomprimeerd en met de header ‘Content-Type: application/json’.".into()
        }
        Message::BadRequest => "Het verzoek is beschadigd of onvolledig. Stuur het nog eens.".into(),
        Message::RequestTimeout => "Het verzoek kwam niet op tijd aan. Stuur het nog eens.".into(),
        Message::UriTooLong => "Het adres van het verzoek is te lang.".into(),
        Message::HeaderFieldsTooLarge => "Het verzoek heeft te veel of te lange headers.".into(),
        Message::TransferCodingUnknown => {
            "De inhoud van het verzoek is gecodeerd op een manier die niet wordt ondersteund. Stuur hem zonder transfercodering, of in blokken.".into()
        }
        Message::ServerError => "Er is bij ons iets misgegaan. Probeer het later nog eens.".into(),
        Message::MalformedJson { line, column } => {
            format!("De inhoud van het verzoek is geen geldige JSON: de fout staat in regel {line}, kolom {column}.")
                .into()
        }
        Message::NestingTooDeep { max } => {
            format!("De JSON is te diep genest: er zijn hoogstens {max} niveaus toegestaan.").into()
        }
        Message::BodyNotObject => "De inhoud van het verzoek moet een JSON-object zijn.".into(),
        Message::CsrfTokenMismatch => {
            "De header X-XSRF-TOKEN moet de cookie XSRF-TOKEN herhalen, die GET /session/csrf plaatst.".into()
        }
        Message::ForeignOrigin => "Dit kan alleen vanaf pagina's van deze winkel.".into(),
        Message::InvalidCredentials => "Het e-mailadres of het wachtwoord is niet juist.".into(),
        Message::InvalidLink => "Deze link is niet meer geldig. Vraag een nieuwe aan.".into(),
        Message::InsufficientStock { product } => {
            format!("Voor dit aantal hebben we niet genoeg van {} op voorraad.", quoted(product)).into()
        }
        Message::CartEmpty => "Uw winkelwagen is leeg. Voeg eerst een product toe.".into(),
        Message::TooManyCartLines { max } => format!(
            "Uw winkelwagen bevat {max} verschillende producten en er is geen plaats voor meer. Verwijder er eerst een."
        )
        .into(),
        Message::TotalChanged => "Het totaalbedrag is intussen gewijzigd. Controleer het nieuwe bedrag en bevestig uw \
                                  bestelling nog eens."
            .into(),
        Message::AlreadyPaid => "Deze bestelling is al betaald.".into(),
        Message::IdempotencyKeyReused => {
            "Deze idempotentiesleutel is al voor een ander verzoek gebruikt. Gebruik een nieuwe.".into()
        }
        Message::LineUnavailable { product } => {
            format!("Het artikel {} is niet meer leverbaar. Verwijder het uit uw winkelwagen.", quoted(product)).into()
        }
        Message::TotalTooLarge => {
            "Het totaalbedrag is hoger dan wij in rekening kunnen brengen. Bestel minder tegelijk.".into()
        }
        Message::OrderCancelled => "Deze bestelling is geannuleerd.".into(),
        Message::PaymentProcessing => "Er is al een betaling voor deze bestelling onderweg.".into(),
        Message::TooManyAddresses { max } => format!(
            "U hebt {max} adressen opgeslagen, meer is niet mogelijk. Verwijder een adres dat u niet meer nodig hebt."
        )
        .into(),
        Message::Field { field, violation } => self::violation(&quoted(field), violation).into(),
        Message::Custom(translations) => translations.nl.clone(),
    }
}

/// The sentence for a field whose name already stands in quotation marks.
fn violation(field: &str, violation: &Violation) -> String {
    match violation {
        Violation::Required => format!("Vul het veld {field} in."),
        Violation::String => format!("Het veld {field} moet een tekst zijn."),
        Violation::Integer => format!("Het veld {field} moet een geheel getal zijn."),
        Violation::Number => format!("Het veld {field} moet een getal zijn."),
        Violation::Boolean => format!("Het veld {field} moet ‘true’ of ‘false’ zijn."),
        Violation::Array => format!("Het veld {field} moet een lijst zijn."),
        Violation::Object => format!("Het veld {field} moet een JSON-object zijn."),
        Violation::MinLength { min } => format!("Het veld {field} moet minstens {} lang zijn.", characters(*min)),
        Violation::MaxLength { max } => format!("Het veld {field} mag hoogstens {} lang zijn.", characters(*max)),
        Violation::ExactLength { length } => {
            format!("Het veld {field} moet precies {} lang zijn.", characters(*length))
        }
        Violation::MinItems { min } => format!("Het veld {field} moet minstens {} bevatten.", items(*min)),
        Violation::MaxItems { max } => format!("Het veld {field} mag hoogstens {} bevatten.", items(*max)),
        Violation::MinValue { min } => format!("Het veld {field} moet minstens {min} zijn."),
        Violation::MaxValue { max } => format!("Het veld {field} mag hoogstens {max} zijn."),
        Violation::Between { min, max } => format!("Het veld {field} moet tussen {min} en {max} liggen."),
        Violation::NumberOutOfRange => format!("Het getal in het veld {field} is te groot of te klein."),
        Violation::Email => format!("Het veld {field} moet een geldig e-mailadres zijn."),
        Violation::Url => {
            format!("Het veld {field} moet een volledig webadres zijn dat met http:// of https:// begint.")
        }
        Violation::DateTime => {
            format!("Het veld {field} moet een datum en tijd bevatten, bijvoorbeeld ‘2026-01-31T12:00:00Z’.")
        }
        Violation::OneOf { allowed } => {
            format!("Het veld {field} moet een van deze waarden hebben: {}.", enumerate(allowed, quoted))
        }
        Violation::ControlCharacters => format!("Het veld {field} mag geen stuurtekens bevatten."),
        Violation::DuplicateKey => format!("Het veld {field} mag maar één keer voorkomen."),
        Violation::UnknownAbility { ability } => {
            format!("Het veld {field} noemt het recht {}, dat niet bestaat.", quoted(ability))
        }
        Violation::UnknownCountry => {
            format!("Het veld {field} moet de tweeletterige code zijn van een land dat deze winkel ondersteunt.")
        }
        Violation::Taken => format!("Het veld {field} heeft een waarde die al in gebruik is."),
        Violation::GuessablePassword => format!(
            "Het veld {field} is te makkelijk te raden: kies geen veelgebruikt wachtwoord, niet je e-mailadres en niet de naam van deze winkel."
        ),
        Violation::ForeignPage => format!(
            "Het veld {field} moet het adres zijn van een pagina van deze winkel of van een website die erbij hoort."
        ),
        Violation::Ambiguous => format!("Het veld {field} is twee keer opgegeven, met verschillende waarden."),
        Violation::Exclusive { other } => format!("Geef {field} of {} op, niet allebei.", quoted(other)),
        Violation::UnknownId => format!("Het veld {field} verwijst naar niets dat van u is."),
        Violation::NotDelivered => format!("Het veld {field} noemt een land waar wij niet bezorgen."),
        Violation::NoWayToPay => {
            format!("Voor het veld {field} is er geen waarde: deze winkel neemt nu geen betalingen aan.")
        }
        Violation::UnavailableProduct => {
            format!("Het veld {field} moet het nummer zijn van een product dat nu te koop is.")
        }
        Violation::UnknownOption => format!("Het veld {field} is geen optie van dit product."),
        Violation::TooManyInCart { max } => {
            format!("Het veld {field} is te hoog: een winkelwagen bevat hoogstens {max} stuks van hetzelfde product.")
        }
        Violation::UnsupportedCurrency { supported } => {
            format!("Het veld {field} moet {} zijn, de valuta van deze winkel.", quoted(supported))
        }
        Violation::DiscountUnknown => format!("Het veld {field} moet een kortingscode zijn die deze winkel geeft."),
        Violation::DiscountNotYet => format!("De kortingscode in het veld {field} is nog niet geldig."),
        Violation::DiscountOver => format!("De kortingscode in het veld {field} is niet meer geldig."),
        Violation::DiscountBelowMinimum { minimum } => format!(
            "De kortingscode in het veld {field} is voor bestellingen vanaf {minimum}, zonder korting en verzending."
        ),
        Violation::DiscountUsedUp => {
            format!("De kortingscode in het veld {field} is al zo vaak gebruikt als mogelijk is.")
        }
        Violation::DiscountUsedUpByCustomer => {
            format!("U hebt de kortingscode in het veld {field} al zo vaak gebruikt als u kunt.")
        }
    }
}

/// Subject and body of a letter.
pub(super) fn letter(letter: &Letter<'_>, shop: &str) -> (String, String) {
    match letter {
        Letter::VerifyEmail { link, days } => (
            format!("Bevestig uw e-mailadres voor {shop}"),
            format!(
                "Goedendag,\n\
             \n\
             met dit e-mailadres is een account gemaakt bij\n\
             {shop}.\n\
             Bevestig alstublieft dat het van u is:\n\
             \n\
             {link}\n\
             \n\
             De link is één keer te gebruiken, binnen {days} dagen.\n\
             \n\
             Hebt u zich niet geregistreerd? Dan kunt u dit bericht negeren: het adres\n\
             blijft dan onbevestigd.\n"
            ),
        ),
        Letter::ResetPassword { link, minutes } => (
            format!("Kies een nieuw wachtwoord voor {shop}"),
            format!(
                "Goedendag,\n\
             \n\
             iemand heeft een nieuw wachtwoord aangevraagd voor uw account bij\n\
             {shop}.\n\
             Hier kunt u het kiezen:\n\
             \n\
             {link}\n\
             \n\
             De link is één keer te gebruiken, binnen {minutes} minuten. Met een nieuw\n\
             wachtwoord wordt u overal afgemeld.\n\
             \n\
             Hebt u dit niet aangevraagd? Dan kunt u dit bericht negeren: uw wachtwoord\n\
             blijft zoals het is.\n"
            ),
        ),
    }
}

/// The months, for days on documents.
pub(super) const MONTHS: [&str; 12] = [
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
];

/// A text on an invoice or a credit note.
pub(super) fn document(text: DocumentText<'_>) -> Cow<'static, str> {
    match text {
        DocumentText::Invoice => "Factuur".into(),
        DocumentText::CreditNote => "Creditnota".into(),
        DocumentText::InvoiceNumber => "Factuurnummer".into(),
        DocumentText::CreditNoteNumber => "Nummer".into(),
        DocumentText::InvoiceDate => "Factuurdatum".into(),
        DocumentText::Date => "Datum".into(),
        DocumentText::ForInvoice => "Bij factuur".into(),
        DocumentText::OrderNumber => "Bestelling".into(),
        DocumentText::TaxId => "Btw-nummer".into(),
        DocumentText::Reason { reason } => format!("Reden: {reason}").into(),
        DocumentText::ShipTo => "Afleveradres".into(),
        DocumentText::Description => "Omschrijving".into(),
        DocumentText::Quantity => "Aantal".into(),
        DocumentText::UnitPrice => "Stukprijs".into(),
        DocumentText::Tax => "Btw".into(),
        DocumentText::Amount => "Bedrag".into(),
        DocumentText::Subtotal => "Subtotaal".into(),
        DocumentText::Discount => "Korting".into(),
        DocumentText::DiscountByCode { code } => format!("Korting ({code})").into(),
        DocumentText::Shipping => "Verzending".into(),
        DocumentText::ShippingBy { label } => format!("Verzending ({label})").into(),
        DocumentText::Total => "Totaal".into(),
        DocumentText::TotalCredited => "Totaal gecrediteerd".into(),
        DocumentText::IncludedTax => "Waarvan btw".into(),
        DocumentText::TaxRate => "Btw-tarief".into(),
        DocumentText::Net => "Netto".into(),
        DocumentText::Gross => "Bruto".into(),
        DocumentText::PaidOn { day } => format!("Betaald op {day}. Dank u wel.").into(),
        DocumentText::CancelledOn { day } => format!("Geannuleerd op {day}. Er hoeft niets te worden betaald.").into(),
        DocumentText::PartialRefund => "Terugbetaling".into(),
        DocumentText::RefundedOn { day } => format!("Terugbetaald op {day}.").into(),
        DocumentText::PleasePay { amount, number } => {
            format!("Te betalen: {amount}. Vermeld bij uw betaling het nummer {number}.").into()
        }
        DocumentText::Page { number, count } => format!("Pagina {number} van {count}").into(),
    }
}

/// A text on one of the shop's pages.
pub(super) fn page(text: PageText) -> &'static str {
    match text {
        PageText::VerifyHeading => "E-mailadres bevestigen",
        PageText::VerifyExplanation => "Druk op de knop om te bevestigen dat dit e-mailadres van u is.",
        PageText::VerifyButton => "Adres bevestigen",
        PageText::Verified => "Dank u wel. Uw e-mailadres is bevestigd.",
        PageText::ResetHeading => "Nieuw wachtwoord kiezen",
        PageText::NewPassword => "Nieuw wachtwoord",
        PageText::ResetExplanation => "Minstens 10 tekens. U wordt overal afgemeld.",
        PageText::ResetButton => "Wachtwoord wijzigen",
        PageText::PasswordChanged => "Uw wachtwoord is gewijzigd. U kunt er nu mee inloggen.",
    }
}

/// A text of a message to a chat.
pub(super) fn chat(chat: ChatText, text: &str) -> String {
    match chat {
        ChatText::OrderCreated => format!("Nieuwe bestelling {text}"),
        ChatText::OrderPaid => format!("Bestelling {text} is betaald"),
        ChatText::OrderCancelled => format!("Bestelling {text} is geannuleerd"),
        ChatText::PaymentRecorded => format!("Betaling ontvangen voor bestelling {text}"),
        ChatText::RefundRecorded => format!("Terugbetaling voor bestelling {text}"),
        ChatText::CreditNoteIssued => format!("Creditnota voor bestelling {text}"),
        ChatText::Order => "Bestelling".to_owned(),
        ChatText::Total => "Totaal".to_owned(),
        ChatText::Amount => "Bedrag".to_owned(),
        ChatText::Status => "Status".to_owned(),
        ChatText::TestTitle => format!("Testbericht van {text}"),
        ChatText::TestDescription => "Dit adres ontvangt berichten van uw winkel.".to_owned(),
        ChatText::StatusWord => match text {
            "pending" => "open".to_owned(),
            "paid" => "betaald".to_owned(),
            "cancelled" => "geannuleerd".to_owned(),
            "failed" => "mislukt".to_owned(),
            "expired" => "verlopen".to_owned(),
            "partially_refunded" => "gedeeltelijk terugbetaald".to_owned(),
            "refunded" => "terugbetaald".to_owned(),
            "processing" => "in behandeling".to_owned(),
            "succeeded" => "geslaagd".to_owned(),
            _ => text.to_owned(),
        },
    }
}

fn quoted(text: &str) -> String {
    format!("‘{}’", excerpt(text))
}

fn characters(number: usize) -> String {
    if number == 1 { "1 teken".to_owned() } else { format!("{number} tekens") }
}

fn items(number: usize) -> String {
    if number == 1 { "1 item".to_owned() } else { format!("{number} items") }
}
