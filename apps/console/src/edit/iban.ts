const GROUP = /.{1,4}/gu;

/** An IBAN in groups of four characters, as people read it. */
export function groupedIban(iban: string): string {
  return (iban.match(GROUP) ?? []).join(' ');
}
