import { inBoth } from '../model/in-both.ts';

/** The texts of the palette. */
export const messages = inBoth({
  results: ['Results', 'Treffer'],
  loading: ['Reading the directory', 'Das Personenverzeichnis wird geladen'],
  failed: [
    'The directory cannot be read now. Pages and actions work.',
    'Das Personenverzeichnis ist gerade nicht abrufbar. Seiten und Aktionen funktionieren.',
  ],
  found: [
    (people: number, others: number) =>
      `${people} ${people === 1 ? 'person' : 'people'}, ${others} ${others === 1 ? 'page or action' : 'pages and actions'}`,
    (people: number, others: number) =>
      `${people} ${people === 1 ? 'Person' : 'Personen'}, ${others} ${others === 1 ? 'Seite oder Aktion' : 'Seiten und Aktionen'}`,
  ],
  allPeople: ['All {count} in People', 'Alle {count} unter Personen'],
  submitPayment: ['Submit a payment', 'Zahlung einreichen'],
  newSearch: ['New search in People', 'Neue Suche unter Personen'],
  language: ['Auf Deutsch anzeigen', 'Show in English'],
  light: ['Light appearance', 'Helle Darstellung'],
  dark: ['Dark appearance', 'Dunkle Darstellung'],
  help: ['↑ ↓ to choose, Enter to open, Esc to close', '↑ ↓ wählen, Eingabetaste öffnet, Esc schließt'],
});
