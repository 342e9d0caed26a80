### What every shop says: refusals, rules of fields, days and rates. Dutch, with the polite form of address.

## What the API says instead of doing what it was asked to

error-unauthenticated = Meld u aan of stuur een geldig toegangstoken mee als ‘Authorization: Bearer TOKEN’.
error-unauthorized = U hebt geen toestemming om dit te doen.
error-insufficient-scope = Uw toegangstoken mist het recht ‘{ $ability }’, dat voor dit verzoek nodig is.
error-ip-not-allowed = Uw toegangstoken kan niet vanaf dit netwerkadres worden gebruikt.
error-unmapped-api-route = Dit adres is niet via de API bereikbaar, omdat er geen recht aan is toegewezen.
error-not-found = We konden niet vinden wat u zoekt.
error-method-not-allowed = Dit adres ondersteunt de gebruikte verzoekmethode niet.
error-invalid-state = Dit is in de huidige toestand niet mogelijk. Laad opnieuw en probeer het nog eens.
error-validation-error = Controleer uw gegevens: een deel ervan ontbreekt of is ongeldig.
error-payment-failed = De betaling kon niet worden gestart. Probeer het nog eens of kies een andere betaalmethode.
error-rate-limited = U hebt te veel verzoeken gestuurd. Probeer het over { $seconds ->
    [one] 1 seconde
   *[other] { $seconds } seconden
} nog eens.
error-payload-too-large = Het verzoek is te groot. Stuur minder gegevens tegelijk.
error-unsupported-media-type = Stuur de gegevens als JSON, ongecomprimeerd en met de header ‘Content-Type: application/json’.
error-bad-request = Het verzoek is beschadigd of onvolledig. Stuur het nog eens.
error-request-timeout = Het verzoek kwam niet op tijd aan. Stuur het nog eens.
error-uri-too-long = Het adres van het verzoek is te lang.
error-header-fields-too-large = Het verzoek heeft te veel of te lange headers.
error-transfer-coding-unknown = De inhoud van het verzoek is gecodeerd op een manier die niet wordt ondersteund. Stuur hem zonder transfercodering, of in blokken.
error-server-error = Er is bij ons iets misgegaan. Probeer het later nog eens.
error-malformed-json = De inhoud van het verzoek is geen geldige JSON: de fout staat in regel { $line }, kolom { $column }.
error-nesting-too-deep = De JSON is te diep genest: er zijn hoogstens { $max } niveaus toegestaan.
error-body-not-object = De inhoud van het verzoek moet een JSON-object zijn.
error-csrf-token-mismatch = De header X-XSRF-TOKEN moet de cookie XSRF-TOKEN herhalen, die GET /session/csrf plaatst.
error-foreign-origin = Dit kan alleen vanaf pagina's van deze winkel. Hoort de pagina erbij, dan moet haar adres in `server.base_url` of `server.allowed_origins` staan.
error-invalid-credentials = Het e-mailadres of het wachtwoord is niet juist.
error-invalid-link = Deze link is niet meer geldig. Vraag een nieuwe aan.
error-insufficient-stock = { $left ->
    [0] ‘{ $product }’ is uitverkocht.
    [1] Er is nog maar één ‘{ $product }’.
   *[other] Er zijn nog maar { $left } van ‘{ $product }’.
}
error-cart-empty = Uw winkelwagen is leeg. Voeg eerst een product toe.
error-too-many-cart-lines = Uw winkelwagen bevat { $max } verschillende producten en er is geen plaats voor meer. Verwijder er eerst een.
error-total-changed = Het totaalbedrag is intussen gewijzigd. Controleer het nieuwe bedrag en bevestig uw bestelling nog eens.
error-already-paid = Deze bestelling is al betaald.
error-idempotency-key-reused = Deze idempotentiesleutel is al voor een ander verzoek gebruikt. Gebruik een nieuwe.
error-line-unavailable = Het artikel ‘{ $product }’ is niet meer leverbaar. Verwijder het uit uw winkelwagen.
error-total-too-large = Het totaalbedrag is hoger dan wij in rekening kunnen brengen. Bestel minder tegelijk.
error-order-cancelled = Deze bestelling is geannuleerd.
error-payment-processing = Er is al een betaling voor deze bestelling onderweg.
error-too-many-addresses = U hebt { $max } adressen opgeslagen, meer is niet mogelijk. Verwijder een adres dat u niet meer nodig hebt.

## Rules that a field of the input breaks

