/** A command failed. The message is one sentence for the person who ran it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code = 'command';
  readonly exitCode: 1 | 2;

  /** @param exitCode 1 for a failure, 2 for a wrong call or setting */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
