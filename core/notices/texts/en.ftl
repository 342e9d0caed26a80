### Messages to chats.

chat-order-created = New order { $order }
chat-order-paid = Order { $order } is paid
chat-order-cancelled = Order { $order } is cancelled
chat-order-shipped = Order { $order } was shipped
chat-payment-recorded = Payment received for order { $order }
chat-refund-recorded = Refund for order { $order }
chat-credit-note-issued = Credit note for order { $order }
chat-withdrawal-declared = Withdrawal from order { $order }
chat-order = Order
chat-total = Total
chat-amount = Amount
chat-tracking = Tracking number
chat-withdrawal = Withdrawal
chat-status = Status
chat-test-title = Test message from { $shop }
chat-test-description = This endpoint receives messages from your shop.
chat-status-word = { $status ->
    [partially_refunded] partly refunded
   *[other] { $status }
}

## The mail of `stoa mail test`

mail-test-subject = Test mail from { $shop }
mail-test-body =
    Hello,

    this is a test: mails from { $shop } arrive.

    Your shop: { $url }

    Nobody needs to answer this mail.
