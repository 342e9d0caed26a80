### The payment methods, as customers choose from them.

gateway-stripe = Card and more (Stripe)
gateway-mollie = iDEAL, card and more (Mollie)
gateway-paypal = PayPal
gateway-manual = Bank transfer
gateway-development = Test payment (no money moves)
