//! What the document shows of the catalog.

use serde_json::{Value, json};

pub(super) fn example_product() -> Value {
    json!({
        "id": 7, "name": "Desk lamp", "slug": "desk-lamp", "subtitle": "Warm light", "sku": "LAMP-7",
        "description": "A lamp for late evenings.",
        "price": {"amount": 4900, "currency": "EUR", "formatted": "€49.00"},
        "compare_at_amount": 5900, "lowest_recent_amount": 5500, "unit_price": null, "brand": "Lumina", "gtin": "4006381333931", "weight_grams": 1250,
        "safety": {
            "manufacturer": {"name": "Lumina GmbH", "address": "Weg 1, 10115 Berlin, Germany", "email": "safety@lumina.example"},
            "responsible_person": null,
            "warnings": {"en": "Hot surface."},
        },
        "category": {"id": 3, "name": "Lamps", "slug": "lamps"},
        "images": ["https://shop.example/media/desk-lamp.svg"],
        "capabilities": ["shippable"],
        "options": [{"key": "color", "label": "Color", "type": "select", "required": true,
                     "choices": [{"value": "brass", "label": "Brass", "price_adjustment_amount": 250,
                                  "price_adjustment_formatted": "€2.50"}]}],
        "availability": "in_stock",
        "details": {},
    })
}

pub(super) fn example_category() -> Value {
    json!({"id": 1, "name": "Lighting", "slug": "lighting", "image": null, "products_count": 0,
           "children": [{"id": 3, "name": "Lamps", "slug": "lamps", "products_count": 1}]})
}

pub(super) fn example_links() -> Value {
    json!({"first": "https://shop.example/api/v1/products?page=1",
           "last": "https://shop.example/api/v1/products?page=1", "prev": null, "next": null})
}

pub(super) fn example_meta() -> Value {
    json!({"current_page": 1, "from": 1, "last_page": 1,
           "links": [{"url": "https://shop.example/api/v1/products?page=1", "label": "1", "page": 1, "active": true}],
           "path": "https://shop.example/api/v1/products", "per_page": 24, "to": 1, "total": 1})
}
