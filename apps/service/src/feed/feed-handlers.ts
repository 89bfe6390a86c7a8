import { HttpProblem, problems } from '@hr/schemas/provider';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import { listPage } from '../database/list-page.ts';
import type { Handlers } from '../http/route.ts';
import type { feedOperations } from './feed-operations.ts';
import { FeedSourceError, receivedFeed } from './feed-source.ts';
import { ImportError } from './import-error.ts';
import { importFeed } from './import-feed.ts';
import { cancelImport, findImportRun, importRuns } from './import-run.ts';
import type { ImportRun } from './import-run.ts';

/** A transaction of an import takes about so long. Others wait for one of the embedded database. */
const SERIAL_BATCH_MS = 50;
/** Otherwise others wait for the persons that it changes, and for the rendering of their views. */
const BATCH_MS = 250;

/** Imports of feeds. */
export const feedHandlers = {
  async operatorImportFeed({ database, grant, requestId, query, stream, signal, isGzip }) {
    const { source = 'request' } = query;
    let run: ImportRun | undefined;
    const options = {
      strict: query.strict === 'true',
      signal,
      origin: { actor: grant.clientId, requestId },
      batchMs: database.isSerial ? SERIAL_BATCH_MS : BATCH_MS,
      onStart(started: ImportRun) {
        run = started;
        // It may wait for its sender.
        started.signal.addEventListener('abort', () => stream.destroy(started.signal.reason as Error));
      },
    };
    try {
      const { badLines, leftOut } = await importFeed(database, [receivedFeed(source, stream, isGzip)], options);
      if (options.strict && badLines > 0) throw badFeed(leftOut);
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

function badFeed(leftOut: ImportRun['progress']['leftOut']): HttpProblem {
  const errors = leftOut.map(({ pointer, code, detail }) => ({ pointer, code, detail }));
  return new HttpProblem('invalid-request', `Line ${leftOut[0]?.line} is bad, see errors.`, { members: { errors } });
}

function causeOf(error: unknown): unknown {
  // An import has no idempotency key, and needs none.
  if (error instanceof DatabaseUnavailableError && error.mayBeStored) return problems.unavailable(error.message);
  return error instanceof FeedSourceError ? problemOf(error) : error;
}

function problemOf({ message, cause }: FeedSourceError): HttpProblem {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'FEED_TOO_LARGE':
      return new HttpProblem('content-too-large', message);
    case 'IMPORT_CANCELLED':
      return new HttpProblem('conflict', message);
    case 'STREAM_STALLED':
    case 'STREAM_SLOW':
      return new HttpProblem('request-timeout', message);
    case 'SERVICE_STOPPING':
    // The folder for temporary files is full.
    case 'ENOSPC':
      return problems.unavailable(message);
    default:
      return new HttpProblem('invalid-request', message);
  }
}
