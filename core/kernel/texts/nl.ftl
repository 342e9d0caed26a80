### Texts of the kernel: what the console and files refuse. Dutch, with the polite form of address.

error-not-for-role = Uw rol geeft geen toegang tot deze pagina. Wie het personeel beheert, kan u een andere geven.
error-stale-form = Dit formulier is verouderd. Ga terug, laad de pagina opnieuw en verstuur het nog een keer.

# Files
error-range-not-satisfiable = Het bestand heeft de gevraagde bytes niet.
error-precondition-failed = Het bestand is intussen gewijzigd.

# Pictures
media-width-unknown = Afbeeldingen zijn er in de breedte (w) { $widths } pixels.
