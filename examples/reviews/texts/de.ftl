### What customers are told about reviews.

reviews-title = Bewertungen
reviews-own = Ihre Bewertungen
reviews-none = Noch niemand hat eine Bewertung geschrieben.
reviews-newest = Die neuesten { $shown } von { $count } Bewertungen
reviews-average = { $average } von 5 Sternen, { $count ->
    [one] eine Bewertung
   *[other] { $count } Bewertungen
}
reviews-decimal = ,
reviews-of-five = { $stars } von 5 Sternen
reviews-write = Bewertung schreiben
reviews-change = Ihre Bewertung ändern
reviews-stars = Sterne
reviews-text = Ihre Bewertung
reviews-name = Angezeigter Name
reviews-send = Absenden
reviews-withdraw = Bewertung zurückziehen
reviews-waiting = Wartet auf Veröffentlichung
reviews-published = Veröffentlicht
reviews-refused = Nicht veröffentlicht
reviews-not-bought = Diesen Artikel kann nur bewerten, wer ihn gekauft hat.
