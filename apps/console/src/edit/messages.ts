/** The texts of the screens that change a person, and of the reveal of bank details. */
export const messages = {
  en: {
    fields: { iban: 'IBAN', bic: 'BIC', payee: 'Payee' },
    reveal: {
      none: 'No bank details are stored.',
      show: 'Show IBAN',
      hide: 'Hide IBAN',
      isRecorded: 'The console records who looks.',
      hidesAgain: 'Recorded. It hides again after a minute.',
    },
  },
  de: {
    fields: { iban: 'IBAN', bic: 'BIC', payee: 'Abweichender Kontoinhaber' },
    reveal: {
      none: 'Es ist keine Bankverbindung gespeichert.',
      show: 'IBAN anzeigen',
      hide: 'IBAN ausblenden',
      isRecorded: 'Die Anzeige wird protokolliert.',
      hidesAgain: 'Protokolliert. Wird nach einer Minute ausgeblendet.',
    },
  },
};
