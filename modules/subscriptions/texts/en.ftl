### What customers are told about subscriptions.

subscriptions-plan-missing = One of the subscriptions in the cart cannot be ordered at the moment.

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
