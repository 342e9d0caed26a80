### Was Kundinnen und Kunden über den Bestand erfahren.

inventory-mail = Das ist im Moment nicht auf Lager. Wir verschicken es, sobald wir es haben.
