import type { BankDetails } from '@hr/client';
import { maskedIban } from '@hr/text/iban';

/** Bank details as the browser may see them before a person reveals them. */
export interface MaskedBankDetails {
  /** Masked. */
  readonly iban?: string;
  readonly bic?: string | null | undefined;
  readonly payee?: string | null | undefined;
}

export function maskBankDetails({ iban, bic, payee }: BankDetails): MaskedBankDetails {
  return { ...(iban && { iban: maskedIban(iban) }), bic, payee };
}
