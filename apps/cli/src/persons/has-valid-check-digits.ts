/**
 * Whether the check digits of an IBAN are right. ISO 13616: the number with its first four characters at the end, letters
 * as 10 to 35, is 1 modulo 97.
 */
export function hasValidCheckDigits(iban: string): boolean {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}
