### What customers are told about gift wrapping.

gift-wrap-card-printed = Het kaartje voor dit artikel is al gedrukt.
gift-wrap-not-offered = Dit artikel kan niet worden ingepakt.
gift-wrap-paper-used-up = Het gekozen cadeaupapier is op. Kies een ander papier.
gift-wrap-line = Cadeauverpakking: { $product }
gift-wrap-wish-changed = Uw cadeauverpakking is gewijzigd. Bekijk de bestelling nog een keer.
gift-wrap-mail-title = Cadeauverpakking
gift-wrap-mail = Wij pakken het in zoals u het wenst, met uw kaartje.
gift-wrap-chat-requested = Er moet een cadeau worden ingepakt
gift-wrap-panel-title = Cadeauverpakking
gift-wrap-panel-paper = Papier
gift-wrap-panel-message = Tekst van het kaartje
gift-wrap-panel-wish = Als cadeau inpakken
gift-wrap-panel-log-in = Inloggen om het te laten inpakken
