import type { z } from 'zod';
import { HttpProblem } from './http-problem.ts';
import type { ReceivedRequest } from './received-request.ts';

/** Refuses a reader that takes no JSON. */
export function checkAccept({ headers }: ReceivedRequest): void {
  if (takesJson(headers.get('accept') || '*/*')) return;
  throw new HttpProblem('not-acceptable', 'Accept application/json.');
}

/** Of the media ranges that JSON is in, the one that says most about it counts (RFC 9110 section 12.5.1). */
const rangesOfJson = ['application/json', 'application/*', '*/*'];

function takesJson(accept: string): boolean {
  const accepted = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const [quality = '1'] = parameters.flatMap((parameter) => /^q\s*=(.*)$/.exec(parameter)?.[1] ?? []);
    return { type, quality: Number.parseFloat(quality) };
  });
  const most = rangesOfJson.find((range) => accepted.some(({ type }) => type === range));
  return accepted.some(({ type, quality }) => type === most && quality > 0);
}

const json = /^application\/json[ \t]*(?:;|$)/i;
const otherCharset = /;[ \t]*charset=(?!"?utf-8"?[ \t]*(?:;|$))/i;

/** Refuses a body of another media type than JSON, and one without a type. */
export function checkMediaType(schema: z.ZodType | undefined, { headers, bytes }: ReceivedRequest): void {
  if (!schema || (bytes.length === 0 && schema.safeParse(undefined).success)) return;
  const encoding = headers.get('content-encoding') ?? 'identity';
  const type = headers.get('content-type') ?? '';
  if (json.test(type) && !otherCharset.test(type) && encoding.toLowerCase() === 'identity') return;
  throw new HttpProblem('unsupported-media-type', 'Send the body as application/json in UTF-8, not compressed.');
}

/** Refuses a body that is too long. */
export function checkLength({ bytes }: ReceivedRequest, most: number): void {
  if (bytes.length <= most) return;
  throw new HttpProblem('content-too-large', 'Send a shorter body: 1 MiB at most, 16 KiB below /api/oauth2.');
}
