-- The console's lists of customers in a state and of payments through a gateway, where there are few among many.

CREATE INDEX users_state ON users (
    (CASE WHEN anonymized_at IS NOT NULL THEN 'anonymized' WHEN guest THEN 'guest'
          WHEN email_verified_at IS NOT NULL THEN 'verified' ELSE 'unverified' END)
);
CREATE INDEX payments_gateway ON payments (gateway, order_id);
CREATE INDEX payment_attempts_gateway ON payment_attempts (gateway, order_id);