field-required = Vul het veld ‘{ $field }’ in.
field-string = Het veld ‘{ $field }’ moet een tekst zijn.
field-integer = Het veld ‘{ $field }’ moet een geheel getal zijn.
field-number = Het veld ‘{ $field }’ moet een getal zijn.
field-price = Het veld ‘{ $field }’ moet een prijs zijn zoals ‘{ $example }’, zonder valuta en zonder scheidingstekens voor duizendtallen.
field-boolean = Het veld ‘{ $field }’ moet ‘true’ of ‘false’ zijn.
field-array = Het veld ‘{ $field }’ moet een lijst zijn.
field-object = Het veld ‘{ $field }’ moet een JSON-object zijn.
field-min-length = Het veld ‘{ $field }’ moet minstens { $min ->
    [one] 1 teken
   *[other] { $min } tekens
} lang zijn.
field-max-length = Het veld ‘{ $field }’ mag hoogstens { $max ->
    [one] 1 teken
   *[other] { $max } tekens
} lang zijn.
field-exact-length = Het veld ‘{ $field }’ moet precies { $length ->
    [one] 1 teken
   *[other] { $length } tekens
} lang zijn.
field-min-items = Het veld ‘{ $field }’ moet minstens { $min ->
    [one] 1 item
   *[other] { $min } items
} bevatten.
field-max-items = Het veld ‘{ $field }’ mag hoogstens { $max ->
    [one] 1 item
   *[other] { $max } items
} bevatten.
field-min-value = Het veld ‘{ $field }’ moet minstens { $min } zijn.
field-max-value = Het veld ‘{ $field }’ mag hoogstens { $max } zijn.
field-between = Het veld ‘{ $field }’ moet tussen { $min } en { $max } liggen.
field-number-out-of-range = Het getal in het veld ‘{ $field }’ is te groot of te klein.
field-email = Het veld ‘{ $field }’ moet een geldig e-mailadres zijn.
field-url = Het veld ‘{ $field }’ moet een volledig webadres zijn dat met http:// of https:// begint.
field-date-time = Het veld ‘{ $field }’ moet een datum en tijd bevatten, bijvoorbeeld ‘2026-01-31T12:00:00Z’.
field-one-of = Het veld ‘{ $field }’ moet een van deze waarden hebben: { $allowed }.
field-control-characters = Het veld ‘{ $field }’ mag geen stuurtekens bevatten.
field-duplicate-key = Het veld ‘{ $field }’ mag maar één keer voorkomen.
field-unknown-ability = Het veld ‘{ $field }’ noemt het recht ‘{ $ability }’, dat niet bestaat.
field-unknown-country = Het veld ‘{ $field }’ moet de tweeletterige code zijn van een land dat deze winkel ondersteunt.
field-taken = Het veld ‘{ $field }’ heeft een waarde die al in gebruik is.
field-guessable-password = Het veld ‘{ $field }’ is te makkelijk te raden: kies geen veelgebruikt wachtwoord, niet je e-mailadres en niet de naam van deze winkel.
field-foreign-page = Het veld ‘{ $field }’ moet het adres zijn van een pagina van deze winkel of van een website die erbij hoort: uit `server.base_url` of `server.allowed_origins`.
field-ambiguous = Het veld ‘{ $field }’ is twee keer opgegeven, met verschillende waarden.
field-exclusive = Geef ‘{ $field }’ of ‘{ $other }’ op, niet allebei.
field-unknown-id = Het veld ‘{ $field }’ verwijst naar niets dat van u is.
field-not-delivered = Het veld ‘{ $field }’ noemt een land waar wij niet bezorgen.
field-no-way-to-pay = Voor het veld ‘{ $field }’ is er geen waarde: deze winkel neemt nu geen betalingen aan.
field-unavailable-product = Het veld ‘{ $field }’ moet het nummer zijn van een product dat nu te koop is.
field-unknown-option = Het veld ‘{ $field }’ is geen optie van dit product.
field-too-many-in-cart = Het veld ‘{ $field }’ is te hoog: een winkelwagen bevat hoogstens { $max } stuks van hetzelfde product.
field-unsupported-currency = Het veld ‘{ $field }’ moet ‘{ $supported }’ zijn, de valuta van deze winkel.
field-discount-unknown = Het veld ‘{ $field }’ moet een kortingscode zijn die deze winkel geeft.
field-discount-not-yet = De kortingscode in het veld ‘{ $field }’ is nog niet geldig.
field-discount-over = De kortingscode in het veld ‘{ $field }’ is niet meer geldig.
field-discount-below-minimum = De kortingscode in het veld ‘{ $field }’ is voor bestellingen vanaf { $minimum }, zonder korting en verzending.
field-discount-used-up = De kortingscode in het veld ‘{ $field }’ is al zo vaak gebruikt als mogelijk is.
field-discount-used-up-by-customer = U hebt de kortingscode in het veld ‘{ $field }’ al zo vaak gebruikt als u kunt.

## Pieces

# Around each of several values
quoted = ‘{ $text }’
# A day with the name of its month
long-date = { $day } { $month ->
    [1] januari
    [2] februari
    [3] maart
    [4] april
    [5] mei
    [6] juni
    [7] juli
    [8] augustus
    [9] september
    [10] oktober
    [11] november
   *[12] december
} { $year }
# A rate of 21 %, and one of 5.5 %
percentage-whole = { $whole }%
percentage = { $whole },{ $decimals }%
