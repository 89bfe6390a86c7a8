import { invalidRequest } from './http-problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON of a body; `undefined` where the body is empty. */
export function readJson(body: Buffer | undefined): unknown {
  if (!body?.length) return undefined;
  const text = decodeUtf8(body);
  if (text === undefined) throw invalidRequest([{ pointer: '', code: 'wrong-format', detail: 'is not UTF-8' }]);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest([{ pointer: '', code: 'wrong-format', detail: 'is not JSON' }]);
  }
}

/** Text from bytes; `undefined` where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
