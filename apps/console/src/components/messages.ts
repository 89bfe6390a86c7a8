import { inBoth } from '../model/in-both.ts';

/** The texts of components that several screens use. */
export const messages = inBoth({
  copyAs: ['Copy as', 'Kopieren als'],
  forms: { curl: ['curl', 'curl'], hr: ['hr', 'hr'], typescript: ['TypeScript', 'TypeScript'] },
  copied: ['Copied as {form}.', 'Als {form} kopiert.'],
  copyYourself: ['Copy this text', 'Text kopieren'],
  copyKey: [
    'The browser does not allow this page to copy. Select the text and copy it.',
    'Der Browser erlaubt dieser Seite das Kopieren nicht. Markieren und kopieren Sie den Text selbst.',
  ],
  close: ['Close', 'Schließen'],
  previous: {
    day: ['Previous day', 'Voriger Tag'],
    month: ['Previous month', 'Voriger Monat'],
    quarter: ['Previous quarter', 'Voriges Quartal'],
  },
  next: {
    day: ['Next day', 'Nächster Tag'],
    month: ['Next month', 'Nächster Monat'],
    quarter: ['Next quarter', 'Nächstes Quartal'],
  },
  monthJump: {
    last: ['The last data are in {month}.', 'Die letzten Daten liegen im {month} vor.'],
    first: ['The first data are in {month}.', 'Die ersten Daten liegen im {month} vor.'],
    show: ['Go to {month}', '{month} anzeigen'],
  },
  team: {
    parts: {
      manager: ['Manager', 'Führungskraft'],
      group: ['Group', 'Gruppe'],
      entity: ['Legal entity', 'Gesellschaft'],
      place: ['Place of work', 'Arbeitsort'],
      status: ['Status', 'Status'],
    },
    all: {
      manager: ['All managers', 'Alle Führungskräfte'],
      group: ['All groups', 'Alle Gruppen'],
      entity: ['All legal entities', 'Alle Gesellschaften'],
      place: ['All places', 'Alle Arbeitsorte'],
      status: ['Any status', 'Jeder Status'],
    },
    choice: ['{name} ({count})', '{name} ({count})'],
  },
  missing: {
    title: ['This person is not here', 'Diese Person ist nicht vorhanden'],
    text: [
      'There is no person with the ID {id}. They were deleted, or the link is wrong.',
      'Zur ID {id} gibt es keine Person. Sie wurde gelöscht, oder der Link ist falsch.',
    ],
    link: ['Search in People', 'Zur Personensuche'],
  },
  thisConsole: ['This console', 'Diese Konsole'],
  commandLine: ['Command line', 'Kommandozeile'],
  ways: {
    console: ['this console', 'diese Konsole'],
    api: ['API', 'API'],
    import: ['import', 'Import'],
    'command-line': ['command line', 'Kommandozeile'],
  },
  importOf: ['import: {systems}', 'Import: {systems}'],
  together: ['together with another change', 'zusammen mit einer weiteren Änderung'],
  moreValues: ['{count} more', '{count} weitere'],
  draft: {
    saved: ['Draft saved {at}', 'Entwurf gespeichert {at}'],
    states: {
      saved: ['', ''],
      unsaved: ['Saving draft', 'Entwurf wird gespeichert'],
      failed: ['Not saved yet. The console tries again.', 'Noch nicht gespeichert. Die Konsole versucht es erneut.'],
      behind: ['Not saved yet', 'Noch nicht gespeichert'],
    },
    changed: [
      'This draft was changed in another tab, {at}',
      'Dieser Entwurf wurde in einem anderen Tab geändert, {at}',
    ],
    gone: [
      'This draft was sent or discarded in another tab',
      'Dieser Entwurf wurde in einem anderen Tab gesendet oder verworfen',
    ],
    showOther: ['Show the other version', 'Anderen Stand anzeigen'],
    showMine: ['Show my version', 'Eigenen Stand anzeigen'],
    keepShown: ['Keep the version shown', 'Angezeigten Stand behalten'],
    from: ['You have a draft from {at}: {what}', 'Sie haben einen Entwurf von {at}: {what}'],
    kinds: {
      address: ['Address of {name}', 'Anschrift von {name}'],
      bankDetails: ['Bank details of {name}', 'Bankverbindung von {name}'],
      payment: [() => 'One payment', () => 'Einzelne Zahlung'],
      table: [() => 'Table of payments', () => 'Tabelle mit Zahlungen'],
    },
    continue: ['Continue', 'Fortsetzen'],
    discard: ['Discard draft', 'Entwurf verwerfen'],
    discardForGood: ['Discard for good?', 'Endgültig verwerfen?'],
  },
  placeholders: { month: ['MM/YYYY', 'MM.JJJJ'], date: ['DD/MM/YYYY', 'TT.MM.JJJJ'] },
  field: {
    length: ['{length} of {max} characters', '{length} von {max} Zeichen'],
    spacesRemoved: ['Spaces were removed.', 'Leerzeichen wurden entfernt.'],
  },
});
