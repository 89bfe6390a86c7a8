import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { changeState, messageOf } from './change-state.ts';
import { forwardRequest } from './forward-request.ts';
import type { Forwarded } from './forward-request.ts';
import { isOwnToken, replaceToken } from './replace-token.ts';
import { runHook } from './run-hook.ts';
import type { VerifyOptions } from './verify-options.ts';
import { newVisit } from './visit.ts';
import type { Visit } from './visit.ts';

const STATES_PATH = '/_pactSetup';

/** No contract expects it, so an interaction that could not be tried fails at the verifier, too, and a broker is told so. */
const NOT_TRIED: Forwarded = { status: 599, headers: {}, body: Buffer.from('') };

const STATES_CHANGED: Forwarded = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
};

/** Pact follows, and its command line cannot be told not to; what it finds there is not what the provider answers. */
const REDIRECTED = 'The contract expects an answer, and the provider redirects.';

/** Stands between a verifier and the provider: it makes the states true, puts real tokens in, and sees what passes. */
export interface VerificationProxy {
  readonly port: number;
  /** Where a verifier asks for states, and says that an interaction is over. */
  readonly statesUrl: string;
  /** The interactions so far, in their order. */
  readonly visits: readonly Visit[];
  stop(): Promise<void>;
}

type ProxyOptions = Pick<VerifyOptions, 'provider' | 'states' | 'reset' | 'token' | 'tokenWithoutScope'>;

/** A verifier tries one interaction after the other, and says when one is over; that tells them apart here. */
export async function startVerificationProxy(options: ProxyOptions): Promise<VerificationProxy> {
  const visits: Visit[] = [];

  async function currentVisit(): Promise<Visit> {
    const last = visits.at(-1);
    if (last && !last.isOver) return last;
    const visit = newVisit();
    visits.push(visit);
    await note(visit, 'reset', 'The option reset has thrown: ', () => runHook(() => options.reset?.()));
    return visit;
  }

  async function takeStateChange(request: IncomingMessage): Promise<void> {
    const { action, state, params } = JSON.parse((await buffer(request)).toString()) as StateChange;
    if (action === 'teardown') {
      // It comes once for each state.
      const last = visits.at(-1);
      if (last) last.isOver = true;
      return;
    }
    const visit = await currentVisit();
    // An interaction without states is begun by a state without a name.
    if (state) await changeState(visit, { name: state, parameters: params }, options.states);
  }

  async function takeRequest(request: IncomingMessage): Promise<Forwarded | undefined> {
    const visit = await currentVisit();
    if (visit.isRequested) visit.faults.push({ place: 'status', sentence: REDIRECTED });
    visit.isRequested = true;
    const body = await buffer(request);
    const { method, url: path = '/', headers } = request;
    const { authorization } = headers;
    if (authorization && visit.faults.length === 0) {
      await note(visit, 'header Authorization', '', async () => {
        headers.authorization = await replaceToken(authorization, options);
      });
    }
    if (visit.faults.length > 0) return undefined;
    return note(visit, 'provider', 'It has given no answer: ', async () => {
      const answer = await forwardRequest(options.provider.url, { method, path, headers, body });
      visit.answer = jsonOf(answer.body);
      visit.isOwnTokenRefused = answer.status === 401 && isOwnToken(authorization);
      return answer;
    });
  }

  const server = createServer((request, response) => {
    const taken =
      request.url === STATES_PATH
        ? takeStateChange(request).then(() => STATES_CHANGED)
        : takeRequest(request).then((answer) => answer ?? NOT_TRIED);
    // It rejects only where the verifier itself breaks off.
    taken
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    statesUrl: `http://127.0.0.1:${port}${STATES_PATH}`,
    visits,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface StateChange {
  readonly action?: 'setup' | 'teardown';
  readonly state?: string;
  readonly params?: unknown;
}

/** Does something, and notes it as a fault of the interaction when that fails. */
async function note<Value>(
  visit: Visit,
  place: string,
  prefix: string,
  doIt: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await doIt();
  } catch (error) {
    visit.errors.push(error);
    visit.faults.push({ place, sentence: prefix + messageOf(error) });
    return undefined;
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
