### Texts of the kernel: what the console and files refuse. English.

error-not-for-role = Your role does not open this page. Whoever manages the staff can give you another one.
error-stale-form = This form is out of date. Please go back, reload the page and send it again.

# Files
error-range-not-satisfiable = The file does not have the wanted bytes.
error-precondition-failed = The file has changed meanwhile.

# Pictures
media-width-unknown = Pictures are scaled to a width (w) of { $widths } pixels.
