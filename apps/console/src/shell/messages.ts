import { inBoth } from '../model/in-both.ts';

/** The texts that all screens share. */
export const messages = inBoth({
  skip: ['Skip to content', 'Zum Inhalt springen'],
  navigation: ['Main navigation', 'Hauptnavigation'],
  today: ['Today', 'Heute'],
  people: ['People', 'Personen'],
  payments: ['Payments', 'Zahlungen'],
  absences: ['Absences', 'Abwesenheiten'],
  time: ['Time', 'Zeiten'],
  api: ['API', 'Schnittstelle'],
  system: ['System', 'System'],
  search: ['Search people, pages and actions', 'Personen, Seiten und Aktionen suchen'],
  searchShort: ['Search', 'Suchen'],
  nothingFound: [
    'No match. Search for a name, an employee number or a page.',
    'Kein Treffer. Suchen Sie nach Name, Personalnummer oder Seite.',
  ],
  actions: ['Actions', 'Aktionen'],
  pages: ['Pages', 'Seiten'],
  account: ['Account and settings', 'Konto und Einstellungen'],
  signedInAs: ['Signed in as {name}', 'Angemeldet als {name}'],
  roles: {
    viewer: ['Viewer', 'Ansicht'],
    editor: ['Editor', 'Bearbeitung'],
    approver: ['Approver', 'Freigabe'],
    operator: ['Operator', 'Betrieb'],
    administrator: ['Administrator', 'Verwaltung'],
  },
  withheld: {
    pay: ['You may not see pay.', 'Sie dürfen Entgelte nicht sehen.'],
    birth: [
      'You may not see data of birth, citizenship and gender.',
      'Sie dürfen Geburtsdaten, Staatsangehörigkeit und Geschlecht nicht sehen.',
    ],
  },
  language: ['Language', 'Sprache'],
  theme: ['Appearance', 'Darstellung'],
  themes: { auto: ['System', 'System'], light: ['Light', 'Hell'], dark: ['Dark', 'Dunkel'] },
  signOut: ['Sign out', 'Abmelden'],
  health: {
    starting: ['Reading data for the first time', 'Daten werden erstmals abgerufen'],
    syncing: ['Reading changes', 'Änderungen werden abgerufen'],
    current: ['Data as of {at}', 'Datenstand {at}'],
    failed: [
      'The service does not answer. The data may be out of date.',
      'Der Dienst antwortet nicht. Die Daten sind möglicherweise veraltet.',
    ],
    lost: ['No connection since {at}', 'Keine Verbindung seit {at}'],
  },
  outdated: [
    'What you see may be out of date. It is read again as soon as there is a connection.',
    'Die Anzeige ist möglicherweise veraltet. Sie wird aktualisiert, sobald die Verbindung wieder besteht.',
  ],
  noAnswerSince: ['No answer from the service since {at}', 'Keine Antwort des Dienstes seit {at}'],
  retry: ['Try again', 'Erneut versuchen'],
  close: ['Close', 'Schließen'],
  cancel: ['Cancel', 'Abbrechen'],
  save: ['Save', 'Speichern'],
  screenFailure: {
    title: ['This screen cannot be shown', 'Diese Seite kann nicht angezeigt werden'],
    reason: [
      'The connection failed, or the console was updated. Load the page again.',
      'Die Verbindung ist gestört, oder die Konsole wurde aktualisiert. Bitte laden Sie die Seite neu.',
    ],
  },
  screenMissing: {
    title: ['There is no such page', 'Diese Seite gibt es nicht'],
    reason: ['The address may be mistyped.', 'Vielleicht ist die Adresse falsch geschrieben.'],
  },
  noAnswer: ['The service does not answer.', 'Der Dienst antwortet nicht.'],
  requestId: ['Request ID for the operator: {id}', 'Anfrage-ID für den Betrieb: {id}'],
  problems: {
    'signed-out': ['Your session has ended.', 'Ihre Sitzung ist beendet.'],
    forbidden: ['You do not have the role for this.', 'Dafür fehlt Ihnen die Berechtigung.'],
    'invalid-input': ['The input is not valid.', 'Die Eingabe ist nicht gültig.'],
    'not-found': [
      'Not found. It may have been deleted.',
      'Nicht gefunden. Möglicherweise wurde der Datensatz gelöscht.',
    ],
    conflict: ['Somebody else changed this meanwhile.', 'Die Daten wurden inzwischen von anderer Seite geändert.'],
    'too-many-requests': [
      'Too many requests. Wait a minute and try again.',
      'Zu viele Anfragen. Bitte warten Sie eine Minute.',
    ],
    rejected: [
      'The service rejected the change. Nothing was changed.',
      'Der Dienst hat die Änderung abgelehnt. Es wurde nichts geändert.',
    ],
    'outcome-unknown': [
      'It is not known whether the change was made. Check before you try again.',
      'Es ist nicht bekannt, ob die Änderung erfolgt ist. Prüfen Sie den Stand, bevor Sie es erneut versuchen.',
    ],
    'partly-changed': ['Only a part of the change was saved.', 'Die Änderung wurde nur teilweise gespeichert.'],
    'service-unavailable': [
      'The service does not answer. Nothing was changed.',
      'Der Dienst antwortet nicht. Es wurde nichts geändert.',
    ],
    'cannot-store': [
      'The disk of the console is full or read-only, so nothing was changed. Tell the operator.',
      'Der Datenträger der Konsole ist voll oder schreibgeschützt. Es wurde nichts geändert. Bitte informieren Sie den Betrieb.',
    ],
    internal: [
      'The console failed. An operator finds the reason in its log.',
      'In der Konsole ist ein Fehler aufgetreten. Die Ursache steht in ihrem Protokoll.',
    ],
    offline: ['No connection to the console.', 'Keine Verbindung zur Konsole.'],
  },
  signIn: {
    title: ['Sign in', 'Anmelden'],
    signingIn: ['Signing in', 'Anmeldung läuft'],
    used: [
      'This link was used already, or it is older than 15 minutes.',
      'Dieser Link wurde bereits verwendet oder ist älter als 15 Minuten.',
    ],
    ended: [
      'Your session has ended. To go on with what you entered, open a new link in another tab of this browser.',
      'Ihre Sitzung ist beendet. Um mit Ihren Eingaben fortzufahren, öffnen Sie einen neuen Link in einem anderen Tab dieses Browsers.',
    ],
    withProvider: ['Sign in with your company account', 'Mit dem Firmenkonto anmelden'],
    providerEnded: [
      'Your session has ended. Sign in in a new tab, then go on here with what you entered.',
      'Ihre Sitzung ist beendet. Melden Sie sich in einem neuen Tab an, und fahren Sie hier mit Ihren Eingaben fort.',
    ],
    unavailable: [
      'The identity provider of your company does not answer. Try again in a moment.',
      'Der Anmeldedienst Ihrer Firma antwortet nicht. Versuchen Sie es gleich noch einmal.',
    ],
    refused: [
      'You are not signed in: the sign-in was cancelled, took too long or could not be confirmed.',
      'Sie sind nicht angemeldet: Die Anmeldung wurde abgebrochen, dauerte zu lange oder ließ sich nicht bestätigen.',
    ],
    noRoles: [
      'You have no role in this console. Ask its operator for one.',
      'Sie haben in dieser Konsole keine Rolle. Wenden Sie sich an den Betrieb der Konsole.',
    ],
    none: [
      'Open the link that the console printed when it started.',
      'Öffnen Sie den Link, den die Konsole beim Start ausgegeben hat.',
    ],
    newLink: [
      'To get a new link, run this command where the console runs:',
      'Einen neuen Link erhalten Sie mit diesem Befehl auf dem Rechner der Konsole:',
    ],
    retry: ['Continue, I have signed in', 'Weiter, ich bin angemeldet'],
  },
});
