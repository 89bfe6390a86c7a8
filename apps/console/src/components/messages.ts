/** The texts of components that several screens use. */
export const messages = {
  en: {
    copyAs: 'Copy as',
    forms: { curl: 'curl', hr: 'hr', typescript: 'TypeScript' },
    copied: (form: string) => `Copied as ${form}.`,
    copyYourself: 'Copy this text',
    copyKey: 'The browser does not allow this page to copy. Select the text and copy it.',
    close: 'Close',
    monthJump: {
      last: (month: string) => `The last data are in ${month}.`,
      first: (month: string) => `The first data are in ${month}.`,
      show: (month: string) => `Go to ${month}`,
    },
    missing: {
      title: 'This person is not here',
      text: (id: string) => `There is no person with the ID ${id}. They were deleted, or the link is wrong.`,
      link: 'Search in People',
    },
  },
  de: {
    copyAs: 'Kopieren als',
    forms: { curl: 'curl', hr: 'hr', typescript: 'TypeScript' },
    copied: (form: string) => `Als ${form} kopiert.`,
    copyYourself: 'Text kopieren',
    copyKey: 'Der Browser erlaubt dieser Seite das Kopieren nicht. Markieren und kopieren Sie den Text selbst.',
    close: 'Schließen',
    monthJump: {
      last: (month: string) => `Die letzten Daten liegen im ${month} vor.`,
      first: (month: string) => `Die ersten Daten liegen im ${month} vor.`,
      show: (month: string) => `${month} anzeigen`,
    },
    missing: {
      title: 'Diese Person ist nicht vorhanden',
      text: (id: string) => `Zur ID ${id} gibt es keine Person. Sie wurde gelöscht, oder der Link ist falsch.`,
      link: 'Zur Personensuche',
    },
  },
};
