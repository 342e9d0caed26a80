### What customers are told about gift wrapping.

gift-wrap-card-printed = Die Karte zu diesem Artikel ist schon gedruckt.
gift-wrap-not-offered = Dieser Artikel kann nicht verpackt werden.
gift-wrap-paper-used-up = Das gewählte Geschenkpapier ist aufgebraucht. Bitte wählen Sie ein anderes.
gift-wrap-line = Geschenkverpackung: { $product }
gift-wrap-wish-changed = Ihre Geschenkverpackung hat sich geändert. Bitte sehen Sie sich die Bestellung noch einmal an.
gift-wrap-mail-title = Geschenkverpackung
gift-wrap-mail = Wir packen es so ein, wie Sie es wünschen, mit Ihrer Karte.
gift-wrap-chat-requested = Ein Geschenk ist einzupacken
gift-wrap-panel-title = Geschenkverpackung
gift-wrap-panel-paper = Papier
gift-wrap-panel-message = Text der Karte
gift-wrap-panel-wish = Als Geschenk verpacken
gift-wrap-panel-log-in = Anmelden, um es verpacken zu lassen
