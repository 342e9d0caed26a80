### The payment methods, as customers choose from them.

gateway-stripe = Karte und mehr (Stripe)
gateway-mollie = iDEAL, Karte und mehr (Mollie)
gateway-paypal = PayPal
gateway-manual = Überweisung
gateway-development = Testzahlung (ohne Geld)
gateway-simulated = Testzahlung mit Seite (ohne Geld)

## The page of a simulated payment

simulated-heading = Testzahlung
simulated-explanation = Es fließt kein Geld. Wählen Sie, was aus dieser Zahlung wird: Der Shop erfährt es wie von einem echten Anbieter.
simulated-order = Bestellung { $order }: { $amount }
simulated-pay = Bezahlen
simulated-later = Später bezahlen
simulated-fail = Zahlung scheitern lassen
simulated-cancel = Abbrechen
simulated-processing = Das Geld ist unterwegs.
simulated-arrive = Geld ankommen lassen
simulated-over = Diese Zahlung ist vorbei: { $status }.
simulated-back = Zurück zum Shop
