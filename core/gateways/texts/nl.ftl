### The payment methods, as customers choose from them.

gateway-stripe = Kaart en meer (Stripe)
gateway-mollie = iDEAL, kaart en meer (Mollie)
gateway-paypal = PayPal
gateway-manual = Overschrijving
gateway-development = Testbetaling (zonder geld)
