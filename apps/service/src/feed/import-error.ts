import { ExplainedError } from '../http/send-error.ts';
import type { ImportRun } from './import-run.ts';

/** An import over HTTP ended early. The message says how far it came, and `cause` why it ended. */
export class ImportError extends ExplainedError {
  override readonly name = 'ImportError';
  readonly code = 'import';

  constructor({ id, progress: { lines, outcomes } }: ImportRun, cause: unknown) {
    const stored = Object.values(outcomes).some((counts) => Object.values(counts).some((count) => count > 0));
    super(
      stored
        ? `The first ${lines} lines are done and stay stored. Send the whole feed again: what is stored is a no-op.`
        : 'Nothing is stored.',
      cause,
      { importId: id },
    );
  }
}
