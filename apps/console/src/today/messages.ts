import { inBoth } from '../model/in-both.ts';

/** The texts of the screen Today. */
export const messages = inBoth({
  title: ['Today', 'Heute'],
  away: ['Away today', 'Heute abwesend'],
  awayAll: [
    (count: number, text: string) => (count === 1 ? 'Show in absences' : `Show all ${text} in absences`),
    (count: number, text: string) =>
      count === 1 ? 'In den Abwesenheiten anzeigen' : `Alle ${text} in den Abwesenheiten anzeigen`,
  ],
  awayNone: ['Nobody is away today', 'Heute ist niemand abwesend'],
  awayNoneHint: [
    'People appear here when an absence includes today.',
    'Hier stehen Personen, deren Abwesenheit den heutigen Tag einschließt.',
  ],
  awayReading: [
    'Absences are being read for the first time. They appear by themselves.',
    'Die Abwesenheiten werden erstmals abgerufen und erscheinen von selbst.',
  ],
  until: ['until {date}', 'bis {date}'],
  onlyToday: ['only today', 'nur heute'],
  openEnd: ['open end', 'Ende offen'],
  key: ['Key {key}', 'Schlüssel {key}'],
  noKey: ['No key', 'Ohne Schlüssel'],
  payments: ['Payments to approve', 'Zahlungen zur Freigabe'],
  paymentsWaiting: [
    (count: number): string => (count === 1 ? 'payment waits for approval' : 'payments wait for approval'),
    (count: number): string => (count === 1 ? 'Zahlung wartet auf Freigabe' : 'Zahlungen warten auf Freigabe'),
  ],
  paymentsNone: ['No payment waits for approval', 'Keine Zahlung wartet auf Freigabe'],
  paymentsSince: ['The oldest since {at}', 'Die älteste seit {at}'],
  decide: ['Approve or reject', 'Freigeben oder ablehnen'],
  showPayments: ['Show payments', 'Zahlungen anzeigen'],
  unknown: [
    (count: number, text: string) =>
      count === 1 ? 'One payment has an unknown outcome' : `${text} payments have an unknown outcome`,
    (count: number, text: string) =>
      count === 1 ? 'Bei einer Zahlung ist der Ausgang unbekannt' : `Bei ${text} Zahlungen ist der Ausgang unbekannt`,
  ],
  unknownHint: [
    'The service may have accepted them, the oldest on {at}. Do not enter them again: check first whether they wait for approval or are approved.',
    'Der Dienst hat sie möglicherweise angenommen, die älteste am {at}. Erfassen Sie sie nicht erneut: Prüfen Sie zuerst, ob sie zur Freigabe vorliegen oder freigegeben sind.',
  ],
  unknownAction: ['Check these payments', 'Diese Zahlungen prüfen'],
  starting: ['Starting and leaving', 'Eintritte und Austritte'],
  startingHint: ['In the next 30 days', 'In den nächsten 30 Tagen'],
  starts: ['Starts', 'Eintritt'],
  leaves: ['Leaves', 'Austritt'],
  startingNone: ['Nobody starts or leaves in the next 30 days', 'Keine Ein- oder Austritte in den nächsten 30 Tagen'],
  changes: ['Latest changes', 'Letzte Änderungen'],
  changesHint: ['In the last 7 days', 'In den letzten 7 Tagen'],
  changesNone: ['No change in the last 7 days', 'Keine Änderung in den letzten 7 Tagen'],
  moreTimes: ['{count} changes', '{count} Änderungen'],
  morePeople: ['{count} more', '{count} weitere'],
  personWithId: ['Person {id}', 'Person {id}'],
  missing: ['Missing data', 'Fehlende Angaben'],
  missingHint: ['Of {count} active people', 'Von {count} aktiven Personen'],
  missingNone: ['Nothing is missing', 'Es fehlt nichts'],
  data: ['State of the data', 'Datenstand'],
  collections: {
    persons: ['Persons', 'Personen'],
    bookings: ['Time bookings', 'Zeitbuchungen'],
    absences: ['Absences', 'Abwesenheiten'],
  },
  states: {
    starting: ['Data is being read for the first time', 'Daten werden erstmals abgerufen'],
    syncing: ['Changes are being read', 'Änderungen werden abgerufen'],
    current: ['Current', 'Aktuell'],
    failed: ['Out of date', 'Nicht aktuell'],
  },
  asOf: ['as of {at}', 'Stand {at}'],
  never: ['not read yet', 'noch nicht abgerufen'],
  failedRun: ['last attempt failed: {code}', 'letzter Versuch fehlgeschlagen: {code}'],
  toSystem: ['Show sync runs', 'Synchronisationen anzeigen'],
  partFailed: [
    'This part cannot be shown now. The others are complete.',
    'Dieser Bereich kann gerade nicht angezeigt werden. Die anderen sind vollständig.',
  ],
});
