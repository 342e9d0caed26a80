### Texts about carts and orders.

# The choice of an option that is on or off
cart-option-on = Ja
cart-option-off = Nee

checkout-vat-id-malformed = Dit is geen btw-identificatienummer, zoals NL004495445B01.
checkout-vat-id-invalid = Dit btw-nummer is niet geregistreerd voor handel binnen de Europese Unie.

checkout-consent-missing = Ga hier eerst mee akkoord: { $label }
checkout-consent-unknown = “{ $id }” is geen toestemming waar deze winkel om vraagt. Mogelijk: { $allowed }.
checkout-consent-outdated = Van “{ $label }” is er een nieuwe versie, { $version }. Lees die en ga opnieuw akkoord.

checkout-answer-unknown = Naar “{ $id }” wordt niet gevraagd.

invoice-not-electronic = Van dit document bestaat geen elektronische vorm. In de pdf staat alles wat het zegt.
