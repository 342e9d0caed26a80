### Texts about the accounts of customers.

## The pages that links of mails lead to

links-verify-heading = Confirm your e-mail address
links-verify-explanation = Please press the button to confirm that this e-mail address is yours.
links-verify-button = Confirm address
links-verified = Thank you. Your e-mail address is confirmed.
links-reset-heading = Choose a new password
links-new-password = New password
links-reset-explanation = At least 10 characters. You will be logged out everywhere.
links-reset-button = Change password
links-password-changed = Your password is changed. You can log in with it now.

## The mails that bring links

links-verify-email-subject = Please confirm your e-mail address for { $shop }
links-verify-email-body =
    Hello,

    this e-mail address was used to register at
    { $shop }.
    Please confirm that it is yours:

    { $link }

    The link can be used once, within { $days } days.

    If you did not register, please ignore this message: the address then stays
    unconfirmed.
links-reset-password-subject = Choose a new password for { $shop }
links-reset-password-body =
    Hello,

    somebody has asked for a new password for your account at
    { $shop }.
    You can choose it here:

    { $link }

    The link can be used once, within { $minutes } minutes. Choosing a new password
    logs you out everywhere.

    If you did not ask for it, please ignore this message: your password stays as
    it is.

## Guests

guests-have-no-account = You are buying as a guest, without an account whose e-mail address could be confirmed.

# Support tickets.
support-tickets-too-many = You have asked a lot already. Please wait until we have answered.
