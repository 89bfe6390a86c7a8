import { inBoth } from '../model/in-both.ts';

interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly erased: number;
}

type FormatNumber = (value: number) => string;

/** The texts of the section Sync. */
export const syncMessages = inBoth({
  collections: {
    persons: ['Persons', 'Personen'],
    bookings: ['Days with time bookings', 'Tage mit Zeitbuchungen'],
    absences: ['Absences', 'Abwesenheiten'],
  },
  syncedAt: ['Last read', 'Zuletzt gelesen'],
  fullSyncedAt: ['Read completely', 'Vollständig gelesen'],
  actions: {
    changes: ['Read changes now', 'Änderungen jetzt lesen'],
    drift: ['Check drift', 'Abweichungen prüfen'],
    full: ['Read everything again', 'Alles neu lesen'],
  },
  running: {
    changes: ['Reading changes.', 'Änderungen werden gelesen.'],
    drift: ['Comparing with the service.', 'Der Vergleich mit dem Dienst läuft.'],
    full: ['Reading everything.', 'Alles wird gelesen.'],
  },
  progress: ['{done} of about {total}', '{done} von etwa {total}'],
  failedActions: {
    changes: ['Changes were not read', 'Änderungen wurden nicht gelesen'],
    drift: ['Drift was not checked', 'Abweichungen wurden nicht geprüft'],
    full: ['Nothing was read again', 'Es wurde nichts neu gelesen'],
  },
  cancel: ['Cancel', 'Abbrechen'],
  fullTitle: ['Read everything again: {collection}', 'Alles neu lesen: {collection}'],
  fullText: [
    'This reads the complete list, and deletes the rows that the service no longer has. It can take minutes.',
    'Liest die vollständige Liste und löscht Datensätze, die der Dienst nicht mehr hat. Das kann einige Minuten dauern.',
  ],
  anyShrink: [
    'Even if more than 10 % of the rows are deleted',
    'Auch wenn dabei mehr als 10 % der Datensätze gelöscht werden',
  ],
  anyShrinkText: [
    'Without this, a list that is too short changes nothing. Check drift first.',
    'Sonst ändert eine zu kurze Liste nichts. Prüfen Sie zuerst die Abweichungen.',
  ],
  done: [
    ({ added, changed, deleted, erased }: Counts, number: FormatNumber) =>
      added + changed + deleted + erased === 0
        ? 'No changes'
        : [
            added > 0 && `${number(added)} added`,
            changed > 0 && `${number(changed)} changed`,
            deleted > 0 && `${number(deleted)} deleted`,
            erased > 0 && `${number(erased)} erased`,
          ]
            .filter(Boolean)
            .join(', '),
    ({ added, changed, deleted, erased }: Counts, number: FormatNumber) =>
      added + changed + deleted + erased === 0
        ? 'Keine Änderungen'
        : [
            added > 0 && `${number(added)} neu`,
            changed > 0 && `${number(changed)} geändert`,
            deleted > 0 && `${number(deleted)} entfernt`,
            erased > 0 && `${number(erased)} endgültig gelöscht`,
          ]
            .filter(Boolean)
            .join(', '),
  ],
  noDrift: [
    'No drift: all {rows} rows are equal to those of the service.',
    'Keine Abweichungen: Alle {rows} Datensätze stimmen mit dem Dienst überein.',
  ],
  drift: ['{rows} rows differ from those of the service', 'Datensätze mit Abweichungen: {rows}'],
  driftText: [
    'Nothing was stored. To accept the service\u2019s state, read changes or read everything again.',
    'Es wurde nichts gespeichert. Um den Stand des Dienstes zu übernehmen, lesen Sie die Änderungen oder alles neu.',
  ],
  driftTable: ['Rows that differ', 'Abweichende Datensätze'],
  difference: ['Difference', 'Abweichung'],
  kinds: {
    added: ['Missing in the copy', 'Fehlt in der Kopie'],
    changed: ['Different', 'Unterschiedlich'],
    deleted: ['Not in the service', 'Fehlt im Dienst'],
    erased: ['Erased in the service', 'Im Dienst endgültig gelöscht'],
  },
  id: ['ID', 'ID'],
  fields: ['Fields', 'Felder'],
  more: ['And {rows} more.', 'Und {rows} weitere.'],
  runs: ['Past runs', 'Bisherige Läufe'],
  noRuns: ['No run yet', 'Noch kein Lauf'],
  noRunsText: [
    'The first one begins as soon as the service answers.',
    'Der erste beginnt, sobald der Dienst antwortet.',
  ],
  startedAt: ['Start', 'Beginn'],
  collection: ['What', 'Bestand'],
  kind: ['Kind', 'Umfang'],
  full: ['Everything', 'Vollständig'],
  changes: ['Changes', 'Änderungen'],
  result: ['Result', 'Ergebnis'],
  failed: ['Failed', 'Fehlgeschlagen'],
  duration: ['Duration', 'Dauer'],
  milliseconds: ['{value} ms', '{value} ms'],
  errors: {
    'list-too-short': [
      'More than 10 % of the rows are missing in the service\u2019s list, so nothing was stored.',
      'In der Liste des Dienstes fehlen mehr als 10 % der Datensätze. Es wurde nichts gespeichert.',
    ],
    'cannot-write': [
      'The disk of the console is full, read-only or damaged. Nothing was stored.',
      'Der Datenträger der Konsole ist voll, schreibgeschützt oder beschädigt. Es wurde nichts gespeichert.',
    ],
    'sync-running': ['Another program writes to the local copy.', 'Ein anderes Programm schreibt in die lokale Kopie.'],
    'no-persons': ['Persons have to be read first.', 'Zuerst müssen die Personen gelesen werden.'],
    'token-unavailable': ['The service issued no access token.', 'Der Dienst hat kein Zugriffstoken ausgestellt.'],
    unauthorized: ['The service rejected the access token.', 'Der Dienst hat das Zugriffstoken abgelehnt.'],
    forbidden: [
      'The client of the console may not use this operation.',
      'Der Client der Konsole ist für diese Funktion nicht berechtigt.',
    ],
    conflict: [
      'The service cannot do this in its current state.',
      'Der Dienst kann dies in seinem aktuellen Zustand nicht ausführen.',
    ],
    'rate-limited': ['Too many requests.', 'Zu viele Anfragen.'],
    'server-error': ['The service failed.', 'Im Dienst ist ein Fehler aufgetreten.'],
    'untrusted-certificate': [
      'The certificate of the service is not trusted.',
      'Das Zertifikat des Dienstes ist nicht vertrauenswürdig.',
    ],
    network: [
      'No connection to the service, or it broke.',
      'Keine Verbindung zum Dienst, oder sie wurde unterbrochen.',
    ],
    timeout: ['The service did not respond in time.', 'Der Dienst hat nicht rechtzeitig geantwortet.'],
    aborted: ['The console stopped.', 'Die Konsole wurde beendet.'],
    'invalid-response': [
      'The response of the service violates the specification.',
      'Die Antwort des Dienstes entspricht nicht der Spezifikation.',
    ],
    unknown: ['Unexpected error.', 'Unerwarteter Fehler.'],
  },
});
