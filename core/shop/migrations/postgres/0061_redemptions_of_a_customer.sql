-- What a customer has redeemed is asked when a guest is forgotten or becomes a customer, and the latest redemptions of a code in the console.

DROP INDEX discount_redemptions_customer;
CREATE INDEX discount_redemptions_customer ON discount_redemptions (customer_id, discount_id);
CREATE INDEX discount_redemptions_discount ON discount_redemptions (discount_id, order_id);
