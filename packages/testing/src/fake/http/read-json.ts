import type { Issue } from '@hr/schemas';
import { structureFault } from '@hr/schemas/rules';
import { invalidRequest } from './http-problem.ts';
import type { HttpProblem } from './http-problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON of a body; `undefined` where the body is empty. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const text = decodeUtf8(bytes);
  if (text === undefined) throw unreadable('is not UTF-8');
  let fault: Issue | undefined;
  try {
    fault = structureFault(text);
    if (!fault) return JSON.parse(text);
  } catch {
    throw unreadable('is not JSON');
  }
  throw invalidRequest([fault]);
}

function unreadable(detail: string): HttpProblem {
  return invalidRequest([{ pointer: '', code: 'wrong-format', detail }]);
}

/** Text from bytes; `undefined` where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
