### The payment methods, as customers choose from them.

gateway-stripe = Karte und mehr (Stripe)
gateway-mollie = iDEAL, Karte und mehr (Mollie)
gateway-paypal = PayPal
gateway-manual = Überweisung
gateway-development = Testzahlung (ohne Geld)
