import type { BankDetails } from '@hr/schemas';

/** Bank details as the browser may see them before a person reveals them. */
export interface MaskedBankDetails {
  /** Country and last four characters, such as `DE•• •••• 3000`. */
  readonly iban?: string;
  readonly bic?: string | null | undefined;
  readonly payee?: string | null | undefined;
}

const SHOWN_CHARACTERS = 4;

export function maskBankDetails({ iban, bic, payee }: BankDetails): MaskedBankDetails {
  return { ...(iban && { iban: `${iban.slice(0, 2)}•• •••• ${iban.slice(-SHOWN_CHARACTERS)}` }), bic, payee };
}
