### Texts about the accounts of customers.

## The pages that links of mails lead to

links-verify-heading = E-mailadres bevestigen
links-verify-explanation = Druk op de knop om te bevestigen dat dit e-mailadres van u is.
links-verify-button = Adres bevestigen
links-verified = Dank u wel. Uw e-mailadres is bevestigd.
links-reset-heading = Nieuw wachtwoord kiezen
links-new-password = Nieuw wachtwoord
links-reset-explanation = Minstens 10 tekens. U wordt overal afgemeld.
links-reset-button = Wachtwoord wijzigen
links-password-changed = Uw wachtwoord is gewijzigd. U kunt er nu mee inloggen.

## The mails that bring links

links-verify-email-subject = Bevestig uw e-mailadres voor { $shop }
links-verify-email-body =
    Goedendag,

    met dit e-mailadres is een account gemaakt bij
    { $shop }.
    Bevestig alstublieft dat het van u is:

    { $link }

    De link is één keer te gebruiken, binnen { $days } dagen.

    Hebt u zich niet geregistreerd? Dan kunt u dit bericht negeren: het adres
    blijft dan onbevestigd.
links-reset-password-subject = Kies een nieuw wachtwoord voor { $shop }
links-reset-password-body =
    Goedendag,

    iemand heeft een nieuw wachtwoord aangevraagd voor uw account bij
    { $shop }.
    Hier kunt u het kiezen:

    { $link }

    De link is één keer te gebruiken, binnen { $minutes } minuten. Met een nieuw
    wachtwoord wordt u overal afgemeld.

    Hebt u dit niet aangevraagd? Dan kunt u dit bericht negeren: uw wachtwoord
    blijft zoals het is.

## Gasten

guests-have-no-account = U koopt als gast, zonder account waarvan het e-mailadres kan worden bevestigd.

# Support tickets.
support-tickets-too-many = U hebt al veel gevraagd. Wacht alstublieft tot wij hebben geantwoord.
