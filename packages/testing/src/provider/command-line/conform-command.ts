import { writeFile } from 'node:fs/promises';
import { conform } from '../../conform/conform.ts';
import { conformHtml } from '../../conform/report-html.ts';
import { conformJunit } from '../../conform/report-junit.ts';
import { conformText } from '../../conform/report-text.ts';
import { jsonOf } from '../../contract/pact.ts';
import { invalidOption } from '../../hr-testing-error.ts';
import { httpUrl } from '../../http-url.ts';
import { rowOf } from '../../model/lists.ts';
import { statesAt } from './states-url.ts';
import { conformWarnings, UsageError, type Arguments, type Report } from './command.ts';

const INTERRUPTED = 130;

/** Checks whether a running HR cloud keeps the specification, and writes the reports. */
export async function conformCommand({ values, env }: Arguments): Promise<Report> {
  const { 'base-url': baseUrl = '', seed, json, junit, html, 'wire-names': names } = values;
  const wireNames = names === undefined ? {} : jsonOf(names);
  const {
    HR_TOKEN: token,
    HR_CLIENT_ID: clientId,
    HR_CLIENT_SECRET: clientSecret,
    HR_TOKEN_WITHOUT_SCOPE: tokenWithoutScope,
  } = env;
  const { 'allow-writes': allowWrites, 'allow-payment': allowPayment, 'states-url': statesUrl } = values;
  if (statesUrl !== undefined && !httpUrl(statesUrl)) throw new UsageError('--states-url is not an http(s) URL.');
  if (!httpUrl(baseUrl)) throw new UsageError('--base-url is not an http(s) URL.');
  if (!token && !(clientId && clientSecret))
    throw new UsageError('conform needs a token. Set HR_CLIENT_ID and HR_CLIENT_SECRET, or HR_TOKEN.');
  if (seed !== undefined && !/^\d{1,9}$/.test(seed))
    throw new UsageError('--seed is not a number of at most 9 digits.');
  if (!rowOf(wireNames))
    throw new UsageError('--wire-names is not a JSON object, such as {"listPersons":{"changedSince":"since"}}.');
  for (const [flag, warning] of Object.entries(conformWarnings))
    if (values[flag] !== undefined) process.stderr.write(`--${flag}: ${warning}\n`);

  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.once('SIGINT', interrupt);
  try {
    const report = await conform({
      baseUrl,
      signal: abort.signal,
      wireNames: rowOf(wireNames) ?? {},
      ...(token && { token }),
      ...(clientId && clientSecret && { clientId, clientSecret }),
      ...(allowWrites !== undefined && { allowWrites }),
      ...(allowPayment !== undefined && { allowPayment }),
      ...(statesUrl !== undefined && statesAt(statesUrl)),
      ...(tokenWithoutScope && { tokenWithoutScope: () => tokenWithoutScope }),
      ...(seed !== undefined && { seed: Number(seed) }),
      ...(process.stderr.isTTY && { onProgress: (line: string) => void process.stderr.write(`\r\u001B[K${line}`) }),
    });
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
    if (junit !== undefined) await save('junit', junit, conformJunit(report));
    if (html !== undefined) await save('html', html, conformHtml(report));
    const text = json ? JSON.stringify(report, undefined, 2) : conformText(report);
    return { text, ok: report.ok, ...(report.interrupted && { exitCode: INTERRUPTED }) };
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function save(flag: string, file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const message = `--${flag}: ${file} cannot be written (${code}). Name a file in a folder that exists.`;
    throw invalidOption(message, { cause: error });
  });
}
