import { problemKinds } from '@hr/schemas';
import { OPERATORS, SENT, STORED, STORED_NUMBER } from './canaries.ts';
import { errorAnswer } from './problem-faults.ts';
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
const statuses = new Set([200, 304, 308, ...Object.values(problemKinds).map(({ status }) => status)]);

const { apiToken, operatorToken, clientSecret, operatorSecret, basic } = placeholders;
/** What proves who asks. */
const proofs = [operatorToken, clientSecret, operatorSecret, basic];

/** What is wrong with an answer whatever was asked, in words; nothing where it is as it should be. */
export function answerFaults(answer: HttpAnswer, { written, path, head = false }: Asked, secrets: Secrets): string[] {
  const { status, headers, body } = answer;
  const isError = status >= 400;
  const { faults, told } = isError && !head ? errorAnswer(answer, path) : { faults: [], told: body.toString() };
  const lines = [...headers].map((pair) => pair.join(': ')).join('\n');
  const sends = (...secret: readonly string[]): boolean => secret.some((one) => written.includes(one));
  const rules: [holds: boolean, fault: string][] = [
    [status < 500 && statuses.has(status), 'The status is none that it should be.'],
    [headers.get('x-content-type-options') === 'nosniff', 'There is no nosniff.'],
    [headers.has('x-request-id'), 'There is no request id.'],
    [!tells(lines), 'A header tells a value.'],
    [!secrets.leaks(lines) && !secrets.leaks(told), 'A secret is told.'],
    [!/"(?:clientSecret|access_token)":"/.test(told) || sends(...proofs), 'Who proves nothing gets a secret.'],
    [
      !tells(told) || (!isError && sends(apiToken, operatorToken)),
      'An error, or an answer without a token, tells a value.',
    ],
    [!told.includes(OPERATORS) || sends(operatorToken), 'An answer tells without their token what is for operators.'],
  ];
  return [...faults, ...rules.flatMap(([holds, fault]) => (holds ? [] : [fault]))];
}

function tells(text: string): boolean {
  return canaries.some((canary) => text.includes(canary));
}
