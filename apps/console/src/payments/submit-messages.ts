import { inBoth } from '../model/in-both.ts';

/** The texts of submitting payments: form, table, review and result. */
export const submitMessages = inBoth({
  way: ['Form or table', 'Formular oder Tabelle'],
  oneByForm: ['One payment', 'Einzelne Zahlung'],
  manyByTable: ['Several payments', 'Mehrere Zahlungen'],
  formHint: [
    'The API states no unit and no meaning for these values. Fill in at least one.',
    'Einheit und Bedeutung dieser Werte gibt die Schnittstelle nicht an. Füllen Sie mindestens einen aus.',
  ],
  contractHint: ['Search by name, or enter the ID.', 'Nach Name suchen oder Vertragsnummer eingeben.'],
  defaultPeriod: ['Empty: the billing period', 'Leer: Abrechnungsmonat'],
  review: ['Review', 'Weiter zur Prüfung'],
  paste: [
    'Paste rows from a spreadsheet or a CSV file',
    'Zeilen aus einer Tabellenkalkulation oder CSV-Datei einfügen',
  ],
  pasteHint: [
    'The first row may name the columns, in English or German. Without names, the order is: {columns}.',
    'Die erste Zeile kann die Spalten benennen, auf Deutsch oder Englisch. Ohne Namen gilt die Reihenfolge: {columns}.',
  ],
  pasteExample: [
    'Payroll contract\tBilling period\tComponent\tAmount\n1000-20001\t2026-11\t2400\t1,250.00',
    'Vertrag\tAbrechnungsmonat\tLohnart\tBetrag\n1000-20001\t11.2026\t2400\t1.250,00',
  ],
  readTable: ['Read table', 'Tabelle einlesen'],
  addRow: ['Add row', 'Zeile hinzufügen'],
  row: ['Row', 'Zeile'],
  remove: ['Remove row {n}', 'Zeile {n} entfernen'],
  cellOf: ['{name}, row {n}', '{name}, Zeile {n}'],
  unread: ['Columns that are not used: {names}', 'Nicht übernommene Spalten: {names}'],
  rowCount: [
    (all: number, unknown: number) =>
      unknown === 0 ? `${all} rows, all complete` : `${all} rows, ${unknown} of them for an unknown contract`,
    (all: number, unknown: number) =>
      unknown === 0 ? `${all} Zeilen, alle vollständig` : `${all} Zeilen, ${unknown} davon mit unbekanntem Vertrag`,
  ],
  faultyRows: [
    (n: number) => (n === 1 ? '1 row with faults' : `${n} rows with faults`),
    (n: number) => (n === 1 ? '1 Zeile mit Fehlern' : `${n} Zeilen mit Fehlern`),
  ],
  faultKeys: ['F8: next fault. Shift F8: previous fault.', 'F8: nächster Fehler. Umschalt F8: vorheriger Fehler.'],
  question: ['What does {text} mean?', 'Was bedeutet {text}?'],
  questionText: [
    'The table has a number that can be read in two ways. The answer holds for all such numbers.',
    'Die Tabelle enthält eine Zahl mit zwei Lesarten. Ihre Antwort gilt für alle solchen Zahlen.',
  ],
  decimalSigns: { point: ['decimal point', 'Dezimalpunkt'], comma: ['decimal comma', 'Dezimalkomma'] },
  unknownContract: ['Not in the local copy. Check the ID.', 'Nicht in der lokalen Kopie. Prüfen Sie die Nummer.'],
  faults: {
    required: ['Required', 'Pflichtfeld'],
    'ambiguous-number': ['Can be read in two ways', 'Hat zwei Lesarten'],
    'not-a-number': ['Not a number such as 1234.50', 'Keine Zahl wie 1234,50'],
    'out-of-range': ['The number is too large', 'Die Zahl ist zu groß'],
    'too-long': ['Too long', 'Zu lang'],
    'wrong-format': ['Not a month such as 2026-11', 'Kein Monat wie 11.2026'],
    'not-allowed': ['This ID cannot be sent', 'Diese Nummer kann nicht gesendet werden'],
    rule: ['Enter at least one value', 'Geben Sie mindestens einen Wert ein'],
    'surplus-cells': ['More cells than columns', 'Mehr Zellen als Spalten'],
    empty: ['The table has no payments.', 'Die Tabelle enthält keine Zahlungen.'],
    'too-many-rows': [
      'The table has more than 5000 rows. Submit it in parts.',
      'Die Tabelle hat mehr als 5000 Zeilen. Reichen Sie sie in Teilen ein.',
    ],
    'header-needed': [
      'Values separated by commas need a first row with the names of the columns.',
      'Durch Kommas getrennte Werte brauchen eine erste Zeile mit den Spaltennamen.',
    ],
    'missing-columns': ['Columns are missing: ', 'Es fehlen Spalten: '],
    'repeated-columns': ['Columns appear twice: ', 'Spalten kommen doppelt vor: '],
    quotes: [
      'A quotation mark is not closed, or text stands beside quotes.',
      'Ein Anführungszeichen ist nicht geschlossen, oder neben Anführungszeichen steht Text.',
    ],
  },
  otherFault: ['Not valid', 'Nicht gültig'],
  reviewTitle: ['Review before sending', 'Vor dem Senden prüfen'],
  reviewText: [
    'Nothing has been sent yet. The payments are submitted for approval.',
    'Es wurde noch nichts gesendet. Die Zahlungen werden zur Freigabe eingereicht.',
  ],
  batchName: ['Name of the batch', 'Name des Sammelauftrags'],
  batchNameHint: [
    'By it, approvers find the payments and compare the control totals.',
    'Damit finden Freigebende die Zahlungen und vergleichen die Kontrollsummen.',
  ],
  equalTitle: [
    (n: number) =>
      n === 1
        ? '1 payment equals one that was submitted already'
        : `${n} payments equal ones that were submitted already`,
    (n: number) =>
      n === 1 ? '1 Zahlung gleicht einer bereits eingereichten' : `${n} Zahlungen gleichen bereits eingereichten`,
  ],
  equalText: [
    'The service does not recognize duplicates. It may pay twice.',
    'Der Dienst erkennt keine Dubletten. Es kann doppelt gezahlt werden.',
  ],
  allowEqual: ['Submit them nevertheless. They are other payments.', 'Trotzdem einreichen. Es sind andere Zahlungen.'],
  isEqual: [
    (n: number) => (n === 1 ? 'Equals 1 payment' : `Equals ${n} payments`),
    (n: number) => (n === 1 ? 'Gleicht 1 Zahlung' : `Gleicht ${n} Zahlungen`),
  ],
  confirm: [
    (n: number) => (n === 1 ? 'I have checked this payment' : `I have checked these ${n} payments`),
    (n: number) => (n === 1 ? 'Ich habe diese Zahlung geprüft' : `Ich habe diese ${n} Zahlungen geprüft`),
  ],
  edit: ['Edit', 'Bearbeiten'],
  submit: [
    (n: number) => (n === 1 ? 'Submit 1 payment' : `Submit ${n} payments`),
    (n: number) => (n === 1 ? '1 Zahlung einreichen' : `${n} Zahlungen einreichen`),
  ],
  resultTitle: ['Result', 'Ergebnis'],
  progress: ['{done} of {n} payments processed', '{done} von {n} Zahlungen verarbeitet'],
  stopRejected: [
    'The service rejects every payment for the same reason, so the console sent no more.',
    'Der Dienst lehnt jede Zahlung aus demselben Grund ab. Deshalb wurden keine weiteren gesendet.',
  ],
  stopOther: ['The console could not send more payments.', 'Die Konsole konnte keine weiteren Zahlungen senden.'],
  correct: [
    (n: number) => (n === 1 ? 'Correct 1 payment and submit it' : `Correct ${n} payments and submit them`),
    (n: number) => (n === 1 ? '1 Zahlung korrigieren und einreichen' : `${n} Zahlungen korrigieren und einreichen`),
  ],
  discardUnsent: [
    (n: number) => (n === 1 ? 'Discard 1 payment that was not sent' : `Discard ${n} payments that were not sent`),
    (n: number) => (n === 1 ? '1 nicht gesendete Zahlung verwerfen' : `${n} nicht gesendete Zahlungen verwerfen`),
  ],
  submitMore: ['Submit more payments', 'Weitere Zahlungen einreichen'],
  sameBatch: [
    'Trying again with this review sends nothing twice.',
    'Ein erneuter Versuch mit dieser Prüfung sendet nichts doppelt.',
  ],
});

/** What is wrong with a cell or a table, by its code. */
export function faultText(
  { faults, otherFault }: typeof submitMessages.en,
  code: string | undefined,
): string | undefined {
  return code && ((faults as Readonly<Record<string, string>>)[code] ?? otherFault);
}
