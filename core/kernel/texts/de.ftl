### Texts of the kernel: what the console and files refuse. German, with the polite form of address.

error-not-for-role = Ihre Rolle öffnet diese Seite nicht. Wer das Personal verwaltet, kann Ihnen eine andere geben.
error-stale-form = Dieses Formular ist veraltet. Bitte gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch einmal.

# Files
error-range-not-satisfiable = Die Datei hat die gewünschten Bytes nicht.
error-precondition-failed = Die Datei hat sich inzwischen geändert.

# Pictures
media-width-unknown = Bilder gibt es in der Breite (w) { $widths } Pixel.
