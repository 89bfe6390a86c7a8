import type { BankDetails } from '@hr/client';
import { maskedIban } from '@hr/text/iban';

/** Bank details as the browser may see them before a person reveals them: with a masked IBAN. */
export type MaskedBankDetails = Pick<BankDetails, 'bic' | 'payee'> & { readonly iban?: string };

export function maskBankDetails({ iban, bic, payee }: BankDetails): MaskedBankDetails {
  return { ...(iban && { iban: maskedIban(iban) }), bic, payee };
}
