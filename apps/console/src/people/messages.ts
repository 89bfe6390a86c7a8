import { inBoth } from '../model/in-both.ts';

/** The texts of the directory. The backend uses those of its export. */
export const messages = inBoth({
  searchLabel: [
    'Search by name, number, job title or contract',
    'Nach Name, Personalnummer, Stelle oder Vertrag suchen',
  ],
  searchPlaceholder: ['Search people', 'Personen suchen'],
  clearSearch: ['Clear the search', 'Suche löschen'],
  missing: ['Missing data', 'Fehlende Angaben'],
  nothingMissing: ['With and without gaps', 'Mit und ohne Lücken'],
  count: ['{shown} of {all}', '{shown} von {all}'],
  export: ['Export CSV ({count})', 'CSV-Export ({count})'],
  title: ['People', 'Personen'],
  listHelp: [
    'Arrow keys move, Enter opens the person, Space opens the side panel, Escape closes it, and the slash key leads to the search.',
    'Pfeiltasten wechseln die Zeile, die Eingabetaste öffnet die Person, die Leertaste die Seitenleiste, Escape schließt sie, und die Schrägstrichtaste führt zur Suche.',
  ],
  name: ['Name', 'Name'],
  number: ['Number', 'Personal-Nr.'],
  groupNames: ['Group names', 'Gruppennamen'],
  fileName: ['people', 'personen'],
  nobody: ['There are no people yet', 'Es sind noch keine Personen vorhanden'],
  nobodyHelp: [
    'They appear here as soon as the service has them.',
    'Sie erscheinen hier, sobald sie im Dienst vorliegen.',
  ],
  noMatch: ['Nobody matches', 'Kein Treffer'],
  noMatchHelp: [
    'Check the spelling, or clear the search and the filters.',
    'Prüfen Sie die Schreibweise, oder setzen Sie Suche und Filter zurück.',
  ],
  clear: ['Clear search and filters', 'Suche und Filter zurücksetzen'],
  panel: {
    label: ['Side panel: {name}', 'Seitenleiste: {name}'],
    loading: ['Side panel', 'Seitenleiste'],
    close: ['Close the side panel', 'Seitenleiste schließen'],
    open: ['Open person', 'Person öffnen'],
    team: ['Show team ({count})', 'Team anzeigen ({count})'],
  },
});
