//! The messages in German, with "Sie".

use std::borrow::Cow;

use super::{ChatText, DocumentText, Letter, Message, PageText, Violation, violation::enumerate};
use crate::excerpt::excerpt;

pub(super) fn message(message: &Message) -> Cow<'static, str> {
    match message {
        Message::Unauthenticated => "Bitte melden Sie sich an oder senden Sie ein gültiges Zugriffstoken.".into(),
        Message::Unauthorized => "Sie sind dazu nicht berechtigt.".into(),
        Message::InsufficientScope { ability } => {
            format!("Ihrem Zugriffstoken fehlt die Berechtigung {}, die für diese Anfrage nötig ist.", quoted(ability))
                .into()
        }
        Message::IpNotAllowed => "Ihr Zugriffstoken kann von dieser Netzwerkadresse aus nicht verwendet werden.".into(),
        Message::UnmappedApiRoute => {
            "Diese Adresse ist über die API nicht erreichbar, weil ihr keine Berechtigung zugeordnet ist.".into()
        }
        Message::NotFound => "Das Gesuchte konnten wir nicht finden.".into(),
        Message::MethodNotAllowed => "Diese Adresse unterstützt die verwendete Anfragemethode nicht.".into(),
        Message::InvalidState => {
            "Das ist im aktuellen Zustand nicht möglich. Bitte laden Sie neu und versuchen Sie es \
                                  noch einmal."
                .into()
        }
        Message::ValidationError => "Bitte prüfen Sie Ihre Angaben: Einige davon fehlen oder sind ungültig.".into(),
        Message::PaymentFailed => "Die Zahlung konnte nicht gestartet werden. Bitte versuchen Sie es noch einmal oder \
                                   wählen Sie eine andere Zahlungsart."
            .into(),
        Message::RateLimited { seconds } => {
            let wait = if *seconds == 1 { "einer Sekunde".to_owned() } else { format!("{seconds} Sekunden") };
            format!("Sie haben zu viele Anfragen gesendet. Bitte versuchen Sie es in {wait} noch einmal.").into()
        }
        Message::PayloadTooLarge => "Die Anfrage ist zu groß. Bitte senden Sie weniger Daten auf einmal.".into(),
        Message::UnsupportedMediaType => {
            "Bitte senden Sie die Daten als JSON, unkomprimiert und mit dem Header „Content-Type: application/json“.".into()
        }
        Message::BadRequest => "Die Anfrage ist beschädigt oder unvollständig. Bitte senden Sie sie noch einmal.".into(),
        Message::RequestTimeout => "Die Anfrage kam nicht rechtzeitig an. Bitte senden Sie sie noch einmal.".into(),
        Message::UriTooLong => "Die Adresse der Anfrage ist zu lang.".into(),
        Message::HeaderFieldsTooLarge => "Die Anfrage hat zu viele oder zu lange Kopfzeilen.".into(),
        Message::TransferCodingUnknown => {
            "Der Inhalt der Anfrage ist auf eine Weise kodiert, die nicht unterstützt wird. Bitte senden Sie ihn ohne Transferkodierung oder in Blöcken.".into()
        }
        Message::ServerError => "Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.".into(),
        Message::MalformedJson { line, column } => {
            format!("Der Inhalt der Anfrage ist kein gültiges JSON: Der Fehler steht in Zeile {line}, Spalte {column}.")
                .into()
        }
        Message::NestingTooDeep { max } => {
            format!("Das JSON ist zu tief verschachtelt: Höchstens {max} Ebenen sind erlaubt.").into()
        }
        Message::BodyNotObject => "Der Inhalt der Anfrage muss ein JSON-Objekt sein.".into(),
        Message::CsrfTokenMismatch => {
            "Die Kopfzeile X-XSRF-TOKEN muss das Cookie XSRF-TOKEN wiederholen, das GET /session/csrf setzt.".into()
        }
        Message::ForeignOrigin => "Das ist nur von Seiten dieses Shops aus möglich.".into(),
        Message::InvalidCredentials => "Die E-Mail-Adresse oder das Passwort ist nicht richtig.".into(),
        Message::InvalidLink => "Dieser Link ist nicht mehr gültig. Bitte fordern Sie einen neuen an.".into(),
        Message::InsufficientStock { product } => {
            format!("Für diese Menge haben wir von {} nicht genug auf Lager.", quoted(product)).into()
        }
        Message::CartEmpty => "Ihr Warenkorb ist leer. Bitte legen Sie zuerst ein Produkt hinein.".into(),
        Message::TooManyCartLines { max } => {
            format!("In Ihrem Warenkorb liegen {max} verschiedene Produkte, mehr passen nicht hinein. Bitte entfernen Sie zuerst eines.").into()
        }
        Message::TotalChanged => {
            "Der Gesamtbetrag hat sich inzwischen geändert. Bitte prüfen Sie den neuen Betrag und \
                                  bestätigen Sie Ihre Bestellung noch einmal."
                .into()
        }
        Message::AlreadyPaid => "Diese Bestellung ist bereits bezahlt.".into(),
        Message::IdempotencyKeyReused => "Dieser Idempotenzschlüssel wurde bereits für eine andere Anfrage verwendet. \
                                          Bitte verwenden Sie einen neuen."
            .into(),
        Message::LineUnavailable { product } => {
            format!("Der Artikel {} ist nicht mehr erhältlich. Bitte entfernen Sie ihn aus dem Warenkorb.", quoted(product))
                .into()
        }
        Message::TotalTooLarge => {
            "Die Summe ist höher, als wir sie berechnen können. Bitte bestellen Sie weniger auf einmal.".into()
        }
        Message::OrderCancelled => "Diese Bestellung wurde storniert.".into(),
        Message::PaymentProcessing => "Eine Zahlung für diese Bestellung ist bereits unterwegs.".into(),
        Message::TooManyAddresses { max } => {
            format!("Sie haben {max} Adressen gespeichert, mehr sind nicht möglich. Bitte löschen Sie eine, die Sie nicht mehr brauchen.")
            .into()
        }
        Message::Field { field, violation } => self::violation(&quoted(field), violation).into(),
        Message::Custom(translations) => translations.de.clone(),
    }
}

