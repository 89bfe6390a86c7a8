import type { Issue } from '../issues.ts';
import type { HttpProblem } from './http-problem.ts';
import { structureFault } from './json-structure.ts';
import { problems } from './problems.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The JSON of a request body; `undefined` for an empty one.
 *
 * @throws {HttpProblem} `invalid-request` when it is not JSON in UTF-8, or has a {@link structureFault}.
 * @example
 * readJson(new TextEncoder().encode('{"amount":250}')); // { amount: 250 }
 */
export function readJson(bytes: Uint8Array | undefined): unknown {
  if (!bytes?.length) return undefined;
  const text = decodeUtf8(bytes);
  if (text === undefined) throw unreadable('is not UTF-8');
  let fault: Issue | undefined;
  try {
    fault = structureFault(text);
    if (!fault) return JSON.parse(text);
  } catch {
    throw unreadable('is not JSON');
  }
  throw problems.invalidRequest([fault]);
}

function unreadable(detail: string): HttpProblem {
  return problems.invalidRequest([{ pointer: '', code: 'wrong-format', detail }]);
}

/**
 * The text of bytes; `undefined` when they are not UTF-8.
 *
 * @example
 * decodeUtf8(Uint8Array.of(0xff)); // undefined
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
