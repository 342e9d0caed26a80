-- What an order consists of are order lines.
ALTER TABLE guest_book_entries RENAME COLUMN order_item_id TO order_line_id;
