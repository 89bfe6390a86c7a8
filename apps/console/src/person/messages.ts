import { inBoth } from '../model/in-both.ts';
import { personTexts } from '../components/person-texts.ts';

const own = inBoth({
  loading: ['Person', 'Person'],
  edit: ['Edit', 'Ändern'],
  editAddress: ['Edit address', 'Anschrift ändern'],
  editBankDetails: ['Edit bank details', 'Bankverbindung ändern'],
  tabs: {
    profile: ['Profile', 'Profil'],
    contracts: ['Contracts', 'Verträge'],
    time: ['Time', 'Zeiten'],
    absences: ['Absences', 'Abwesenheiten'],
    history: ['History', 'Verlauf'],
  },
  tabList: ['Data of the person', 'Daten der Person'],
  unknownPerson: ['Unknown person (ID {id})', 'Unbekannte Person (ID {id})'],
  sections: {
    identity: ['Person', 'Persönliche Angaben'],
    work: ['Work', 'Tätigkeit'],
    period: ['Entry and exit', 'Ein- und Austritt'],
  },
  noAddress: ['No address', 'Keine Anschrift hinterlegt'],
  hasBankDetails: ['There are bank details.', 'Eine Bankverbindung ist hinterlegt.'],
  noBankDetails: ['No bank details', 'Keine Bankverbindung hinterlegt'],
  noCustomFields: ['No custom fields', 'Keine Zusatzfelder'],
  showOrigin: ['Show source and last update', 'Herkunft und Stand anzeigen'],
  seen: ['{system}, seen {at}', '{system}, Stand {at}'],
  contracts: {
    caption: ['Payroll contracts', 'Abrechnungsverträge'],
    empty: ['No payroll contracts', 'Keine Abrechnungsverträge'],
    emptyHelp: [
      'Payroll has no contract that is mapped to this person.',
      'In der Abrechnung ist dieser Person kein Vertrag zugeordnet.',
    ],
    contract: ['Contract', 'Vertrag'],
    unknown: ['Unknown to payroll', 'In der Abrechnung unbekannt'],
    unknownHelp: [
      'The master data maps these contracts to the person, but payroll does not have them. Correct the mapping in the master system.',
      'Die Stammdaten ordnen der Person diese Verträge zu, in der Abrechnung fehlen sie. Bitte korrigieren Sie die Zuordnung im Stammdatensystem.',
    ],
  },
  time: {
    caption: ['The last {days} days with time data', 'Die letzten {days} Tage mit Zeitdaten'],
    empty: ['No time data', 'Keine Zeitdaten'],
    emptyHelp: [
      'There are no bookings of this person in the last two months.',
      'In den letzten zwei Monaten gibt es keine Buchungen dieser Person.',
    ],
    date: ['Day', 'Tag'],
    target: ['Target', 'Soll'],
    booked: ['Booked', 'Gebucht'],
    chargeable: ['Chargeable', 'Angerechnet'],
    bookings: ['Bookings with key', 'Buchungen mit Schlüssel'],
    more: ['All bookings', 'Alle Buchungen'],
  },
  absences: {
    caption: ['Absences, as the service has them now', 'Abwesenheiten, aktueller Stand des Dienstes'],
    empty: ['No absences', 'Keine Abwesenheiten'],
    emptyHelp: ['The service has no absence of this person.', 'Für diese Person liegen keine Abwesenheiten vor.'],
    start: ['From', 'Von'],
    end: ['To', 'Bis'],
    open: ['open', 'offen'],
    key: ['Booking key', 'Buchungsschlüssel'],
    amount: ['Amount', 'Umfang'],
    note: [
      'The service states neither the kind of an absence nor the unit of its amount.',
      'Der Dienst nennt weder die Art einer Abwesenheit noch die Einheit des Umfangs.',
    ],
    more: ['Timeline of all absences', 'Alle Abwesenheiten im Zeitverlauf'],
  },
  history: {
    caption: [
      'Who read or changed data of this person in the last {days} days',
      'Zugriffe auf diese Person und Änderungen der letzten {days} Tage',
    ],
    empty: ['No events', 'Keine Einträge'],
    emptyHelp: [
      'Nobody read or changed data of this person alone.',
      'Auf diese Person allein hat niemand zugegriffen.',
    ],
    at: ['When', 'Zeitpunkt'],
    who: ['Who', 'Wer'],
    what: ['What', 'Vorgang'],
    way: ['By way of', 'Weg'],
    times: ['{count} times', '{count}-mal'],
    ownReads: [
      'Show {count} reads that this console made by itself',
      '{count} Lesezugriffe anzeigen, die diese Konsole selbst ausgelöst hat',
    ],
    note: [
      'Values are known since this console has kept them, and for 90 days. Lists of all persons are recorded without names. They are on the screen System.',
      'Werte sind bekannt, seit diese Konsole sie aufbewahrt, und 90 Tage lang. Listen aller Personen werden ohne Namen protokolliert. Sie stehen auf der Seite System.',
    ],
    cut: ['Older events are on the screen System.', 'Ältere Einträge stehen auf der Seite System.'],
    refused: ['Refused: {what}', 'Abgelehnt: {what}'],
  },
});

/** The texts of a person's screen. */
export const messages = {
  en: { ...personTexts.en, ...own.en },
  de: { ...personTexts.de, ...own.de },
};
