### The payment methods, as customers choose from them.

gateway-stripe = Kaart en meer (Stripe)
gateway-mollie = iDEAL, kaart en meer (Mollie)
gateway-paypal = PayPal
gateway-manual = Overschrijving
gateway-development = Testbetaling (zonder geld)
gateway-simulated = Testbetaling met pagina (zonder geld)

## The page of a simulated payment

simulated-heading = Testbetaling
simulated-explanation = Er gaat geen geld over. Kies wat er van deze betaling wordt: de winkel hoort het zoals van een echte aanbieder.
simulated-order = Bestelling { $order }: { $amount }
simulated-pay = Betalen
simulated-later = Later betalen
simulated-fail = De betaling laten mislukken
simulated-cancel = Annuleren
simulated-processing = Het geld is onderweg.
simulated-arrive = Het geld laten aankomen
simulated-over = Deze betaling is voorbij: { $status }.
simulated-back = Terug naar de winkel
