/** What the demo's shop is made of: a roaster that sells coffee and what belongs to it, to people and to offices. */
export const firstNames = [
  'Ada', 'Amara', 'Anton', 'Beatriz', 'Ben', 'Chiara', 'Clara', 'Dario', 'Elif', 'Emil', 'Farah', 'Felix', 'Freya', 'Greta', 'Hannah', 'Hugo', 'Ines', 'Ivo', 'Jana', 'Jonas',
  'Kofi', 'Lea', 'Luis', 'Maja', 'Mateo', 'Mina', 'Nils', 'Noor', 'Oskar', 'Paula', 'Rafael', 'Rosa', 'Samir', 'Selma', 'Sven', 'Tara', 'Theo', 'Vera', 'Wanda', 'Yusuf',
] as const;

export const lastNames = [
  'Almeida', 'Bauer', 'Becker', 'Berg', 'Brandt', 'Costa', 'Demir', 'Engel', 'Fischer', 'Garcia', 'Hansen', 'Hoffmann', 'Ivanova', 'Jensen', 'Kaya', 'Keller', 'Klein', 'Lange',
  'Lindholm', 'Marino', 'Mensah', 'Nowak', 'Okafor', 'Olsen', 'Peters', 'Petrov', 'Quist', 'Richter', 'Rossi', 'Schmidt', 'Silva', 'Sommer', 'Tanaka', 'Vogel', 'Weber', 'Winter',
] as const;

export const companies = [
  ['Nordwind Logistik', 'nordwind-logistik'], ['Atelier Sommer', 'atelier-sommer'], ['Hafen Studios', 'hafen-studios'], ['Blaue Stunde Verlag', 'blaue-stunde'], ['Kranich Software', 'kranich-software'],
  ['Lumen Architekten', 'lumen-architekten'], ['Praxis am Markt', 'praxis-am-markt'], ['Velo Werkstatt', 'velo-werkstatt'], ['Grünthal Energie', 'gruenthal-energie'], ['Mühlbach Textil', 'muehlbach-textil'],
  ['Papier & Tinte', 'papier-und-tinte'], ['Silberfuchs Film', 'silberfuchs-film'], ['Ostsee Charter', 'ostsee-charter'], ['Bergwerk Coworking', 'bergwerk-coworking'], ['Zimt & Zucker Catering', 'zimt-zucker'],
  ['Fjord Analytics', 'fjord-analytics'], ['Waldkita Eichhorn', 'waldkita-eichhorn'], ['Stadtgarten eG', 'stadtgarten'], ['Tonspur Media', 'tonspur-media'], ['Kompass Recht', 'kompass-recht'],
  ['Halle Sieben', 'halle-sieben'], ['Morgenrot Yoga', 'morgenrot-yoga'], ['Anker Versicherung', 'anker-versicherung'], ['Libelle Apotheke', 'libelle-apotheke'],
] as const;

export const cities = ['Berlin', 'Hamburg', 'Leipzig', 'Köln', 'München', 'Dresden', 'Bremen', 'Freiburg', 'Kiel', 'Rostock'] as const;
export const channels = ['web', 'phone', 'marketplace'] as const;

/** Name, article number, price in euros. */
export const products = [
  ['House blend, 1 kg', 'CB-100', 24.9], ['Espresso Sicilia, 1 kg', 'CE-110', 27.5], ['Ethiopia Sidamo, 500 g', 'CF-120', 18.9], ['Decaf, 500 g', 'CD-130', 16.4], ['Cold brew bags, 10', 'CB-140', 14.9],
  ['Hand grinder', 'GR-200', 89], ['Electric grinder', 'GR-210', 229], ['Scale with timer', 'SC-220', 45.5], ['Dripper, ceramic', 'DR-230', 26], ['Paper filters, 100', 'FI-240', 6.9],
  ['French press, 1 l', 'FP-250', 39], ['Espresso machine', 'EM-300', 649], ['Milk jug', 'MJ-310', 22.5], ['Cups, set of 6', 'CU-320', 48], ['Cleaning tablets', 'CL-330', 12.9],
] as const;
