import { Problem, problemKinds, problemType, TokenError } from '@hr/schemas';
import type { ProblemKind } from '@hr/schemas';
import { z } from 'zod';
import type { HttpAnswer } from './read-answer.ts';

const StrictProblem = Problem.extend({ importId: z.string().optional() }).strict();
const StrictTokenError = TokenError.strict();
const formPath = /^\/api\/oauth2\/(?:token|revoke|introspect)$/;

/** What an error answer tells, apart from what it may repeat of its request. */
export interface ErrorAnswer {
  readonly faults: readonly string[];
  readonly told: string;
}

/**
 * What is wrong with an error answer, in words.
 *
 * @param path what was asked, where that is known
 */
export function errorAnswer({ status, headers, body }: HttpAnswer, path: string | undefined): ErrorAnswer {
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
    [![429, 503].includes(status) || /^\d+$/.test(headers.get('retry-after') ?? ''), 'There is no Retry-After.'],
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
