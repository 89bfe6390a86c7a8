import { inBoth } from '../model/in-both.ts';

export const messages = inBoth({
  contract: ['Contract {id}', 'Vertrag {id}'],
  unknownOwner: [
    'The local copy does not have this contract yet.',
    'Der Vertrag ist in der lokalen Kopie noch nicht enthalten.',
  ],
  notFound: ['The service does not know this contract', 'Dieser Vertrag ist dem Dienst nicht bekannt'],
  notFoundReason: [
    'It has no payroll record with this number, or no person is assigned to it. Open the contract from its person.',
    'In der Abrechnung gibt es keinen Stammsatz mit dieser Nummer, oder er ist keiner Person zugeordnet. Öffnen Sie den Vertrag über die Person.',
  ],
  people: ['Open People', 'Personen öffnen'],
  employment: ['Employment', 'Beschäftigung'],
  asOf: ['As of {at}', 'Datenstand {at}'],
  otherContracts: ['Other contracts', 'Weitere Verträge'],
  salary: ['Salary history', 'Gehaltsverlauf'],
  noCurrency: [
    'The service states no currency, so amounts have none.',
    'Der Dienst gibt keine Währung an, daher stehen alle Beträge ohne Währung.',
  ],
  from: ['First month', 'Von Monat'],
  to: ['Last month', 'Bis Monat'],
  latest: ['Latest 24 months', 'Letzte 24 Monate'],
  complete: ['Complete history', 'Gesamter Verlauf'],
  view: ['View', 'Ansicht'],
  views: {
    chart: ['Chart and table', 'Diagramm und Tabelle'],
    table: ['Table', 'Tabelle'],
  },
  csv: ['Download CSV', 'CSV herunterladen'],
  noHistory: ['No salary history', 'Keine Gehaltsdaten'],
  noHistoryReason: [
    'The service has no salary entry for this contract.',
    'Zu diesem Vertrag liegen dem Dienst keine Abrechnungsmonate vor.',
  ],
  noMonths: ['No salary in these months', 'Keine Gehaltsdaten in diesem Zeitraum'],
  noMonthsReason: [
    'The history has entries from {from} to {to}.',
    'Abgerechnete Monate liegen von {from} bis {to} vor.',
  ],
  chartLabel: [
    'Salary from {from} to {to}: total and base as steps, and the components of each month as stacked bars. The table below has all values.',
    'Gehalt von {from} bis {to}: Gesamtbetrag und Grundgehalt als Stufen, darunter die Lohnarten je Monat als gestapelte Balken. Alle Werte stehen in der Tabelle darunter.',
  ],
  steps: ['Total and base', 'Gesamt und Grundgehalt'],
  components: ['Components', 'Lohnarten'],
  truncated: ['scale not from zero', 'Skala nicht ab null'],
  chosenMonth: ['Month of the figures', 'Monat der Werte'],
  month: ['Month', 'Abrechnungsmonat'],
  total: ['Total', 'Gesamt'],
  base: ['Base', 'Grundgehalt'],
  component: ['Component', 'Lohnart'],
  gap: ['No entry for this month', 'Kein Eintrag für diesen Monat'],
  gaps: [
    (count: number) => (count === 1 ? '1 month has no entry.' : `${count} months have no entry.`),
    (count: number) =>
      count === 1 ? 'Für 1 Monat liegt kein Eintrag vor.' : `Für ${count} Monate liegt kein Eintrag vor.`,
  ],
  tableCaption: ['Salary by month and component, {from} to {to}', 'Gehalt nach Monat und Lohnart, {from} bis {to}'],
  sum: ['Sum of components', 'Summe der Lohnarten'],
  differs: [
    'The components add up to {sum}, which is not the total.',
    'Die Lohnarten ergeben {sum} und damit nicht den Gesamtbetrag.',
  ],
  anyDiffers: [
    (count: number) =>
      count === 1
        ? 'In 1 month the components do not add up to the total. All values are shown as the service states them.'
        : `In ${count} months the components do not add up to the total. All values are shown as the service states them.`,
    (count: number) =>
      count === 1
        ? 'In 1 Monat ergeben die Lohnarten nicht den Gesamtbetrag. Alle Werte stehen hier so, wie der Dienst sie liefert.'
        : `In ${count} Monaten ergeben die Lohnarten nicht den Gesamtbetrag. Alle Werte stehen hier so, wie der Dienst sie liefert.`,
  ],
  entry: ['Entry', 'Eintrag'],
  payments: ['Approved variable payments', 'Freigegebene variable Zahlungen'],
  allPayments: ['All payments of this contract', 'Alle Zahlungen dieses Vertrags'],
  paymentsCaption: [
    'Approved variable payments by billing period',
    'Freigegebene variable Zahlungen nach Abrechnungsmonat',
  ],
  noPayments: ['No approved payment in these months.', 'In diesem Zeitraum wurde keine Zahlung freigegeben.'],
  noPaymentsList: [
    'The service does not list approved payments for this client.',
    'Der Dienst gibt freigegebene Zahlungen für diesen Client nicht aus.',
  ],
  billingPeriod: ['Billing period', 'Abrechnungsmonat'],
  correctionPeriod: ['Correction period', 'Korrekturmonat'],
  correction: ['Correction', 'Korrektur'],
  values: {
    amount: ['Amount', 'Betrag'],
    hours: ['Hours', 'Stunden'],
    days: ['Days', 'Tage'],
    hourlyFactor: ['Hourly factor', 'Stundenfaktor'],
    percentage: ['Percentage', 'Prozentsatz'],
  },
});
