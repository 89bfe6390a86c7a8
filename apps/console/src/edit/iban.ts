const GROUP = /.{1,4}/gu;
const FORM = /^[A-Z]{2}\d{2}[A-Z\d]+$/;
const CHECKED_LENGTH = 4;
const LETTER_BASE = 36;

/** An IBAN in groups of four characters, as people read it. */
export function groupedIban(iban: string): string {
  return (iban.match(GROUP) ?? []).join(' ');
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
