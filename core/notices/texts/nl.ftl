### Messages to chats.

chat-order-created = Nieuwe bestelling { $order }
chat-order-paid = Bestelling { $order } is betaald
chat-order-cancelled = Bestelling { $order } is geannuleerd
chat-order-shipped = Bestelling { $order } is verzonden
chat-payment-recorded = Betaling ontvangen voor bestelling { $order }
chat-refund-recorded = Terugbetaling voor bestelling { $order }
chat-credit-note-issued = Creditnota voor bestelling { $order }
chat-withdrawal-declared = Herroeping van bestelling { $order }
chat-order = Bestelling
chat-total = Totaal
chat-amount = Bedrag
chat-tracking = Volgnummer
chat-withdrawal = Herroeping
chat-status = Status
chat-test-title = Testbericht van { $shop }
chat-test-description = Dit adres ontvangt berichten van uw winkel.
chat-status-word = { $status ->
    [pending] open
    [paid] betaald
    [cancelled] geannuleerd
    [failed] mislukt
    [expired] verlopen
    [partially_refunded] gedeeltelijk terugbetaald
    [refunded] terugbetaald
    [processing] in behandeling
    [succeeded] geslaagd
   *[other] { $status }
}

## The mail of `stoa mail test`

mail-test-subject = Testmail van { $shop }
mail-test-body =
    Goedendag,

    dit is een test: e-mails van { $shop } komen aan.

    Uw winkel: { $url }

    Niemand hoeft op deze e-mail te antwoorden.
