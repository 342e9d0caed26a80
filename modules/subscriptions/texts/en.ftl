### What customers are told about subscriptions.

subscriptions-plan-missing = One of the subscriptions in the cart cannot be ordered at the moment.

subscriptions-not-begun = It begins when its order is paid. Cancel the order instead.
subscriptions-over = It is over already.
subscriptions-not-cancelled = It is not cancelled.

# What the storefront shows.
subscriptions-panel-cancel = Cancel subscription
subscriptions-panel-keep = Keep subscription
subscriptions-panel-title = Subscriptions
subscriptions-panel-next = Next payment on { $day }
subscriptions-panel-ends = Ends on { $day }
subscriptions-panel-trial = { $days } days on trial, then { $amount }
subscriptions-panel-pending = Begins with the payment
subscriptions-panel-active = Active
subscriptions-panel-past_due = Payment due
subscriptions-panel-cancelled = Cancelled
subscriptions-panel-ended = Ended
subscriptions-panel-every-day = { $count ->
    [one] every day
   *[other] every { $count } days
}
subscriptions-panel-every-week = { $count ->
    [one] every week
   *[other] every { $count } weeks
}
subscriptions-panel-every-month = { $count ->
    [one] every month
   *[other] every { $count } months
}
subscriptions-panel-every-year = { $count ->
    [one] every year
   *[other] every { $count } years
}
## The mail about what was paid

subscriptions-mail = Your subscription is billed again every { $count ->
    [one] { $interval ->
        [day] day
        [week] week
        [month] month
       *[year] year
    }
   *[other] { $number } { $interval ->
        [day] days
        [week] weeks
        [month] months
       *[year] years
    }
}. You can cancel it at any time; it then ends with the period that is paid.
subscriptions-mail-trial = The first { $days } days cost nothing.
