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