/// The sentence for a field whose name already stands in quotation marks.
fn violation(field: &str, violation: &Violation) -> String {
    match violation {
        Violation::Required => format!("Bitte füllen Sie das Feld {field} aus."),
        Violation::String => format!("Das Feld {field} muss ein Text sein."),
        Violation::Integer => format!("Das Feld {field} muss eine ganze Zahl sein."),
        Violation::Number => format!("Das Feld {field} muss eine Zahl sein."),
        Violation::Boolean => format!("Das Feld {field} muss „true“ oder „false“ sein."),
        Violation::Array => format!("Das Feld {field} muss eine Liste sein."),
        Violation::Object => format!("Das Feld {field} muss ein JSON-Objekt sein."),
        Violation::MinLength { min } => format!("Das Feld {field} muss mindestens {min} Zeichen lang sein."),
        Violation::MaxLength { max } => format!("Das Feld {field} darf höchstens {max} Zeichen lang sein."),
        Violation::ExactLength { length } => format!("Das Feld {field} muss genau {length} Zeichen lang sein."),
        Violation::MinItems { min } => format!("Das Feld {field} muss mindestens {} enthalten.", entries(*min)),
        Violation::MaxItems { max } => format!("Das Feld {field} darf höchstens {} enthalten.", entries(*max)),
        Violation::MinValue { min } => format!("Das Feld {field} muss mindestens {min} sein."),
        Violation::MaxValue { max } => format!("Das Feld {field} darf höchstens {max} sein."),
        Violation::Between { min, max } => format!("Das Feld {field} muss zwischen {min} und {max} liegen."),
        Violation::NumberOutOfRange => format!("Die Zahl im Feld {field} ist zu groß oder zu klein."),
        Violation::Email => format!("Das Feld {field} muss eine gültige E-Mail-Adresse sein."),
        Violation::Url => {
            format!("Das Feld {field} muss eine vollständige Webadresse sein, die mit http:// oder https:// beginnt.")
        }
        Violation::DateTime => {
            format!("Das Feld {field} muss Datum und Uhrzeit enthalten, zum Beispiel „2026-01-31T12:00:00Z“.")
        }
        Violation::OneOf { allowed } => {
            format!("Das Feld {field} muss einen dieser Werte haben: {}.", enumerate(allowed, quoted))
        }
        Violation::ControlCharacters => format!("Das Feld {field} darf keine Steuerzeichen enthalten."),
        Violation::DuplicateKey => format!("Das Feld {field} darf nur einmal vorkommen."),
        Violation::UnknownAbility { ability } => {
            format!("Das Feld {field} nennt die Berechtigung {}, die es nicht gibt.", quoted(ability))
        }
        Violation::UnknownCountry => {
            format!("Das Feld {field} muss der zweibuchstabige Code eines Landes sein, das dieser Shop unterstützt.")
        }
        Violation::Taken => format!("Das Feld {field} hat einen Wert, der schon vergeben ist."),
        Violation::GuessablePassword => format!(
            "Das Feld {field} ist zu leicht zu erraten: Bitte wählen Sie weder ein häufiges Passwort noch Ihre E-Mail-Adresse oder den Namen dieses Shops."
        ),
        Violation::ForeignPage => {
            format!("Das Feld {field} muss die Adresse einer Seite dieses Shops oder einer zugehörigen Website sein.")
        }
        Violation::Ambiguous => format!("Das Feld {field} ist zweimal angegeben, mit verschiedenen Werten."),
        Violation::Exclusive { other } => {
            format!("Bitte geben Sie entweder {field} oder {} an, nicht beides.", quoted(other))
        }
        Violation::UnknownId => format!("Das Feld {field} bezeichnet nichts, was Ihnen gehört."),
        Violation::NotDelivered => format!("Das Feld {field} nennt ein Land, in das wir nicht liefern."),
        Violation::NoWayToPay => {
            format!("Für das Feld {field} gibt es keinen Wert: Dieser Shop nimmt zurzeit keine Zahlungen an.")
        }
        Violation::UnavailableProduct => {
            format!("Das Feld {field} muss die Nummer eines Produkts enthalten, das jetzt gekauft werden kann.")
        }
        Violation::UnknownOption => format!("Das Feld {field} ist keine Option dieses Produkts."),
        Violation::TooManyInCart { max } => {
            format!("Das Feld {field} ist zu hoch: Ein Warenkorb fasst höchstens {max} Stück desselben Produkts.")
        }
        Violation::UnsupportedCurrency { supported } => {
            format!("Das Feld {field} muss {} sein, die Währung dieses Shops.", quoted(supported))
        }
        Violation::DiscountUnknown => format!("Das Feld {field} muss ein Rabattcode sein, den dieser Shop vergibt."),
        Violation::DiscountNotYet => format!("Der Rabattcode im Feld {field} gilt noch nicht."),
        Violation::DiscountOver => format!("Der Rabattcode im Feld {field} gilt nicht mehr."),
        Violation::DiscountBelowMinimum { minimum } => {
            format!("Der Rabattcode im Feld {field} gilt für Bestellungen ab {minimum} vor Rabatt und Versand.")
        }
        Violation::DiscountUsedUp => {
            format!("Der Rabattcode im Feld {field} wurde schon so oft benutzt, wie es möglich ist.")
        }
        Violation::DiscountUsedUpByCustomer => {
            format!("Sie haben den Rabattcode im Feld {field} schon so oft benutzt, wie es Ihnen möglich ist.")
        }
    }
}

