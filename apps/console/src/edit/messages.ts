import type { personTexts } from '../components/person-texts.ts';
import { inBoth } from '../model/in-both.ts';

/** A request without a response may have reached the console. */
const tryAgain = [
  'It is not known whether the change was made. Save again: the console compares the stored data first, and changes nothing twice.',
  'Es ist nicht bekannt, ob die Änderung erfolgt ist. Speichern Sie erneut: Die Konsole vergleicht zuerst den gespeicherten Stand und ändert nichts doppelt.',
] as const;

/** The texts of the screens that change a person, and of the reveal of an IBAN. */
export const messages = inBoth({
  title: { address: ['Edit address', 'Anschrift ändern'], bankDetails: ['Edit bank details', 'Bankverbindung ändern'] },
  steps: {
    form: { address: ['New address', 'Neue Anschrift'], bankDetails: ['New bank details', 'Neue Bankverbindung'] },
    review: {
      address: ['Review the address', 'Anschrift prüfen'],
      bankDetails: ['Review the bank details', 'Bankverbindung prüfen'],
    },
    conflict: {
      address: ['Somebody else changed the address', 'Die Anschrift wurde inzwischen geändert'],
      bankDetails: ['Somebody else changed the bank details', 'Die Bankverbindung wurde inzwischen geändert'],
    },
  },
  form: {
    kind: ['Kind of address', 'Art der Anschrift'],
    street: ['Street address', 'Hausanschrift'],
    box: ['Post-office box', 'Postfach'],
    changeIban: ['Enter another IBAN', 'Andere IBAN erfassen'],
    keepIban: ['Keep the stored IBAN', 'Gespeicherte IBAN beibehalten'],
    review: ['Review', 'Prüfen'],
    unchanged: ['Nothing has changed, so there is nothing to save.', 'Es gibt nichts zu speichern.'],
    newer: [
      'The stored data changed while this form was open. Your input is unchanged.',
      'Die gespeicherten Daten wurden inzwischen geändert. Ihre Eingaben sind unverändert.',
    ],
    compare: ['Compare', 'Vergleichen'],
  },
  faults: {
    'too-long': ['Too long.', 'Zu lang.'],
    'too-short': ['Too short.', 'Zu kurz.'],
    'wrong-format': ['Not in the required format.', 'Nicht im vorgegebenen Format.'],
  },
  formats: {
    iban: [
      'Two capital letters and two digits come first, then capital letters and digits without spaces.',
      'Zwei Großbuchstaben und zwei Ziffern, danach Großbuchstaben und Ziffern ohne Leerzeichen.',
    ],
    bic: ['8 or 11 capital letters and digits.', '8 oder 11 Großbuchstaben und Ziffern.'],
  },
  hints: { stateCode: ['Such as DE-BE. Not in payroll.', 'Zum Beispiel DE-BE. Nicht in der Abrechnung.'] },
  rejectedField: ['The service rejected this value.', 'Der Dienst hat diesen Wert abgelehnt.'],
  warnings: {
    'check-digits': [
      'The check digits are wrong. Compare the IBAN with its source.',
      'Die Prüfziffer ist falsch. Vergleichen Sie die IBAN mit dem Beleg.',
    ],
    'unknown-country': ['No country has this code.', 'Dieses Länderkennzeichen gibt es nicht.'],
    'bic-unchanged': ['The BIC is still that of the stored IBAN.', 'Die BIC gehört noch zur bisherigen IBAN.'],
  },
  review: {
    caption: ['Before and after', 'Vorher und nachher'],
    field: ['Field', 'Feld'],
    before: ['Stored now', 'Gespeichert'],
    after: ['After saving', 'Nach dem Speichern'],
    changes: {
      unchanged: ['', ''],
      changed: ['Changed', 'Geändert'],
      added: ['New', 'Neu'],
      discarded: ['Will be discarded', 'Entfällt'],
    },
    discards: ['Will be discarded', 'Entfällt beim Speichern'],
    discardsFields: ['Stored fields without a new value: {names}.', 'Gespeicherte Felder ohne neuen Wert: {names}.'],
    discardsAddresses: [
      'Further addresses of this person, if there are any. The service replaces all addresses, and shows only the first one.',
      'Weitere Anschriften der Person, falls vorhanden. Der Dienst ersetzt alle Anschriften und zeigt nur die erste.',
    ],
    clears: ['Saving removes the address.', 'Beim Speichern wird die Anschrift gelöscht.'],
    back: ['Change input', 'Eingaben ändern'],
  },
  conflict: {
    caption: ['Three versions', 'Drei Stände'],
    intro: ['Choose a value for each difference.', 'Wählen Sie zu jedem Unterschied einen Wert.'],
    start: ['You started from', 'Ihr Ausgangsstand'],
    theirs: ['Stored now', 'Jetzt gespeichert'],
    mine: ['Yours', 'Ihre Eingabe'],
    changedBy: {
      both: ['Changed by both', 'Von beiden Seiten geändert'],
      theirs: ['Changed by somebody else', 'Von anderer Seite geändert'],
      mine: ['Changed by you', 'Von Ihnen geändert'],
    },
    otherIban: ['another account', 'anderes Konto'],
    allTheirs: ['Take all stored values', 'Alle gespeicherten Werte übernehmen'],
    allMine: ['Take all of mine', 'Alle eigenen Eingaben übernehmen'],
    apply: ['Review again', 'Erneut prüfen'],
    open: ['Choose a value for: {names}.', 'Wählen Sie einen Wert für: {names}.'],
  },
  done: ['Back to the person', 'Zurück zur Person'],
  saved: {
    address: ['Address saved', 'Anschrift gespeichert'],
    bankDetails: ['Bank details saved', 'Bankverbindung gespeichert'],
  },
  notSaved: [
    'The address was not saved. The stored one is shown again.',
    'Die Anschrift wurde nicht gespeichert. Die bisherige wird wieder angezeigt.',
  ],
  notConfirmed: ['The change of the address is not confirmed', 'Die Änderung der Anschrift ist nicht bestätigt'],
  notChanged: ['Nothing had changed, so nothing was sent.', 'Es wurde nichts geändert und nichts gesendet.'],
  hintsOfProblems: {
    'signed-out': [
      'Sign in with a new link, and then save again. Your input is kept as a draft.',
      'Melden Sie sich mit einem neuen Link an und speichern Sie dann erneut. Ihre Eingaben bleiben als Entwurf erhalten.',
    ],
    'outcome-unknown': [
      'The service may still make the change later. Compare what is stored now with your input before you save again.',
      'Die Änderung kann noch nachträglich erfolgen. Vergleichen Sie den gespeicherten Stand mit Ihren Eingaben, bevor Sie erneut speichern.',
    ],
    offline: tryAgain,
    internal: tryAgain,
  },
  keepsInput: ['Your input is kept.', 'Ihre Eingaben bleiben erhalten.'],
  isStored: ['Your input is stored now.', 'Ihre Eingaben sind jetzt gespeichert.'],
  reveal: {
    none: ['No bank details are stored.', 'Es ist keine Bankverbindung gespeichert.'],
    show: ['Show IBAN', 'IBAN anzeigen'],
    hide: ['Hide IBAN', 'IBAN ausblenden'],
    isRecorded: ['Every view is recorded.', 'Die Anzeige wird protokolliert.'],
    hidesAgain: ['Recorded. It hides again after a minute.', 'Protokolliert. Wird nach einer Minute ausgeblendet.'],
  },
});

/** The label of a field; the specification does not have all fields that a service may store. */
export function fieldLabel({ address, bankDetails }: typeof personTexts.en, name: string): string {
  const labels: Readonly<Record<string, string>> = { ...address, ...bankDetails };
  return labels[name] ?? name;
}
