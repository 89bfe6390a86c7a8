const GROUP = /.{1,4}/gu;
const FORM = /^[A-Z]{2}\d{2}[A-Z\d]+$/;
const CHECKED_LENGTH = 4;
const LETTER_BASE = 36;

/** An IBAN in groups of four characters, as people read it. */
export function groupedIban(iban: string): string {
  return (iban.match(GROUP) ?? []).join(' ');
}

const SHOWN_CHARACTERS = 4;
/** The shortest IBAN of a country. A shorter one would show almost whole. */
const MIN_LENGTH = 15;
const COUNTRY = /^[A-Z]{2}/;

/** Country and last four characters of an IBAN, such as `DE•• •••• 3000`. */
export function maskedIban(iban: string): string {
  const end = iban.length < MIN_LENGTH ? '••••' : iban.slice(-SHOWN_CHARACTERS);
  // Another system may send an account number here, of which every digit counts.
  const country = COUNTRY.exec(iban)?.[0] ?? '••';
  return `${country}•• •••• ${end}`;
}

/** An IBAN as the API has it, without the spaces of letters and forms. */
export function compactIban(iban: string): string {
  return iban.replaceAll(/\s/g, '');
}

/**
 * Whether the check digits of an IBAN are wrong. ISO 7064: the number with its first four characters at the end, letters
 * as 10 to 35, is 1 modulo 97.
 */
export function hasWrongCheckDigits(iban: string): boolean {
  if (!FORM.test(iban)) return false;
  const digits = (iban.slice(CHECKED_LENGTH) + iban.slice(0, CHECKED_LENGTH)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, LETTER_BASE)),
  );
  return BigInt(digits) % 97n !== 1n;
}
