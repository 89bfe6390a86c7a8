/** The exit codes of `hr`. */
export const exitCodes = {
  failure: 1,
  usage: 2,
  partial: 3,
  authentication: 4,
  notFound: 5,
  rejected: 6,
  /** The request may have taken effect. */
  unknownOutcome: 7,
  network: 8,
  /** Another program is sending payments. */
  busy: 9,
  interrupted: 130,
} as const;

/** Why a command ended without success. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failed command. The message says what is wrong, where, and what to do; it contains no personal data and no secret. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}
