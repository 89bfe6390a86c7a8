import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { TestService } from '../service.ts';
import { answerFaults } from './answer-faults.ts';
import { readable, reported, writtenRequest, type FuzzRequest } from './fuzz-request.ts';
import { httpConnection, rawExchange } from './http-connection.ts';
import type { LogWatch } from './log-watch.ts';
import { modelFaults, pathOf, routeOf } from './model-faults.ts';
import { rawBytes } from './raw-bytes.ts';
import type { HttpAnswer } from './read-answer.ts';
import { requests } from './requests.ts';
import type { Secrets } from './secrets.ts';

/** The running service, and what all lanes know of it. */
export interface Target {
  readonly service: TestService;
  readonly secrets: Secrets;
  readonly log: LogWatch;
  /** Called with the route, where there is one, and the status of each answer. */
  readonly onAnswer: (route: string | undefined, status: number) => void;
  /** Whether another lane has failed, and nothing more is to be asked. */
  readonly isOver: () => boolean;
}

/** One input after the other, and what must hold of it. */
export interface Lane {
  readonly property: fc.IAsyncPropertyWithHooks<[unknown]>;
  readonly close: () => void;
}

/** Requests on a connection that is kept alive. */
export function requestLane({ service, secrets, log, onAnswer, isOver }: Target): Lane {
  const connection = httpConnection(portOf(service));
  const input = requests.map((request) => reported({ ...request }, (one) => writtenRequest(one)));

  async function ask(request: FuzzRequest): Promise<void> {
    if (isOver()) return;
    const requestId = randomUUID();
    const named = { ...request, headers: [...request.headers, ['X-Request-Id', requestId] as const] };
    const [head, path] = [request.method === 'HEAD', secrets.fill(pathOf(request))];
    const answer = await connection.exchange(Buffer.from(writtenRequest(named, secrets.fill), 'latin1'), head);
    if (!answer) throw new Error('The connection was closed without an answer.');
    onAnswer(routeOf(request)?.id, answer.status);
    const faults = [
      ...(isAnswerOf(requestId, request, answer) ? [] : ['The answer is that of another request.']),
      ...answerFaults(answer, { written: writtenRequest(request), path, head }, secrets),
      ...modelFaults(request, answer),
      ...(await log.faultsOf(answer.headers.get('x-request-id') ?? '')),
    ];
    throwFaults(faults, secrets, answer);
  }
  return { property: fc.asyncProperty(input, ask), close: () => connection.close() };
}

/** Whether an answer is that of a request that was sent with an id. */
export function isAnswerOf(requestId: string, request: FuzzRequest, { headers }: HttpAnswer): boolean {
  const bringsAnother = request.headers.some(([name]) => name === 'X-Request-Id');
  // What is not read as a request has no id of its own.
  return bringsAnother || headers.get('x-request-id') === requestId || headers.get('connection') === 'close';
}

/** Bytes, each time on a connection of their own; whoever comes next is served, and with nothing of what came before. */
export function rawLane({ service, secrets, onAnswer, isOver }: Target): Lane {
  const input = rawBytes.map((written) => reported({ written }, (one) => one.written));

  async function ask({ written }: { written: string }): Promise<void> {
    if (isOver()) return;
    const answers = await rawExchange(portOf(service), Buffer.from(secrets.fill(written), 'latin1'));
    for (const answer of answers) {
      onAnswer(undefined, answer.status);
      const head = answer.body.length === 0 && written.includes('HEAD');
      throwFaults(answerFaults(answer, { written, head }, secrets), secrets, answer);
    }
    const requestId = randomUUID();
    const next = await fetch(`${service.baseUrl}/livez`, { headers: { 'x-request-id': requestId } });
    await next.arrayBuffer();
    if (next.status !== 200 || next.headers.get('x-request-id') !== requestId)
      throw new Error('The next request is not served.');
  }
  return { property: fc.asyncProperty(input, ask), close: () => {} };
}

function portOf({ baseUrl }: TestService): number {
  return Number(new URL(baseUrl).port);
}

function throwFaults(faults: readonly string[], secrets: Secrets, answer: HttpAnswer): void {
  if (faults.length === 0) return;
  const body = readable(secrets.hide(answer.body.toString('latin1')));
  throw new Error([...new Set(faults), `${answer.status} ${body}`].join('\n'));
}
