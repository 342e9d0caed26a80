### What customers are told about reviews.

reviews-title = Beoordelingen
reviews-own = Uw beoordelingen
reviews-none = Nog niemand heeft een beoordeling geschreven.
reviews-newest = De nieuwste { $shown } van { $count } beoordelingen
reviews-average = { $average } van 5 sterren, { $count ->
    [one] één beoordeling
   *[other] { $count } beoordelingen
}
reviews-decimal = ,
reviews-of-five = { $stars } van 5 sterren
reviews-write = Schrijf een beoordeling
reviews-change = Uw beoordeling wijzigen
reviews-stars = Sterren
reviews-text = Uw beoordeling
reviews-name = Getoonde naam
reviews-send = Versturen
reviews-withdraw = Beoordeling intrekken
reviews-waiting = Wacht op publicatie
reviews-published = Gepubliceerd
reviews-refused = Niet gepubliceerd
reviews-not-bought = Alleen wie dit product heeft gekocht, kan het beoordelen.
