-- The order lines whose entry is made: each once, also when it has been deleted since.
CREATE TABLE guest_book_bought (
    order_line_id BIGINT PRIMARY KEY REFERENCES order_lines (id)
);
