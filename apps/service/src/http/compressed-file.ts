import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

// Takes a twentieth of the time that the highest takes, and a tenth more bytes.
const BROTLI_QUALITY = 9;

const codings = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  identity: async (bytes: Buffer) => bytes,
};
type Coding = keyof typeof codings;
const bestFirst = Object.keys(codings) as Coding[];

/** A file in one content coding. */
export interface Representation {
  readonly coding: Coding;
  readonly bytes: Buffer;
  /** Strong: it is that of these bytes alone. */
  readonly etag: string;
}

/** Gives a file in the smallest coding that an `Accept-Encoding` allows. It is read and compressed once, when it is asked for first. */
export function compressedFile(path: string): (acceptEncoding: string | undefined) => Promise<Representation> {
  const kept = new Map<Coding, Promise<Representation>>();

  return (acceptEncoding = '') => {
    const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings(bestFirst);
    const coding = bestFirst.find((one) => accepted.includes(one)) ?? 'identity';
    const found = kept.get(coding) ?? represent(path, coding);
    kept.set(coding, found);
    found.catch(() => kept.delete(coding));
    return found;
  };
}

async function represent(path: string, coding: Coding): Promise<Representation> {
  const bytes = await codings[coding](await readFile(path));
  return { coding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}
