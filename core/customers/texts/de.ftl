### Texts about the accounts of customers.

## The pages that links of mails lead to

links-verify-heading = E-Mail-Adresse bestätigen
links-verify-explanation = Bitte bestätigen Sie mit der Schaltfläche, dass diese E-Mail-Adresse Ihre ist.
links-verify-button = Adresse bestätigen
links-verified = Vielen Dank. Ihre E-Mail-Adresse ist bestätigt.
links-reset-heading = Neues Passwort wählen
links-new-password = Neues Passwort
links-reset-explanation = Mindestens 10 Zeichen. Sie werden überall abgemeldet.
links-reset-button = Passwort ändern
links-password-changed = Ihr Passwort ist geändert. Sie können sich jetzt damit anmelden.

## The mails that bring links

links-verify-email-subject = Bitte bestätigen Sie Ihre E-Mail-Adresse für { $shop }
links-verify-email-body =
    Guten Tag,

    mit dieser E-Mail-Adresse wurde ein Kundenkonto eröffnet bei
    { $shop }.
    Bitte bestätigen Sie, dass es Ihre ist:

    { $link }

    Der Link gilt einmal, innerhalb von { $days } Tagen.

    Falls Sie kein Konto eröffnet haben, beachten Sie diese Nachricht bitte nicht:
    Die Adresse bleibt dann unbestätigt.
links-reset-password-subject = Wählen Sie ein neues Passwort für { $shop }
links-reset-password-body =
    Guten Tag,

    jemand hat ein neues Passwort angefordert für Ihr Kundenkonto bei
    { $shop }.
    Hier können Sie es wählen:

    { $link }

    Der Link gilt einmal, innerhalb von { $minutes } Minuten. Mit dem neuen Passwort
    werden Sie überall abgemeldet.

    Falls Sie es nicht angefordert haben, beachten Sie diese Nachricht bitte
    nicht: Ihr Passwort bleibt, wie es ist.

## Gäste

guests-have-no-account = Sie kaufen als Gast ein, ohne Konto, dessen E-Mail-Adresse bestätigt werden könnte.

# Support tickets.
support-tickets-too-many = Sie haben schon viel gefragt. Bitte warten Sie, bis wir geantwortet haben.
