/** The zone in which days begin, the service's default. */
const calendar = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The day, `YYYY-MM-DD`, on which a moment falls; `clock` gives milliseconds since the epoch. */
export function today({ clock }: { readonly clock: () => number }): string {
  return calendar.format(clock());
}
