import type { BankDetails } from '@hr/client';

/** Bank details as the browser may see them before a person reveals them. */
export interface MaskedBankDetails {
  /** Country and last four characters, such as `DE•• •••• 3000`. */
  readonly iban?: string;
  readonly bic?: string | null | undefined;
  readonly payee?: string | null | undefined;
}

const SHOWN_CHARACTERS = 4;
/** The shortest IBAN of a country. A shorter one would show almost whole. */
const MIN_LENGTH = 15;
const COUNTRY = /^[A-Z]{2}/;

export function maskBankDetails({ iban, bic, payee }: BankDetails): MaskedBankDetails {
  if (!iban) return { bic, payee };
  const end = iban.length < MIN_LENGTH ? '••••' : iban.slice(-SHOWN_CHARACTERS);
  // Another system may send an account number here, of which every digit counts.
  const country = COUNTRY.exec(iban)?.[0] ?? '••';
  return { iban: `${country}•• •••• ${end}`, bic, payee };
}
