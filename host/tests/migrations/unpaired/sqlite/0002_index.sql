CREATE INDEX notes_text ON notes (text);
