### What customers are told about loyalty points.

loyalty-title = Points
loyalty-line = Points redeemed
loyalty-have = You have { $points ->
    [one] one point
   *[other] { $points } points
}, worth { $amount }.
loyalty-how = Redeem them in the cart, before you order.
loyalty-wanted = { $points ->
    [one] One point takes { $amount } off your next order.
   *[other] { $points } points take { $amount } off your next order.
}
loyalty-points = Points
loyalty-redeem = Redeem
loyalty-too-many = You do not have so many points.
loyalty-changed = Your points have changed. Please look at the order once more.
