### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nein

checkout-vat-id-malformed = Das ist keine Umsatzsteuer-Identifikationsnummer wie zum Beispiel DE136695976.
checkout-vat-id-invalid = Diese Umsatzsteuer-Identifikationsnummer ist nicht für den Handel in der Europäischen Union registriert.

checkout-consent-missing = Bitte stimmen Sie zuerst zu: { $label }
checkout-consent-unknown = „{ $id }“ ist keine Zustimmung, nach der dieser Shop fragt. Möglich: { $allowed }.
checkout-consent-none = „{ $id }“ ist keine Zustimmung dieses Shops, und diese Bestellung braucht keine. Lassen Sie `consents` weg.
checkout-consent-outdated = Von „{ $label }“ gibt es eine neue Fassung, { $version }. Bitte lesen Sie sie und stimmen Sie erneut zu.

checkout-answer-unknown = Nach „{ $id }“ wird nicht gefragt.

checkout-digital-waiver = Ich verlange, dass digitale Inhalte sofort bereitgestellt werden, und weiß, dass ich damit mein Widerrufsrecht verliere.

withdrawal-unknown-item = Zu dieser Bestellung gehört keine Position { $item }, die widerrufen werden kann.
withdrawal-repeated-item = Die Position { $item } ist doppelt angegeben. Bitte geben Sie sie einmal mit allen Stücken an.
withdrawal-too-many = { $left ->
    [0] „{ $label }“ kann nicht mehr widerrufen werden.
    [1] Von „{ $label }“ kann nur 1 Stück widerrufen werden.
   *[other] Von „{ $label }“ können 1 bis { $left } Stück widerrufen werden.
}
withdrawal-already = Sie haben bereits alles widerrufen, was sich in dieser Bestellung widerrufen lässt.
withdrawal-nothing-left = In dieser Bestellung kann nichts widerrufen werden.
withdrawal-no-order-number = Bitte geben Sie eine Bestellnummer ein, zum Beispiel O-000042.
withdrawal-refund-reason = Widerruf { $number }
withdrawal-mail-held = Die Lieferung erfolgt am { $date }, sobald Sie den Vertrag nicht mehr widerrufen können.
## Mails about orders

order-mails-expired = Sie wurde nicht rechtzeitig bezahlt. Wenn Sie die Ware noch möchten, bestellen Sie bitte erneut.
order-mails-nothing-to-pay = Nichts zu bezahlen
order-mails-payment = { $method } ({ $status ->
    [paid] bezahlt
   *[other] noch nicht bezahlt
})
order-mails-shipping-title = Versand
order-mails-shipping = Wir packen Ihre Ware und schreiben Ihnen, sobald sie unterwegs ist.
invoice-not-electronic = Von diesem Dokument gibt es keine elektronische Form. Im PDF steht alles, was es sagt.
