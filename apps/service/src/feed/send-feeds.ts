import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Problem } from '@hr/schemas';
import { CommandError } from '../terminal/command-error.ts';
import { printable } from '../terminal/terminal.ts';
import { callOperator, checkedResponse, sendRequest, type CommandContext } from '../operator/operator-api.ts';
import { FEED_MEDIA_TYPE, feedOperations } from './feed-operations.ts';
import { FeedSourceError, type FeedSource } from './feed-source.ts';
import { checkFeeds } from './import-feed.ts';
import type { ImportReport } from './import-report.ts';
import { noProgress, progressAfter, type ImportProgress, type ShownRun } from './import-run.ts';

type Summary = Pick<ImportProgress, 'lines' | 'badLines' | 'outcomes'>;

const { operatorGetImport, operatorImportFeed } = feedOperations;

interface Sending {
  readonly strict: boolean;
  readonly report: ImportReport;
  /** Connects to the service. */
  readonly connect: () => Promise<Socket>;
}

/** Imports feeds through the service that holds the database folder, each as an import of its own. */
export async function sendFeeds(
  context: CommandContext,
  sources: readonly FeedSource[],
  sending: Sending,
): Promise<Summary> {
  const { strict, report } = sending;
  await using copies = new AsyncDisposableStack();
  // The service checks each feed alone.
  const isChecked = strict && sources.length > 1;
  const { checked, lines, badLine } = isChecked ? await checkFeeds(sources, copies) : { checked: sources, lines: 0 };
  if (badLine) {
    report.onBadLine(badLine);
    return progressAfter(noProgress(), { lines, badLines: [badLine] });
  }
  const { outcomes } = noProgress();
  let [linesRead, badLines] = [0, 0];
  for (const source of checked) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const run = await sendFeed(context, source, { ...sending, linesBefore: linesRead });
    report.onRun(run);
    linesRead += run.lines;
    badLines += run.badLines;
    for (const [kind, outcome] of Object.entries(outcomes)) {
      for (const name in outcome) outcome[name as 'created'] += run.outcomes[kind]?.[name as 'created'] ?? 0;
    }
  }
  return { lines: linesRead, badLines, outcomes };
}

/** The longest name of a source that the service takes. */
const MAX_NAME_LENGTH = 255;

async function sendFeed(
  context: CommandContext,
  source: FeedSource,
  { strict, report, connect, linesBefore }: Sending & { readonly linesBefore: number },
): Promise<ShownRun> {
  const { name, bytes } = source;
  const { method, path } = operatorImportFeed;
  const query = new URLSearchParams({ strict: String(strict), source: name.slice(-MAX_NAME_LENGTH).toWellFormed() });
  async function* counted(): AsyncGenerator<Uint8Array> {
    let lines = linesBefore;
    for await (const chunk of bytes) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
      report.onProgress({ source: name, lines });
      yield chunk;
    }
  }
  const connection = await connect();
  try {
    const response = await sendRequest(connection, {
      method,
      url: `${path}?${query.toString()}`,
      headers: { 'content-type': FEED_MEDIA_TYPE },
      body: Readable.from(counted(), { objectMode: false }),
    });
    if (response.statusCode === 200) return await checkedResponse(operatorImportFeed, response);
    const { detail = '', importId } = (await json(response)) as Problem & { readonly importId?: string };
    const failure = new CommandError(printable(detail));
    if (importId === undefined) throw failure;
    const run = await callOperator(context, operatorGetImport, { path: { importId } });
    // The command says that nothing was stored.
    if (strict && run.badLines > 0) return run;
    report.onRun(run);
    throw failure;
  } catch (error) {
    if (error instanceof FeedSourceError || error instanceof CommandError) throw error;
    throw new CommandError(CONNECTION_LOST);
  } finally {
    connection.destroy();
  }
}

const LINE_FEED = 0x0a;
const CONNECTION_LOST =
  'The service ended during the import. What it stored stays: see imports list, and import the same feed again.';
