import type { Issue } from '../issues.ts';
import type { HttpProblem } from './http-error.ts';
import { structureFault } from './json-structure.ts';
import { problems } from './problems.ts';

/**
 * Parses a query or an `application/x-www-form-urlencoded` body into names and values, in order, decoded once;
 * `undefined` if it is not valid percent-encoded UTF-8.
 */
export function parseForm(text: string): (readonly [name: string, value: string])[] | undefined {
  try {
    return text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decode(name), decode(value.join('='))] as const;
      });
  } catch {
    return undefined;
  }
}

/**
 * Decodes a value once; `undefined` if it is not valid percent-encoded UTF-8.
 */
export function decodeFormValue(text: string): string | undefined {
  try {
    return decode(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the JSON of a request body; `undefined` if it is empty.
 *
 * @throws {HttpProblem} `invalid-request` if it is not JSON in UTF-8, or has a {@link structureFault}.
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
 * Decodes UTF-8; `undefined` if it is invalid.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
