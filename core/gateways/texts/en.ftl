### The payment methods, as customers choose from them.

gateway-stripe = Card and more (Stripe)
gateway-mollie = iDEAL, card and more (Mollie)
gateway-paypal = PayPal
gateway-manual = Bank transfer
gateway-development = Test payment (no money moves)
gateway-simulated = Test payment with a page (no money moves)

## The page of a simulated payment

simulated-heading = Test payment
simulated-explanation = No money moves. Choose what becomes of this payment: the shop hears of it as from a real provider.
simulated-order = Order { $order }: { $amount }
simulated-pay = Pay
simulated-later = Pay later
simulated-fail = Let the payment fail
simulated-cancel = Cancel
simulated-processing = The money is on its way.
simulated-arrive = Let the money arrive
simulated-over = This payment is over: { $status }.
simulated-back = Back to the shop
