### What customers are told about gift wrapping.

gift-wrap-card-printed = The card for this product is printed already.
gift-wrap-not-offered = This product cannot be wrapped.
gift-wrap-paper-used-up = The gift paper that you have chosen is used up. Please choose another one.
gift-wrap-line = Gift wrapping: { $product }
gift-wrap-wish-changed = Your gift wrapping has changed. Please look at the order once more.
gift-wrap-mail-title = Gift wrapping
gift-wrap-mail = We wrap it as you have wished, with your card.
gift-wrap-chat-requested = A gift is to be wrapped
gift-wrap-panel-title = Gift wrapping
gift-wrap-panel-paper = Paper
gift-wrap-panel-message = Text of the card
gift-wrap-panel-wish = Wrap it as a gift
gift-wrap-panel-log-in = Log in to have it wrapped
