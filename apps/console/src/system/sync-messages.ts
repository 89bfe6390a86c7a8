interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly erased: number;
}

type FormatNumber = (value: number) => string;

/** The texts of the section Sync. */
export const syncMessages = {
  en: {
    collections: { persons: 'Persons', bookings: 'Days with time bookings', absences: 'Absences' },
    syncedAt: 'Last read',
    fullSyncedAt: 'Read completely',
    actions: { changes: 'Read changes now', drift: 'Check drift', full: 'Read everything again' },
    cancel: 'Cancel',
    fullTitle: (collection: string) => `Read everything again: ${collection}`,
    fullText: 'This reads the complete list, and deletes the rows that the service no longer has. It can take minutes.',
    anyShrink: 'Even if more than 10 % of the rows are deleted',
    anyShrinkText: 'Without this, a list that is too short changes nothing. Check drift first.',
    done: ({ added, changed, deleted, erased }: Counts, number: FormatNumber) =>
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
    noDrift: (rows: string) => `No drift: all ${rows} rows are equal to those of the service.`,
    drift: (rows: string) => `${rows} rows differ from those of the service`,
    driftText: 'Nothing was stored. To accept the service\u2019s state, read changes or read everything again.',
    driftTable: 'Rows that differ',
    difference: 'Difference',
    kinds: {
      added: 'Missing in the copy',
      changed: 'Different',
      deleted: 'Not in the service',
      erased: 'Erased in the service',
    },
    id: 'ID',
    fields: 'Fields',
    more: (rows: string) => `And ${rows} more.`,
    runs: 'Past runs',
    noRuns: 'No run yet',
    noRunsText: 'The first one begins as soon as the service answers.',
    startedAt: 'Start',
    collection: 'What',
    kind: 'Kind',
    full: 'Everything',
    changes: 'Changes',
    result: 'Result',
    failed: 'Failed',
    duration: 'Duration',
    milliseconds: (value: string) => `${value} ms`,
    errors: {
      'list-too-short': 'More than 10 % of the rows are missing in the service\u2019s list, so nothing was stored.',
      'sync-running': 'Another program writes to the local copy.',
      'no-persons': 'Persons have to be read first.',
      'token-unavailable': 'The service issued no access token.',
      unauthorized: 'The service rejected the access token.',
      forbidden: 'The client of the console may not use this operation.',
      conflict: 'The service cannot do this in its current state.',
      'rate-limited': 'Too many requests.',
      'server-error': 'The service failed.',
      'untrusted-certificate': 'The certificate of the service is not trusted.',
      network: 'No connection to the service, or it broke.',
      timeout: 'The service did not respond in time.',
      aborted: 'The console stopped.',
      'invalid-response': 'The response of the service violates the specification.',
      unknown: 'Unexpected error.',
    },
  },
  de: {
    collections: { persons: 'Personen', bookings: 'Tage mit Zeitbuchungen', absences: 'Abwesenheiten' },
    syncedAt: 'Zuletzt gelesen',
    fullSyncedAt: 'Vollständig gelesen',
    actions: { changes: 'Änderungen jetzt lesen', drift: 'Abweichungen prüfen', full: 'Alles neu lesen' },
    cancel: 'Abbrechen',
    fullTitle: (collection: string) => `Alles neu lesen: ${collection}`,
    fullText:
      'Liest die vollständige Liste und löscht Datensätze, die der Dienst nicht mehr hat. Das kann einige Minuten dauern.',
    anyShrink: 'Auch wenn dabei mehr als 10 % der Datensätze gelöscht werden',
    anyShrinkText: 'Sonst ändert eine zu kurze Liste nichts. Prüfen Sie zuerst die Abweichungen.',
    done: ({ added, changed, deleted, erased }: Counts, number: FormatNumber) =>
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
    noDrift: (rows: string) => `Keine Abweichungen: Alle ${rows} Datensätze stimmen mit dem Dienst überein.`,
    drift: (rows: string) => `Datensätze mit Abweichungen: ${rows}`,
    driftText:
      'Es wurde nichts gespeichert. Um den Stand des Dienstes zu übernehmen, lesen Sie die Änderungen oder alles neu.',
    driftTable: 'Abweichende Datensätze',
    difference: 'Abweichung',
    kinds: {
      added: 'Fehlt in der Kopie',
      changed: 'Unterschiedlich',
      deleted: 'Fehlt im Dienst',
      erased: 'Im Dienst endgültig gelöscht',
    },
    id: 'ID',
    fields: 'Felder',
    more: (rows: string) => `Und ${rows} weitere.`,
    runs: 'Bisherige Läufe',
    noRuns: 'Noch kein Lauf',
    noRunsText: 'Der erste beginnt, sobald der Dienst antwortet.',
    startedAt: 'Beginn',
    collection: 'Bestand',
    kind: 'Umfang',
    full: 'Vollständig',
    changes: 'Änderungen',
    result: 'Ergebnis',
    failed: 'Fehlgeschlagen',
    duration: 'Dauer',
    milliseconds: (value: string) => `${value} ms`,
    errors: {
      'list-too-short': 'In der Liste des Dienstes fehlen mehr als 10 % der Datensätze. Es wurde nichts gespeichert.',
      'sync-running': 'Ein anderes Programm schreibt in die lokale Kopie.',
      'no-persons': 'Zuerst müssen die Personen gelesen werden.',
      'token-unavailable': 'Der Dienst hat kein Zugriffstoken ausgestellt.',
      unauthorized: 'Der Dienst hat das Zugriffstoken abgelehnt.',
      forbidden: 'Der Client der Konsole ist für diese Funktion nicht berechtigt.',
      conflict: 'Der Dienst kann dies in seinem aktuellen Zustand nicht ausführen.',
      'rate-limited': 'Zu viele Anfragen.',
      'server-error': 'Im Dienst ist ein Fehler aufgetreten.',
      'untrusted-certificate': 'Das Zertifikat des Dienstes ist nicht vertrauenswürdig.',
      network: 'Keine Verbindung zum Dienst, oder sie wurde unterbrochen.',
      timeout: 'Der Dienst hat nicht rechtzeitig geantwortet.',
      aborted: 'Die Konsole wurde beendet.',
      'invalid-response': 'Die Antwort des Dienstes entspricht nicht der Spezifikation.',
      unknown: 'Unerwarteter Fehler.',
    },
  },
};
