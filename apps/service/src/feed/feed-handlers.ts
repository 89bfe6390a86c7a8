import { HttpProblem, problems } from '@hr/schemas/provider';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import { listPage } from '../database/list-page.ts';
import type { Handlers } from '../http/route.ts';
import type { feedOperations } from './feed-operations.ts';
import { FeedSourceError, receivedFeed } from './feed-source.ts';
import { ImportError } from './import-error.ts';
import { importFeed } from './import-feed.ts';
import { cancelImport, findImportRun, importRuns, type ImportRun } from './import-run.ts';

/** A transaction of an import takes about so long. Others wait for one of the embedded database. */
const SERIAL_BATCH_MS = 50;
/** Otherwise others wait for the persons that it changes, and for the rendering of their views. */
const BATCH_MS = 250;

export const feedHandlers = {
  async operatorImportFeed({ database, origin, query, stream, signal, isGzip }) {
    const { source = 'request' } = query;
    let run: ImportRun | undefined;
    const options = {
      strict: query.strict === 'true',
      signal,
      origin,
      batchMs: database.isSerial ? SERIAL_BATCH_MS : BATCH_MS,
      onStart(started: ImportRun) {
        run = started;
        // It may wait for its sender.
        started.signal.addEventListener('abort', () => stream.destroy(started.signal.reason as Error));
      },
    };
    try {
      const { badLines, leftOut } = await importFeed(database, [receivedFeed(source, stream, isGzip)], options);
      if (options.strict && badLines > 0) {
        const errors = leftOut.map(({ pointer, code, detail }) => ({ pointer, code, detail }));
        const detail = `Line ${leftOut[0]?.line} is bad, see errors.`;
        throw new HttpProblem('invalid-request', detail, { members: { errors } });
      }
      return await findImportRun(database, run?.id ?? '');
    } catch (error) {
      const cause = causeOf(error);
      throw run ? new ImportError(run, cause) : cause;
    }
  },
  operatorListImports: ({ database, query }) => listPage(database, importRuns, query),
  operatorCancelImport: ({ transaction, path }) => cancelImport(transaction, path.importId),
  operatorGetImport: ({ database, path }) => findImportRun(database, path.importId),
} satisfies Handlers<typeof feedOperations>;

const problemCodes: Readonly<Record<string, HttpProblem['code']>> = {
  FEED_TOO_LARGE: 'content-too-large',
  IMPORT_CANCELLED: 'conflict',
  STREAM_STALLED: 'request-timeout',
  STREAM_SLOW: 'request-timeout',
};

function causeOf(error: unknown): unknown {
  // An import has no idempotency key, and needs none.
  if (error instanceof DatabaseUnavailableError && error.mayBeStored) return problems.unavailable(error.message);
  if (!(error instanceof FeedSourceError)) return error;
  const { code = '' } = error.cause as NodeJS.ErrnoException;
  // With the latter, the folder for temporary files is full.
  if (code === 'SERVICE_STOPPING' || code === 'ENOSPC') return problems.unavailable(error.message);
  return new HttpProblem(problemCodes[code] ?? 'invalid-request', error.message);
}
