### What customers are told about loyalty points.

loyalty-title = Punten
loyalty-line = Ingewisselde punten
loyalty-have = U hebt { $points ->
    [one] één punt
   *[other] { $points } punten
} ter waarde van { $amount }.
loyalty-how = Wissel ze in de winkelwagen in, voordat u bestelt.
loyalty-wanted = { $points ->
    [one] Eén punt verlaagt uw volgende bestelling met { $amount }.
   *[other] { $points } punten verlagen uw volgende bestelling met { $amount }.
}
loyalty-points = Punten
loyalty-redeem = Inwisselen
loyalty-too-many = Zoveel punten hebt u niet.
loyalty-changed = Uw punten zijn veranderd. Bekijk de bestelling nog eens.
