### What customers are told about loyalty points.

loyalty-title = Punkte
loyalty-line = Eingelöste Punkte
loyalty-have = Sie haben { $points ->
    [one] einen Punkt
   *[other] { $points } Punkte
} im Wert von { $amount }.
loyalty-how = Lösen Sie sie im Warenkorb ein, bevor Sie bestellen.
loyalty-wanted = { $points ->
    [one] Ein Punkt verringert Ihre nächste Bestellung um { $amount }.
   *[other] { $points } Punkte verringern Ihre nächste Bestellung um { $amount }.
}
loyalty-points = Punkte
loyalty-redeem = Einlösen
loyalty-too-many = So viele Punkte haben Sie nicht.
loyalty-changed = Ihre Punkte haben sich geändert. Bitte sehen Sie sich die Bestellung noch einmal an.
