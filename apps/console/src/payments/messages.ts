import { inBoth } from '../model/in-both.ts';
import type { Resent, Settlement } from './settle-entries.ts';

export const messages = inBoth({
  title: ['Payments', 'Zahlungen'],
  readAt: ['As of {at}, names as of {names}', 'Datenstand {at}, Namen {names}'],
  submitTitle: ['Submit payments', 'Zahlungen einreichen'],
  back: ['Back to payments', 'Zurück zu den Zahlungen'],
  backToBatches: ['Back to batches', 'Zurück zu den Sammelaufträgen'],
  batches: ['Batches', 'Sammelaufträge'],
  batch: ['Batch', 'Sammelauftrag'],
  payment: ['Payment', 'Zahlung'],
  showBatch: ['Show its batch', 'Zum Sammelauftrag'],
  noBatchesTitle: ['No batches yet', 'Noch keine Sammelaufträge'],
  noBatchesText: [
    'Payments that are submitted together in this console appear here.',
    'Hier erscheinen Zahlungen, die in dieser Konsole gemeinsam eingereicht werden.',
  ],
  caption: ['Variable payments', 'Variable Zahlungen'],
  listHelp: ['Enter opens a row.', 'Die Eingabetaste öffnet eine Zeile.'],
  selectHelp: [
    'Enter opens a row, and Space selects it.',
    'Die Eingabetaste öffnet eine Zeile, die Leertaste wählt sie aus.',
  ],
  cells: {
    contractId: ['Payroll contract', 'Vertrag'],
    billingPeriod: ['Billing period', 'Abrechnungsmonat'],
    correctionPeriod: ['Correction period', 'Korrekturmonat'],
    compensationComponentId: ['Compensation component', 'Lohnart'],
    amount: ['Amount', 'Betrag'],
    hours: ['Hours', 'Stunden'],
    days: ['Days', 'Tage'],
    hourlyFactor: ['Hourly factor', 'Stundenfaktor'],
    percentage: ['Percentage', 'Prozentsatz'],
  },
  person: ['Person', 'Person'],
  row: ['Row', 'Zeile'],
  component: ['Component', 'Lohnart'],
  values: ['Values', 'Werte'],
  otherValues: ['Other values', 'Weitere Werte'],
  correctionOf: ['for {month}', 'für {month}'],
  sums: ['Sums by billing period and component', 'Summen nach Abrechnungsmonat und Lohnart'],
  controlTotals: ['Control totals', 'Kontrollsummen'],
  number: ['Payments', 'Anzahl'],
  sum: ['Total', 'Summe'],
  state: ['State', 'Status'],
  submitted: ['Submitted', 'Eingereicht'],
  submitter: ['Submitted by', 'Eingereicht von'],
  states: {
    submitted: ['Waiting for approval', 'Zur Freigabe'],
    approved: ['Approved', 'Freigegeben'],
    rejected: ['Rejected', 'Abgelehnt'],
    sending: ['Sending', 'Wird gesendet'],
    unknown: ['Outcome unknown', 'Ausgang unbekannt'],
    refused: ['Not accepted', 'Nicht angenommen'],
    'not-sent': ['Not sent', 'Nicht gesendet'],
  },
  stateHints: {
    submitted: [
      'Not on the payslip and not visible in the API until it is approved.',
      'Erscheint bis zur Freigabe weder auf der Abrechnung noch in der Schnittstelle.',
    ],
    approved: ['Visible in the API.', 'In der Schnittstelle sichtbar.'],
    rejected: ['An approver rejected it. It is not paid.', 'Die Freigabe wurde abgelehnt. Es wird nichts gezahlt.'],
    sending: ['The console is sending it right now.', 'Die Konsole sendet die Zahlung gerade.'],
    unknown: [
      'The service may have accepted this payment. The response did not arrive.',
      'Der Dienst hat die Zahlung möglicherweise angenommen. Seine Antwort ist nicht angekommen.',
    ],
    refused: [
      'The service did not accept the request. There is no payment.',
      'Der Dienst hat die Anfrage nicht angenommen. Es gibt keine Zahlung.',
    ],
    'not-sent': ['There is no payment.', 'Es gibt keine Zahlung.'],
  },
  all: ['All', 'Alle'],
  own: ['yours', 'eigene'],
  allPeriods: ['All billing periods', 'Alle Monate'],
  search: ['Search name or contract', 'Name oder Vertrag suchen'],
  searchHint: ['Name or contract', 'Name oder Vertrag'],
  count: [
    (n: string) => (n === '1' ? '1 payment' : `${n} payments`),
    (n: string) => (n === '1' ? '1 Zahlung' : `${n} Zahlungen`),
  ],
  noPersonName: ['Not in the local copy', 'Nicht in der lokalen Kopie'],
  unsentAlert: ['Payments of yours that were not sent: {n}', 'Ihre nicht gesendeten Zahlungen: {n}'],
  unsentAlertText: [
    'The service does not have them. Submit or discard them.',
    'Sie liegen dem Dienst nicht vor. Reichen Sie sie ein, oder verwerfen Sie sie.',
  ],
  show: ['Show', 'Anzeigen'],
  emptyTitle: ['No payments yet', 'Noch keine Zahlungen'],
  emptyText: [
    'Payments that are submitted for approval appear here.',
    'Hier erscheinen Zahlungen, die zur Freigabe eingereicht werden.',
  ],
  noMatchTitle: ['No payment matches', 'Keine passende Zahlung'],
  noMatchText: ['Change the filter or the search.', 'Ändern Sie den Filter oder die Suche.'],
  tooBroadTitle: ['Too many people match', 'Zu viele Personen passen'],
  tooBroadText: ['Enter more of the name, or the contract.', 'Geben Sie mehr vom Namen oder den Vertrag ein.'],
  clearFilter: ['Show all payments', 'Alle Zahlungen anzeigen'],
  select: ['Select the payment of {name}', 'Zahlung von {name} auswählen'],
  selectAll: [
    'Select all payments that you can decide on',
    'Alle Zahlungen auswählen, über die Sie entscheiden können',
  ],
  selected: ['{n} selected', '{n} ausgewählt'],
  clear: ['Clear selection', 'Auswahl aufheben'],
  approve: ['Approve', 'Freigeben'],
  reject: ['Reject', 'Ablehnen'],
  compareTotals: [
    'Compare these control totals with those that you were given',
    'Vergleichen Sie diese Kontrollsummen mit denen, die Ihnen vorliegen',
  ],
  batchChanged: [
    'Other payments of the batch wait now. Close this, and compare the control totals again.',
    'Inzwischen warten andere Zahlungen des Sammelauftrags. Schließen Sie den Dialog, und vergleichen Sie die Kontrollsummen erneut.',
  ],
  final: ['A decision is final.', 'Eine Entscheidung ist endgültig.'],
  reason: ['Reason', 'Begründung'],
  reasonOptional: ['Reason (optional)', 'Begründung (optional)'],
  reasonNeeded: [
    'Enter a reason. The decision is recorded with it.',
    'Geben Sie eine Begründung ein. Sie wird mit der Entscheidung gespeichert.',
  ],
  cancel: ['Cancel', 'Abbrechen'],
  close: ['Close', 'Schließen'],
  partly: ['{done} of {n} decisions took effect', '{done} von {n} Entscheidungen wurden wirksam'],
  result: ['Result', 'Ergebnis'],
  decisionStates: {
    failed: ['Failed', 'Fehlgeschlagen'],
    'not-sent': ['Not decided, because it was stopped', 'Nicht entschieden, weil angehalten wurde'],
    interrupted: [
      'The console ended before it knew. The list shows whether it is decided.',
      'Die Konsole wurde vorher beendet. Die Liste zeigt, ob entschieden ist.',
    ],
  },
  deciding: ['{done} of {n} decided', '{done} von {n} entschieden'],
  stop: ['Stop', 'Anhalten'],
  stopHint: ['Those that are sent already take effect.', 'Was schon gesendet ist, wird wirksam.'],
  decisionsForgotten: [
    'The console does not have these decisions any more. The list shows which payments are decided.',
    'Die Konsole hat diese Entscheidungen nicht mehr. Die Liste zeigt, über welche Zahlungen entschieden ist.',
  ],
  decidedBefore: [
    (state: string, who: string, at: string) => `${state} before by ${who}, ${at}`,
    (state: string, who: string, at: string) => `Bereits ${state.toLowerCase()} von ${who}, ${at}`,
  ],
  barTitle: ['You cannot decide on it', 'Darüber können Sie nicht entscheiden'],
  bars: {
    own: [
      'You submitted it or sent it again. Another person must decide.',
      'Sie haben eingereicht oder erneut gesendet. Eine andere Person muss entscheiden.',
    ],
    'no-right': [
      'You may not decide on payments of this person.',
      'Sie dürfen über Zahlungen dieser Person nicht entscheiden.',
    ],
    'unknown-submitter': [
      'The console does not know who submitted it with its client, so it may be you. An operator decides on it by the command line of the service.',
      'Die Konsole weiß nicht, wer mit ihrem Client eingereicht hat. Das können Sie selbst sein. Der Betrieb entscheidet über die Kommandozeile des Dienstes.',
    ],
  },
  noApprover: [
    'Only people with the role Approver decide on payments.',
    'Für die Freigabe fehlt Ihnen die Berechtigung.',
  ],
  costCenter: ['Master cost center', 'Stammkostenstelle'],
  timeline: ['Timeline', 'Verlauf'],
  sent: ['Sent', 'Gesendet'],
  by: [(who: string) => `by ${who}`, (who: string) => `von ${who}`],
  via: ['{person} (client {client})', '{person} (Client {client})'],
  client: ['client {client}', 'Client {client}'],
  requestId: ['Request ID', 'Anfrage-ID'],
  unlisted: [
    'The service accepted this payment, but its list does not contain it. Ask the operator.',
    'Der Dienst hat die Zahlung angenommen, führt sie aber nicht. Wenden Sie sich an den Betrieb.',
  ],
  unknownAlert: ['Payments with an unknown outcome: {n}', 'Zahlungen mit unbekanntem Ausgang: {n}'],
  unknownAlertText: [
    'Do not enter them again. Ask the service which of them it has.',
    'Erfassen Sie diese nicht noch einmal. Fragen Sie den Dienst, welche davon ihm vorliegen.',
  ],
  settled: ['No outcome is unknown any more', 'Kein Ausgang ist mehr unbekannt'],
  settle: ['Settle all', 'Alle klären'],
  settlement: [
    ({ accepted, notAccepted, unknown }: Settlement) =>
      `The service has ${accepted} of them, cannot get ${notAccepted} any more, and may still get ${unknown}.`,
    ({ accepted, notAccepted, unknown }: Settlement) =>
      `Dem Dienst liegen ${accepted} davon vor. ${notAccepted} können nicht mehr eintreffen, ${unknown} noch.`,
  ],
  resend: ['Send again: {n}', 'Erneut senden: {n}'],
  resendHint: [
    'None of them is paid twice, even if the first request arrives.',
    'Keine davon wird doppelt gezahlt, auch wenn die erste Anfrage ankommt.',
  ],
  resent: [
    ({ sent, refused, unknown }: Resent) =>
      `Sent again: ${sent} accepted, ${refused} not accepted, ${unknown} unknown.`,
    ({ sent, refused, unknown }: Resent) =>
      `Erneut gesendet: ${sent} angenommen, ${refused} nicht angenommen, ${unknown} unbekannt.`,
  ],
  refusedResend: [
    'Sending it again makes a new payment. Mend the cause first.',
    'Erneutes Senden erzeugt eine neue Zahlung. Beheben Sie zuerst die Ursache.',
  ],
  noEditor: ['Only people with the role Editor settle it.', 'Für die Klärung fehlt Ihnen die Berechtigung.'],
  codes: {
    'not-found': ['The service does not know the contract.', 'Der Dienst kennt den Vertrag nicht.'],
    'invalid-request': ['The service rejected values of the payment.', 'Der Dienst hat Werte der Zahlung abgelehnt.'],
    forbidden: ['The console may not submit payments.', 'Die Konsole darf keine Zahlungen einreichen.'],
    unauthorized: [
      'The service rejected the sign-in of the console.',
      'Der Dienst hat die Anmeldung der Konsole abgelehnt.',
    ],
    'rate-limited': ['The service received too many requests.', 'Der Dienst hat zu viele Anfragen erhalten.'],
    network: ['The connection broke.', 'Die Verbindung ist abgebrochen.'],
    timeout: ['No response in time.', 'Keine rechtzeitige Antwort.'],
    'server-error': ['The service failed.', 'Im Dienst ist ein Fehler aufgetreten.'],
  },
  otherCode: ['Reason: {code}', 'Ursache: {code}'],
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
    'no-right': [
      'You may not submit payments for this contract',
      'Für diesen Vertrag dürfen Sie keine Zahlungen einreichen',
    ],
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
