/** The arguments of a command. */
export interface Arguments {
  readonly pacts: readonly string[];
  /** Values of flags by their names; `true` for a boolean. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The output of a command, and whether it succeeded. */
export interface Report {
  readonly text: string;
  readonly ok: boolean;
  /** Default: 0 if it succeeded, otherwise 1. */
  readonly exitCode?: number;
}

/** The arguments of the program are invalid. */
export class UsageError extends Error {}

/** What level 2 cannot undo. The help and the command say so before the first write. */
export const conformWarnings = {
  'allow-writes':
    'Restores the first address and the bank details. Other addresses are not readable, so they are lost. Missing bank details become empty ones.',
  'allow-payment': 'Submits one payment of 0.01. It cannot be withdrawn: reject it as the payroll administrator.',
} as const;
