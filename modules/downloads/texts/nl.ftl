### What customers are told about downloads.

downloads-revoked = Deze download is ingetrokken.
downloads-suspended = Deze download is opgeschort.
downloads-expired = De tijd voor deze download is verstreken.
downloads-used-up = Deze download is zo vaak gebruikt als mogelijk is.

# What the storefront shows.
downloads-panel-title = Downloads
downloads-panel-download = Downloaden
downloads-panel-gone = Niet meer beschikbaar
downloads-panel-used = { $used } van { $limit } gebruikt
downloads-panel-until = tot { $day }
downloads-panel-files = Bestanden
## The mail about what was paid

downloads-mail-page = Downloaden
downloads-mail-account = Log in om uw bestanden te downloaden:
