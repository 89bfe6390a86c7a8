import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { bffRequests } from 'console/test/bff-requests.ts';
import { answerFaults } from 'service/test/fuzz/answer-faults.ts';
import { SENT, tellsValue } from 'service/test/fuzz/canaries.ts';
import { readable, writtenRequest, type FuzzRequest } from 'service/test/fuzz/fuzz-request.ts';
import { httpConnection, rawExchange, type HttpConnection } from 'service/test/fuzz/http-connection.ts';
import { isAnswerOf } from 'service/test/fuzz/lane.ts';
import { modelFaults, pathOf, routeOf } from 'service/test/fuzz/model-faults.ts';
import type { HttpAnswer } from 'service/test/fuzz/read-answer.ts';
import type { Secrets } from 'service/test/fuzz/secrets.ts';
import { Ledger } from './ledger.ts';
import { readBack, readConsole, type Copies } from './read-back.ts';
import type { Stage } from './stage.ts';
import type { Step } from './steps.ts';
import { Broken, openWorld, type World } from './world.ts';
import type { Owner, Sent } from './writes.ts';

/** A law that did not hold. */
export interface Finding {
  readonly law: string;
  readonly detail: string;
  /** The index of the last step that had begun. */
  readonly at: number;
}

export interface Observer {
  readonly onAnswer: (operation: string, status: number | undefined) => void;
  readonly onFault: (fault: string) => void;
  readonly isOver: () => boolean;
}

/** What the steps of a run share. */
interface Run extends Observer {
  readonly world: World;
  readonly ledger: Ledger;
  /** Ids of responses, by who has seen them and their kind. */
  readonly seen: Map<string, string[]>;
  readonly tokens: string[];
  readonly copies: Copies;
  readonly connections: Map<number | 'console', HttpConnection>;
}

const FAULT_POLL_MS = 10;

/**
 * Does steps on a new database: those of a lane one after the other, lanes at the same time, and a fault once as many
 * steps are done as stand before it. A check waits for all of them.
 */
export async function play(stage: Stage, steps: readonly Step[], observer: Observer): Promise<Finding | undefined> {
  await using world = await openWorld(stage);
  const shared = { ledger: new Ledger(), seen: new Map(), tokens: [], copies: new Map(), connections: new Map() };
  const run: Run = { ...observer, world, ...shared };
  let finding: Finding | undefined;
  let done = 0;
  let begun = 0;
  const isOver = (): boolean => finding !== undefined || observer.isOver();
  const isEarly = (at: number): boolean => done < at && !isOver();
  const untilTurn = async (at: number): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- until others have done theirs
    while (isEarly(at)) await setTimeout(FAULT_POLL_MS);
  };
  const attempt = async (step: Step, at: number): Promise<void> => {
    begun = Math.max(begun, at);
    try {
      await doStep(run, step);
    } catch (error) {
      const { message } = error as Error;
      finding ??= { law: error instanceof Broken ? error.law : message, detail: message, at: begun };
    }
    done++;
  };
  // oxlint-disable no-await-in-loop -- a step begins when those before it in its lane have ended
  for (let from = 0; from < steps.length && !isOver();) {
    const check = steps.findIndex(({ kind }, at) => at >= from && kind === 'check');
    const to = check === -1 ? steps.length : check;
    const places = [...steps.entries()].slice(from, to);
    const lanes = Map.groupBy(places, ([, step]) => ('lane' in step ? step.lane : undefined));
    await Promise.all(
      [...lanes].map(async ([lane, ofLane]) => {
        for (const [at, step] of ofLane) {
          if (lane === undefined) await untilTurn(at);
          if (isOver()) return;
          await attempt(step, at);
        }
      }),
    );
    const step = steps[to];
    if (!finding && step) await attempt(step, to);
    from = to + 1;
  }
  // oxlint-enable no-await-in-loop
  for (const connection of run.connections.values()) connection.close();
  return finding;
}

async function doStep(run: Run, step: Step): Promise<void> {
  const { world } = run;
  if (step.kind === 'request') await sendRequest(run, step.lane, step);
  else if (step.kind === 'raw') await sendBytes(run, step.lane, step.bytes);
  else if (step.kind === 'console') await sendToConsole(run, step.request);
  else if (step.kind === 'fault') {
    run.onFault(step.fault);
    await world.disturb(step.fault, step.ms);
  } else {
    await readBack(world, run);
    if (run.connections.has('console')) await readConsole(world);
    await world.examine();
  }
}

/** Puts ids of earlier responses, or one that is unknown, where their placeholders are. */
function fillSeen(text: string, seen: Run['seen']): string {
  return text.replaceAll(/~seen:(\w+:\w+):(\d+)~/g, (_, name: string, index: string) => {
    const known = seen.get(name) ?? [];
    return known[Number(index) % known.length] ?? 'none';
  });
}

async function sendRequest(run: Run, lane: number, { request, write, owner }: Sent): Promise<void> {
  const { world, ledger, seen, connections } = run;
  await world.listening();
  const secrets = secretsOf(world, lane);
  const fill = (text: string): string => secrets.fill(fillSeen(text, seen));
  const connection = connections.get(lane) ?? httpConnection(world.port);
  // What is sent once has to be sent once: a connection that is kept may send it again.
  if (!write) connections.set(lane, connection);
  const once = write ? httpConnection(world.port) : connection;
  const requestId = randomUUID();
  const named = { ...request, headers: [...request.headers, ['X-Request-Id', requestId] as const] };
  const [head, path] = [request.method === 'HEAD', fill(pathOf(request))];
  const filled = write && { ...write, ...(write.register && { register: fill(write.register) }) };
  const began = performance.now();
  const answer = await answerTo(world, began, request, () =>
    once.exchange(Buffer.from(writtenRequest(named, fill), 'latin1'), head),
  );
  if (write) once.close();
  const disturbed = world.disturbedSince(began);
  const operation = routeOf(request)?.id ?? /oauth2\/(\w+)$/.exec(path)?.[1] ?? 'other addresses';
  run.onAnswer(operation, answer?.status);
  if (!answer) {
    if (filled) ledger.note(filled, 'unknown');
    return;
  }
  const faults = [
    ...(isAnswerOf(requestId, request, answer) ? [] : ['The answer is that of another request.']),
    ...answerFaults(answer, { written: writtenRequest(request), path, head, disturbed }, secrets),
    ...modelFaults(request, answer),
  ];
  throwFaults(operation, faults, request, answer, secrets);
  const id = answer.status === 200 ? takeIds(run, operation, owner, answer) : undefined;
  if (!filled) return;
  if (filled.register?.startsWith('person ') && answer.status === 200)
    add(seen, `${owner}:personId`, filled.register.slice('person '.length));
  const register = filled.register?.endsWith(' ') ? filled.register + (id ?? ' ') : filled.register;
  ledger.note({ ...filled, ...(register && { register }) }, outcomeOf(operation, answer));
}

/** A 503 says whether the change may be stored. What a feed has stored stays. */
function outcomeOf(operation: string, { status, body }: HttpAnswer): Parameters<Ledger['note']>[1] {
  if (status === 200) return 'stored';
  if (status !== 503) return 'refused';
  return operation === 'operatorImportFeed' || body.includes('may be stored or not') ? 'unknown' : 'refused';
}

const MAX_SEEN = 30;

function add(seen: Run['seen'], name: string, id: string): void {
  seen.set(name, [...(seen.get(name) ?? []), id].slice(-MAX_SEEN));
}

/** Keeps the ids of a response, and returns that of what was created. */
function takeIds({ seen, tokens }: Run, operation: string, owner: Owner, answer: HttpAnswer): string | undefined {
  const cursor = answer.headers.get('hr-cursor');
  if (cursor !== null) add(seen, `${owner}:cursor`, cursor);
  if (operation === 'operatorListVariablePayments') {
    const payments = JSON.parse(answer.body.toString()) as { id: string }[];
    for (const { id } of payments) add(seen, `${owner}:paymentId`, id);
  }
  if (!['operatorCreateClient', 'createWebhookEndpoint', 'token'].includes(operation)) return undefined;
  const created = JSON.parse(answer.body.toString()) as Record<string, string | undefined>;
  const { id, clientId, access_token: token } = created;
  if (token !== undefined && owner !== 'shared') tokens.push(token);
  if (clientId !== undefined) add(seen, `${owner}:clientId`, clientId);
  if (id !== undefined) add(seen, `${owner}:endpointId`, id);
  return id ?? clientId;
}

async function sendBytes({ world, onAnswer }: Run, lane: number, bytes: string): Promise<void> {
  await world.listening();
  const secrets = secretsOf(world, lane);
  const began = performance.now();
  const exchange = rawExchange(world.port, Buffer.from(secrets.fill(bytes), 'latin1'));
  const answers = await exchange.catch((error: unknown) => {
    if (world.disturbedSince(began)) return [];
    throw error;
  });
  const disturbed = world.disturbedSince(began);
  for (const answer of answers) {
    onAnswer('raw bytes', answer.status);
    const head = answer.body.length === 0 && bytes.includes('HEAD');
    throwFaults(
      'raw bytes',
      answerFaults(answer, { written: bytes, head, disturbed }, secrets),
      bytes,
      answer,
      secrets,
    );
  }
}

/** How long the console may need to follow the service again. */
const CONSOLE_FOLLOWS_MS = 30_000;

async function sendToConsole({ world, connections, onAnswer }: Run, request: FuzzRequest): Promise<void> {
  const sessions = await world.sessions();
  const fill = (text: string): string =>
    text
      .replaceAll('~session~', sessions.all)
      .replaceAll('~viewer-session~', sessions.viewer)
      .replaceAll('~console~', `localhost:${world.consolePort}`);
  const connection = httpConnection(world.consolePort);
  connections.set('console', connection);
  const began = performance.now();
  const answer = await answerTo(world, began - CONSOLE_FOLLOWS_MS, request, () =>
    connection.exchange(Buffer.from(writtenRequest(request, fill), 'latin1'), request.method === 'HEAD'),
  );
  connection.close();
  const path = pathOf(request);
  const route = Object.keys(bffRequests).find((one) => {
    const [method = '', url = ''] = one.split(' ');
    return method === request.method && new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  });
  const operation = route ?? 'other addresses of the console';
  onAnswer(operation, answer?.status);
  if (!answer) return;
  const { status, headers, body } = answer;
  const lines = [...headers].map((pair) => pair.join(': ')).join('\n');
  const isUnavailable = [502, 503, 507].includes(status) && world.disturbedSince(began - CONSOLE_FOLLOWS_MS);
  const isSigned = request.headers.some(([, value]) => value.includes('session~'));
  const rules: [holds: boolean, fault: string][] = [
    [status < 500 || isUnavailable, 'The status is none that it should be.'],
    // What Node.js cannot read reaches no handler.
    [
      headers.get('x-content-type-options') === 'nosniff' || [400, 408, 417, 431].includes(status),
      'There is no nosniff.',
    ],
    [!world.leaks(body.toString()) && !world.leaks(lines), 'A secret is told.'],
    // An error names the members of its request.
    [!tellsValue(body.toString().replaceAll(SENT, '')) || isSigned, 'Who is not signed in gets a value.'],
  ];
  const faults = rules.flatMap(([holds, fault]) => (holds ? [] : [fault]));
  throwFaults(operation, faults, request, answer, secretsOf(world, 0));
}

/** An answer; `undefined` where a disturbance took it. */
async function answerTo(
  world: World,
  began: number,
  request: FuzzRequest,
  exchange: () => Promise<HttpAnswer | undefined>,
): Promise<HttpAnswer | undefined> {
  try {
    const answer = await exchange();
    if (answer || world.disturbedSince(began)) return answer;
  } catch (error) {
    if (world.disturbedSince(began)) return undefined;
    throw new Broken((error as Error).message, readable(writtenRequest(request)));
  }
  throw new Broken('The connection is closed without an answer', readable(writtenRequest(request)));
}

function secretsOf({ stage }: World, lane: number): Secrets {
  return stage.secrets[lane] as Secrets;
}

function throwFaults(
  operation: string,
  faults: readonly string[],
  request: FuzzRequest | string,
  answer: HttpAnswer,
  secrets: Secrets,
): void {
  const [first] = faults;
  if (first === undefined) return;
  const written = readable(typeof request === 'string' ? request : writtenRequest(request));
  const body = readable(secrets.hide(answer.body.toString('latin1')));
  throw new Broken(
    `${operation}: ${first}`,
    `${[...new Set(faults)].join('\n')}\n${written}\n${answer.status} ${body}`,
  );
}
