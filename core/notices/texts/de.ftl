### Messages to chats.

chat-order-created = Neue Bestellung { $order }
chat-order-paid = Bestellung { $order } ist bezahlt
chat-order-cancelled = Bestellung { $order } ist storniert
chat-order-shipped = Bestellung { $order } ist versandt
chat-payment-recorded = Zahlung zu Bestellung { $order } eingegangen
chat-refund-recorded = Erstattung zu Bestellung { $order }
chat-credit-note-issued = Gutschrift zu Bestellung { $order }
chat-withdrawal-declared = Widerruf zur Bestellung { $order }
chat-order = Bestellung
chat-total = Gesamtbetrag
chat-amount = Betrag
chat-tracking = Sendungsnummer
chat-withdrawal = Widerruf
chat-status = Status
chat-test-title = Testnachricht von { $shop }
chat-test-description = Dieses Ziel empfängt Nachrichten Ihres Shops.
chat-status-word = { $status ->
    [pending] offen
    [paid] bezahlt
    [cancelled] storniert
    [failed] fehlgeschlagen
    [expired] abgelaufen
    [partially_refunded] teilweise erstattet
    [refunded] erstattet
    [processing] in Bearbeitung
    [succeeded] erfolgreich
   *[other] { $status }
}

## The mail of `stoa mail test`

mail-test-subject = Testmail von { $shop }
mail-test-body =
    Guten Tag,

    dies ist ein Test: E-Mails von { $shop } kommen an.

    Ihr Shop: { $url }

    Niemand muss auf diese E-Mail antworten.
