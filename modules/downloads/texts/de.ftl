### What customers are told about downloads.

downloads-revoked = Dieser Download wurde zurückgenommen.
downloads-suspended = Dieser Download ist ausgesetzt.
downloads-expired = Die Zeit für diesen Download ist abgelaufen.
downloads-used-up = Dieser Download wurde so oft genutzt, wie es möglich ist.

# What the storefront shows.
downloads-panel-title = Downloads
downloads-panel-download = Herunterladen
downloads-panel-gone = Nicht mehr verfügbar
downloads-panel-used = { $used } von { $limit } genutzt
downloads-panel-until = bis { $day }
downloads-panel-files = Dateien
## The mail about what was paid

downloads-mail-page = Herunterladen
downloads-mail-account = Melden Sie sich an, um Ihre Dateien herunterzuladen:
