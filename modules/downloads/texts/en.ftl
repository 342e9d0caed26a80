### What customers are told about downloads.

downloads-revoked = This download was withdrawn.
downloads-suspended = This download is suspended.
downloads-expired = The time for this download is over.
downloads-used-up = This download was used as often as it can be.

# What the storefront shows.
downloads-panel-title = Downloads
downloads-panel-download = Download
downloads-panel-gone = Not available any more
downloads-panel-used = { $used } of { $limit } used
downloads-panel-until = until { $day }
downloads-panel-files = Files
## The mail about what was paid

downloads-mail-page = Download
downloads-mail-account = Log in to download your files:
