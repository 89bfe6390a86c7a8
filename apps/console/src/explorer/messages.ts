/** The texts of the API explorer, and of copied requests. */
export const messages = {
  en: {
    copyAs: 'Copy as',
    forms: { curl: 'curl', hr: 'hr', typescript: 'TypeScript' },
    copied: (form: string) => `Copied as ${form}.`,
    copyYourself: 'Copy this text',
    copyKey: 'The browser does not allow this page to copy. Select the text and copy it.',
    close: 'Close',
  },
  de: {
    copyAs: 'Kopieren als',
    forms: { curl: 'curl', hr: 'hr', typescript: 'TypeScript' },
    copied: (form: string) => `Als ${form} kopiert.`,
    copyYourself: 'Text kopieren',
    copyKey: 'Der Browser erlaubt dieser Seite das Kopieren nicht. Markieren und kopieren Sie den Text selbst.',
    close: 'Schließen',
  },
};
