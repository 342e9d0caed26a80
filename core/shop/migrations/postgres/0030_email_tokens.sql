-- The secrets of links in mails are email tokens, here too.
ALTER TABLE account_links RENAME TO email_tokens;
DROP INDEX account_links_expiry;
CREATE INDEX email_tokens_expiry ON email_tokens (expires_at);
