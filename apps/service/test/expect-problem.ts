import { Problem, problemKinds, problemType, type ProblemKind } from '@hr/schemas';
import { expect } from 'vitest';
import type { Answer } from './service.ts';

const LooseProblem = Problem.loose();

interface Sent {
  /** The address, with its query; none where nothing became a request. */
  readonly path?: string;
  /** The body, where the problem is in it. */
  readonly body?: unknown;
}

/** Expects the whole of an error answer: a problem of this kind, at this address, whose pointers lead into the body. */
export function expectProblem(answer: Answer, kind: ProblemKind, { path, body }: Sent): Problem {
  const { status, title } = problemKinds[kind];
  expect(answer.status).toBe(status);
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  const problem = LooseProblem.parse(answer.body);
  const instance = path?.split('?')[0];
  expect(problem).toMatchObject({
    type: problemType(kind),
    title,
    status,
    detail: expect.stringMatching(/^[A-Z/].+\.$/) as string,
    ...(instance !== undefined && { instance }),
    requestId: answer.headers.get('x-request-id'),
  });
  if (body !== undefined) {
    const astray = problem.errors?.filter(({ pointer, code }) => !leads(pointer, code, body));
    expect(astray ?? []).toEqual([]);
  }
  return problem;
}

/** Whether a JSON Pointer (RFC 6901) leads to something in a body, or to where something is missing. */
function leads(pointer: string, code: string, body: unknown): boolean {
  const names = pointer.split('/').slice(1);
  let found = body;
  for (const [index, name] of names.entries()) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    const isLast = index === names.length - 1;
    if (typeof found !== 'object' || found === null) return false;
    if (!Object.hasOwn(found, key)) return isLast && code === 'required';
    found = (found as Record<string, unknown>)[key];
  }
  return true;
}
