//! The groups of operations: all routes whose names begin alike.

/// What a group is about.
pub(super) fn tag_description(tag: &str, owner: &str) -> String {
    let told = match tag {
        "account" => "The customer's own account.",
        "addresses" => "The customer's saved addresses.",
        "auth" => "Access tokens.",
        "cart" => "The cart of a guest or a customer.",
        "categories" => "Categories of products.",
        "checkout" => "From a cart to an order.",
        "credit-notes" => "The customer's credit notes.",
        "guest-orders" => "Orders by the key of their link, without a login.",
        "invoices" => "The customer's invoices.",
        "openapi" => "This document.",
        "orders" => "The customer's orders, and paying them.",
        "products" => "Products.",
        "search" => "Search for products.",
        "session" => "Accounts and logins of the shop's own pages in a browser, outside `/api/v1`.",
        "support-tickets" => "The customer's support tickets.",
        "withdrawal-requests" => "Withdrawing from an order by its number and e-mail address, without a login.",
        "withdrawals" => "The customer's withdrawals from orders.",
        _ if owner == "core" => return format!("Routes of the group `{tag}`."),
        _ => return format!("Routes of the module `{owner}`."),
    };
    told.to_owned()
}
