### What customers are told about reviews.

reviews-title = Reviews
reviews-own = Your reviews
reviews-none = Nobody has written a review yet.
reviews-newest = The newest { $shown } of { $count } reviews
reviews-average = { $average } of 5 stars, { $count ->
    [one] one review
   *[other] { $count } reviews
}
reviews-decimal = .
reviews-of-five = { $stars } of 5 stars
reviews-write = Write a review
reviews-change = Change your review
reviews-stars = Stars
reviews-text = Your review
reviews-name = Name that is shown
reviews-send = Send
reviews-withdraw = Withdraw the review
reviews-waiting = Waits to be published
reviews-published = Published
reviews-refused = Not published
reviews-not-bought = Only those who have bought this product can review it.
