//! What capabilities are called in the console.

/// A capability as people call it; one that nobody has given a name by its key.
pub(crate) fn called(key: &str) -> String {
    let name = match key {
        "digital" => "download",
        "digital_secret" => "code or key",
        "event_ticket" => "event ticket",
        "inventory" => "stock is counted",
        "provisionable" => "service",
        "shippable" => "shipped goods",
        "subscribable" => "subscription",
        other => return other.replace('_', " "),
    };
    name.to_owned()
}

/// What a capability means to who sells the product, in a line; nothing of one that nobody has described.
pub(crate) fn meaning(key: &str) -> &'static str {
    match key {
        "digital" => "Customers download files once they have paid.",
        "digital_secret" => "Customers get a license key, voucher code or password of their own.",
        "event_ticket" => "Customers get a ticket for an event, which is checked in at the door.",
        "inventory" => "No more is sold than there is.",
        "provisionable" => "Something is set up once it is paid, such as an account or hosting.",
        "shippable" => "It is sent by post: customers are asked for an address and a shipping method.",
        "subscribable" => "It is billed again for each period, such as a month.",
        _ => "",
    }
}