/// Subject and body of a letter.
pub(super) fn letter(letter: &Letter<'_>, shop: &str) -> (String, String) {
    match letter {
        Letter::VerifyEmail { link, days } => (
            format!("Bitte bestätigen Sie Ihre E-Mail-Adresse für {shop}"),
            format!(
                "Guten Tag,\n\
             \n\
             mit dieser E-Mail-Adresse wurde ein Kundenkonto eröffnet bei\n\
             {shop}.\n\
             Bitte bestätigen Sie, dass es Ihre ist:\n\
             \n\
             {link}\n\
             \n\
             Der Link gilt einmal, innerhalb von {days} Tagen.\n\
             \n\
             Falls Sie kein Konto eröffnet haben, beachten Sie diese Nachricht bitte nicht:\n\
             Die Adresse bleibt dann unbestätigt.\n"
            ),
        ),
        Letter::ResetPassword { link, minutes } => (
            format!("Wählen Sie ein neues Passwort für {shop}"),
            format!(
                "Guten Tag,\n\
             \n\
             jemand hat ein neues Passwort angefordert für Ihr Kundenkonto bei\n\
             {shop}.\n\
             Hier können Sie es wählen:\n\
             \n\
             {link}\n\
             \n\
             Der Link gilt einmal, innerhalb von {minutes} Minuten. Mit dem neuen Passwort\n\
             werden Sie überall abgemeldet.\n\
             \n\
             Falls Sie es nicht angefordert haben, beachten Sie diese Nachricht bitte\n\
             nicht: Ihr Passwort bleibt, wie es ist.\n"
            ),
        ),
    }
}

