import { Problem, problemKinds, problemType, TokenError, type ProblemKind } from '@hr/schemas';
import { z } from 'zod';
import { OPERATORS, tellsValue } from './canaries.ts';
import type { HttpAnswer } from './read-answer.ts';
import { placeholders, type Secrets } from './secrets.ts';

const StrictProblem = Problem.extend({ importId: z.string().optional() }).strict();
const StrictTokenError = TokenError.strict();
const formPath = /^\/api\/oauth2\/(?:token|revoke|introspect)$/;

/** What was sent for an answer. */
interface Asked {
  /** With placeholders. */
  readonly written: string;
  /** The address without its query, where it is known which request is answered. */
  readonly path?: string;
  /** Whether the answer comes without its body. */
  readonly head?: boolean;
  /** Whether the service may say that it is unavailable. */
  readonly disturbed?: boolean;
}

const statuses = new Set([200, 304, 308, ...Object.values(problemKinds).map(({ status }) => status)]);

const { apiToken, operatorToken, clientSecret, operatorSecret, basic } = placeholders;
/** What proves who asks. */
const proofs = [operatorToken, clientSecret, operatorSecret, basic];

/** What is wrong with an answer whatever was asked, in words; nothing where it is as it should be. */
export function answerFaults(
  answer: HttpAnswer,
  { written, path, head = false, disturbed = false }: Asked,
  secrets: Secrets,
): string[] {
  const { status, headers, body } = answer;
  const isError = status >= 400;
  const { faults, told } = isError && !head ? errorAnswer(answer, path) : { faults: [], told: body.toString() };
  const lines = [...headers].map((pair) => pair.join(': ')).join('\n');
  const sends = (...secret: readonly string[]): boolean => secret.some((one) => written.includes(one));
  const rules: [holds: boolean, fault: string][] = [
    [statuses.has(status) && (status < 500 || (status === 503 && disturbed)), 'The status is none that it should be.'],
    [headers.get('x-content-type-options') === 'nosniff', 'There is no nosniff.'],
    [headers.has('x-request-id'), 'There is no request id.'],
    [!tellsValue(lines), 'A header tells a value.'],
    [!secrets.leaks(lines) && !secrets.leaks(told), 'A secret is told.'],
    [!/"(?:clientSecret|access_token)":"/.test(told) || sends(...proofs), 'Who proves nothing gets a secret.'],
    [
      !tellsValue(told) || (!isError && sends(apiToken, operatorToken)),
      'An error, or an answer without a token, tells a value.',
    ],
    [!told.includes(OPERATORS) || sends(operatorToken), 'An answer tells without their token what is for operators.'],
  ];
  return [...faults, ...rules.flatMap(([holds, fault]) => (holds ? [] : [fault]))];
}

/** What an error answer tells, apart from what it may repeat of its request. */
interface ErrorAnswer {
  readonly faults: readonly string[];
  readonly told: string;
}

/**
 * What is wrong with an error answer, in words.
 *
 * @param path what was asked, where that is known
 */
function errorAnswer({ status, headers, body }: HttpAnswer, path: string | undefined): ErrorAnswer {
  const told = body.toString();
  const json = parsed(told);
  if (headers.get('content-type') !== 'application/problem+json') {
    const isRefusal = (status === 400 || status === 401) && StrictTokenError.safeParse(json).success;
    const isForm = path === undefined || formPath.test(path);
    return { faults: isRefusal && isForm ? [] : ['The error is neither a problem nor one of OAuth.'], told };
  }
  const { data: problem } = StrictProblem.safeParse(json);
  if (!problem) return { faults: ['The problem is not of its model.'], told };
  const kinds = Object.entries(problemKinds) as [ProblemKind, { status: number; title: string }][];
  const [, kind] = kinds.find(([name]) => problemType(name) === problem.type) ?? [];
  const rules: [holds: boolean, fault: string][] = [
    [kind?.status === status && problem.status === status, 'The problem is of another status.'],
    [kind?.title === problem.title, 'The problem has another title.'],
    [problem.requestId === headers.get('x-request-id'), 'The request id is not that of the header.'],
    [[path, undefined].includes(problem.instance) || path === undefined, 'The instance is not the path.'],
    [headers.get('cache-control') === 'no-store', 'The problem may be stored.'],
    [status !== 429 || /^\d+$/.test(headers.get('retry-after') ?? ''), 'There is no Retry-After.'],
    [status !== 401 || headers.has('www-authenticate'), 'There is no challenge.'],
    [status !== 405 || headers.has('allow'), 'There is no Allow.'],
  ];
  return { faults: rules.flatMap(([holds, fault]) => (holds ? [] : [fault])), told: withoutNames(problem) };
}

/** The path comes back, as the instance, and so do names of members and parameters, in pointers; no value does. */
function withoutNames({ detail = '', errors = [], ...problem }: Problem): string {
  const [first] = errors;
  return JSON.stringify({
    ...problem,
    instance: '',
    requestId: '',
    detail: first ? detail.replace(first.pointer, '') : detail,
    errors: errors.map((error) => error.detail),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
