import { Problem, problemKinds, problemType, TokenError } from '@hr/schemas';
import type { ProblemKind } from '@hr/schemas';
import { OPERATORS, SENT, STORED, STORED_NUMBER } from './canaries.ts';
import type { HttpAnswer } from './read-answer.ts';
import { placeholders } from './secrets.ts';
import type { Secrets } from './secrets.ts';

/** What was sent for an answer. */
interface Asked {
  /** With placeholders. */
  readonly written: string;
  /** The address without its query, where it is known which request is answered. */
  readonly path?: string;
  /** Whether the answer comes without its body. */
  readonly head?: boolean;
}

const canaries = [STORED, OPERATORS, SENT, String(STORED_NUMBER)];
const formPath = /^\/api\/oauth2\/(?:token|revoke|introspect)$/;

/** What is wrong with an answer whatever was asked, in words; none where it is as it should be. */
export function answerFaults(answer: HttpAnswer, asked: Asked, secrets: Secrets): string[] {
  const { status, headers } = answer;
  const text = answer.body.toString();
  return [
    ...(status >= 500 || !knownStatuses.has(status) ? [`The status is ${status}.`] : []),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['There is no nosniff.']),
    ...(headers.get('x-request-id') ? [] : ['There is no request id.']),
    ...(status >= 400 && !asked.head ? errorFaults(answer, asked) : []),
    ...secretFaults(answer, asked, secrets),
    ...dataFaults(text, status, asked),
  ];
}

const knownStatuses = new Set([200, 304, 308, ...Object.values(problemKinds).map((kind) => kind.status)]);

function errorFaults({ status, headers, body }: HttpAnswer, { path }: Asked): string[] {
  const faults: string[] = [];
  if (headers.get('cache-control') !== 'no-store') faults.push('An error may be cached.');
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch {
    return [...faults, 'The error is no JSON.'];
  }
  if (headers.get('content-type') !== 'application/problem+json') {
    const isOAuth = path === undefined || formPath.test(path);
    if (isOAuth && TokenError.strict().safeParse(json).success && (status === 400 || status === 401)) return faults;
    return [...faults, `The error is of the type ${headers.get('content-type')}.`];
  }
  const parsed = Problem.strict().safeParse(json);
  if (!parsed.success) return [...faults, 'The problem has other members than it should.'];
  const problem = parsed.data;
  const kinds = Object.entries(problemKinds) as [ProblemKind, { status: number; title: string }][];
  const kind = kinds.find(([name]) => problemType(name) === problem.type);
  if (kind?.[1].status !== status || problem.status !== status) faults.push('The problem is of another status.');
  if (kind?.[1].title !== problem.title) faults.push('The problem has another title.');
  if (problem.requestId !== headers.get('x-request-id')) faults.push('The request id differs from the header.');
  if (path !== undefined && problem.instance !== undefined && problem.instance !== path)
    faults.push('The instance is not the path.');
  if ((status === 429 || status === 503) && !/^\d+$/.test(headers.get('retry-after') ?? ''))
    faults.push('There is no Retry-After.');
  if (status === 401 && !headers.has('www-authenticate')) faults.push('There is no challenge.');
  if (status === 405 && !headers.has('allow')) faults.push('There is no Allow.');
  // Names of members and parameters come back, in pointers; the path does, as the instance. Nothing else that was sent.
  const told = {
    ...problem,
    instance: '',
    requestId: '',
    detail: withoutPointer(problem),
    errors: problem.errors?.map(({ code, detail }) => ({ code, detail })),
  };
  if (canaries.some((canary) => JSON.stringify(told).includes(canary))) faults.push('The error tells a value.');
  return faults;
}

function withoutPointer({ detail = '', errors }: Problem): string {
  return detail.replace(errors?.[0]?.pointer ?? '', '');
}

/** Secrets come back from nowhere; new ones only to operators who make them, and to who shows his credentials. */
function secretFaults({ headers, body }: HttpAnswer, { written }: Asked, secrets: Secrets): string[] {
  const lines = [...headers].map((pair) => pair.join(': ')).join('\n');
  const faults: string[] = [];
  if (secrets.leaks(lines) || secrets.leaks(body.toString())) faults.push('A secret is told.');
  if (canaries.some((canary) => lines.includes(canary))) faults.push('A header tells a value.');
  const mayGet =
    written.includes(placeholders.operatorToken) ||
    written.includes(placeholders.clientSecret) ||
    written.includes(placeholders.operatorSecret) ||
    written.includes(placeholders.basic);
  if (!mayGet && /"(?:clientSecret|access_token)":"/.test(body.toString()))
    faults.push('Who proved nothing gets a secret.');
  return faults;
}

/** Who brings no valid token gets no data, and nobody gets those of the other scope. */
function dataFaults(text: string, status: number, { written }: Asked): string[] {
  if (status >= 400) return [];
  const [isApi, isOperator] = [placeholders.apiToken, placeholders.operatorToken].map((token) =>
    written.includes(token),
  );
  const faults: string[] = [];
  if (!isApi && !isOperator && canaries.some((canary) => text.includes(canary)))
    faults.push('Data comes without a token.');
  if (!isOperator && text.includes(OPERATORS)) faults.push("An operator's data comes without his token.");
  return faults;
}