/// The months, for days on documents.
pub(super) const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// A text on an invoice or a credit note.
pub(super) fn document(text: DocumentText<'_>) -> Cow<'static, str> {
    match text {
        DocumentText::Invoice => "Rechnung".into(),
        DocumentText::CreditNote => "Gutschrift".into(),
        DocumentText::InvoiceNumber => "Rechnungsnr.".into(),
        DocumentText::CreditNoteNumber => "Nummer".into(),
        DocumentText::InvoiceDate => "Rechnungsdatum".into(),
        DocumentText::Date => "Datum".into(),
        DocumentText::ForInvoice => "Zu Rechnung".into(),
        DocumentText::OrderNumber => "Bestellung".into(),
        DocumentText::TaxId => "USt-IdNr.".into(),
        DocumentText::Reason { reason } => format!("Grund: {reason}").into(),
        DocumentText::ShipTo => "Lieferadresse".into(),
        DocumentText::Description => "Bezeichnung".into(),
        DocumentText::Quantity => "Menge".into(),
        DocumentText::UnitPrice => "Einzelpreis".into(),
        DocumentText::Tax => "USt.".into(),
        DocumentText::Amount => "Betrag".into(),
        DocumentText::Subtotal => "Zwischensumme".into(),
        DocumentText::Discount => "Rabatt".into(),
        DocumentText::DiscountByCode { code } => format!("Rabatt ({code})").into(),
        DocumentText::Shipping => "Versand".into(),
        DocumentText::ShippingBy { label } => format!("Versand ({label})").into(),
        DocumentText::Total => "Gesamtbetrag".into(),
        DocumentText::TotalCredited => "Gutgeschriebener Betrag".into(),
        DocumentText::IncludedTax => "Darin enthaltene USt.".into(),
        DocumentText::TaxRate => "USt.-Satz".into(),
        DocumentText::Net => "Netto".into(),
        DocumentText::Gross => "Brutto".into(),
        DocumentText::PaidOn { day } => format!("Bezahlt am {day}. Vielen Dank.").into(),
        DocumentText::CancelledOn { day } => format!("Storniert am {day}. Es ist nichts zu zahlen.").into(),
        DocumentText::PartialRefund => "Erstattung".into(),
        DocumentText::RefundedOn { day } => format!("Erstattet am {day}.").into(),
        DocumentText::PleasePay { amount, number } => {
            format!("Zu zahlen: {amount}. Bitte geben Sie bei der Zahlung die Nummer {number} an.").into()
        }
        DocumentText::Page { number, count } => format!("Seite {number} von {count}").into(),
    }
}

/// A text on one of the shop's pages.
pub(super) fn page(text: PageText) -> &'static str {
    match text {
        PageText::VerifyHeading => "E-Mail-Adresse bestätigen",
        PageText::VerifyExplanation => "Bitte bestätigen Sie mit der Schaltfläche, dass diese E-Mail-Adresse Ihre ist.",
        PageText::VerifyButton => "Adresse bestätigen",
        PageText::Verified => "Vielen Dank. Ihre E-Mail-Adresse ist bestätigt.",
        PageText::ResetHeading => "Neues Passwort wählen",
        PageText::NewPassword => "Neues Passwort",
        PageText::ResetExplanation => "Mindestens 10 Zeichen. Sie werden überall abgemeldet.",
        PageText::ResetButton => "Passwort ändern",
        PageText::PasswordChanged => "Ihr Passwort ist geändert. Sie können sich jetzt damit anmelden.",
    }
}

/// A text of a message to a chat.
pub(super) fn chat(chat: ChatText, text: &str) -> String {
    match chat {
        ChatText::OrderCreated => format!("Neue Bestellung {text}"),
        ChatText::OrderPaid => format!("Bestellung {text} ist bezahlt"),
        ChatText::OrderCancelled => format!("Bestellung {text} ist storniert"),
        ChatText::PaymentRecorded => format!("Zahlung zu Bestellung {text} eingegangen"),
        ChatText::RefundRecorded => format!("Erstattung zu Bestellung {text}"),
        ChatText::CreditNoteIssued => format!("Gutschrift zu Bestellung {text}"),
        ChatText::Order => "Bestellung".to_owned(),
        ChatText::Total => "Gesamtbetrag".to_owned(),
        ChatText::Amount => "Betrag".to_owned(),
        ChatText::Status => "Status".to_owned(),
        ChatText::TestTitle => format!("Testnachricht von {text}"),
        ChatText::TestDescription => "Dieses Ziel empfängt Nachrichten Ihres Shops.".to_owned(),
        ChatText::StatusWord => match text {
            "pending" => "offen".to_owned(),
            "paid" => "bezahlt".to_owned(),
            "cancelled" => "storniert".to_owned(),
            "failed" => "fehlgeschlagen".to_owned(),
            "expired" => "abgelaufen".to_owned(),
            "partially_refunded" => "teilweise erstattet".to_owned(),
            "refunded" => "erstattet".to_owned(),
            "processing" => "in Bearbeitung".to_owned(),
            "succeeded" => "erfolgreich".to_owned(),
            _ => text.to_owned(),
        },
    }
}

fn quoted(text: &str) -> String {
    format!("„{}“", excerpt(text))
}

fn entries(number: usize) -> String {
    if number == 1 { "einen Eintrag".to_owned() } else { format!("{number} Einträge") }
}
