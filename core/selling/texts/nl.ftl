### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nee

checkout-vat-id-malformed = Dit is geen btw-identificatienummer, zoals NL004495445B01.
checkout-vat-id-invalid = Dit btw-nummer is niet geregistreerd voor handel binnen de Europese Unie.

checkout-consent-missing = Ga hier eerst mee akkoord: { $label }
checkout-consent-unknown = “{ $id }” is geen toestemming waar deze winkel om vraagt. Mogelijk: { $allowed }.
checkout-consent-none = ‘{ $id }’ is geen toestemming van deze winkel, en deze bestelling heeft er geen nodig. Laat `consents` weg.
checkout-consent-outdated = Van “{ $label }” is er een nieuwe versie, { $version }. Lees die en ga opnieuw akkoord.

checkout-answer-unknown = Naar “{ $id }” wordt niet gevraagd.

checkout-digital-waiver = Ik wil dat digitale inhoud meteen wordt geleverd en weet dat ik daarmee mijn herroepingsrecht verlies.

withdrawal-unknown-item = Bij deze bestelling hoort geen artikel { $item } dat kan worden herroepen.
withdrawal-repeated-item = Artikel { $item } staat er twee keer. Noem het één keer met alle stuks.
withdrawal-too-many = { $left ->
    [0] “{ $label }” kan niet meer worden herroepen.
    [1] Van “{ $label }” kan maar 1 stuk worden herroepen.
   *[other] Van “{ $label }” kunnen 1 tot { $left } stuks worden herroepen.
}
withdrawal-already = U hebt alles in deze bestelling dat kan worden herroepen al herroepen.
withdrawal-nothing-left = In deze bestelling kan niets worden herroepen.
withdrawal-no-order-number = Voer een bestelnummer in, bijvoorbeeld O-000042.
withdrawal-refund-reason = Herroeping { $number }
withdrawal-mail-held = De levering volgt op { $date }, zodra u de overeenkomst niet meer kunt herroepen.
## Mails about orders

order-mails-expired = Deze is niet op tijd betaald. Als u de artikelen nog wilt, bestel dan alstublieft opnieuw.
order-mails-nothing-to-pay = Niets te betalen
order-mails-payment = { $method } ({ $status ->
    [paid] betaald
   *[other] nog niet betaald
})
order-mails-shipping-title = Verzending
order-mails-shipping = Wij pakken uw artikelen in en mailen u zodra ze onderweg zijn.
invoice-not-electronic = Van dit document bestaat geen elektronische vorm. In de pdf staat alles wat het zegt.
