### Wat klanten over de voorraad lezen.

inventory-mail = Dit is op dit moment niet op voorraad. Wij verzenden het zodra wij het hebben.
