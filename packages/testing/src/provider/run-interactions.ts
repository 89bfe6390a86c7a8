import { fork, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { pactCoreUrl } from '../contract/pact-core.ts';
import { jsonOf, verbatimJson, type Pact } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { cleanUp, send, setUp, type InteractionRun, type ProviderResponse } from './interaction-run.ts';
import type { VerifyOptions } from './verify-options.ts';

/** Longer than the proxy waits for the provider, which reports a timeout. */
const MAX_REQUEST_MS = 120_000;
const STATES = '/_states';
const PACTS = '/_pacts/';

/** A difference between a response and its contract, without Pact's own description, which contains values. */
const Mismatch = z.looseObject({
  type: z.string(),
  path: z.string().default(''),
  key: z.string().default(''),
  /** Whether Pact cannot apply the rule of the pact. */
  mismatch: z
    .string()
    .default('')
    .transform((reason) => /is not a valid regular expression|No catalogue entry found/.test(reason)),
});

const Outcome = z.looseObject({
  description: z.string(),
  result: z.string(),
  mismatch: z.looseObject({ message: z.string().optional(), mismatches: z.array(Mismatch).default([]) }).nullish(),
});

const Results = z.looseObject({
  interactionResults: z.array(Outcome).catch([]),
  errors: z.array(z.looseObject({ mismatch: z.looseObject({ message: z.string().optional() }) })).catch([]),
});

/** The result of Pact for one interaction. */
export type Outcome = z.output<typeof Outcome>;

/**
 * Runs interactions with Pact's core, through a proxy that sets up states, inserts real tokens and keeps each response.
 * Pact receives the parsed pacts with numbers instead of descriptions and states. So each request and result belongs to
 * exactly one interaction, and filters, pending flags and later file changes have no effect.
 *
 * @throws {HrTestingError} `verification-failed` unless Pact returns an outcome for each interaction;
 * `missing-package`.
 */
export async function runInteractions(
  options: VerifyOptions,
  pacts: readonly Pact[],
): Promise<readonly (InteractionRun & { readonly outcome: Outcome })[]> {
  const runs = pacts.flatMap((pact) =>
    pact.interactions.map((interaction): InteractionRun => ({ pact, interaction, faults: [] })),
  );
  let current: InteractionRun | undefined;

  async function respond(request: IncomingMessage): Promise<ProviderResponse> {
    const { url = '' } = request;
    const pact = url.startsWith(PACTS) && pacts[Number(url.slice(PACTS.length))];
    const first = runs.findIndex((run) => run.pact === pact);
    if (pact) return jsonResponse(numbered(pact, first));
    if (url !== STATES && current) return send(current, options, request);
    const { action, state } = (await json(request)) as { readonly action: string; readonly state: string };
    if (action === 'setup') {
      if (current) await cleanUp(current, options);
      current = runs[Number(state)];
      if (current) await setUp(current, options);
    }
    return jsonResponse({});
  }

  const server = createServer((request, response) => {
    // It rejects only if the verifier itself disconnects.
    respond(request)
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const pactUrls = pacts.map((_, index) => `${url}${PACTS}${index}`);
    const { interactionResults, errors } = await runPact(url, pactUrls);
    if (current) await cleanUp(current, options);
    return runs.map((run, index) => {
      const outcome = interactionResults.find(({ description }) => description === String(index));
      if (outcome) return { ...run, outcome };
      const reasons = errors.flatMap(({ mismatch: { message = [] } }) => message);
      const sentence = `Pact's verifier returned no result for ${run.pact.consumer}: ${run.interaction.description}.`;
      throw new HrTestingError('verification-failed', [sentence, ...reasons, remedyFor(run.pact)].join('\n'));
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function remedyFor({ text, consumer }: Pact): string {
  const { metadata } = verbatimJson(text) as { readonly metadata: object };
  return 'plugins' in metadata
    ? `The pact of ${consumer} needs a Pact plugin, which the verifier does not run. Write it without plugins.`
    : 'Verify again with more memory. If that fails, verify parts of the pact to find the interaction that causes it.';
}

function jsonResponse(content: object): ProviderResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(content)) };
}

function numbered({ text }: Pact, first: number): object {
  const { consumer, provider, metadata, interactions } = verbatimJson(text) as Record<string, unknown>;
  const each = (interactions as object[]).map((interaction, index) => {
    const number = String(first + index);
    return { ...interaction, pending: false, description: number, providerStates: [{ name: number }] };
  });
  return { consumer, provider, metadata, interactions: each };
}

/** Pact's core writes to the output of its process and reads its environment, so it runs in a separate process. */
async function runPact(url: string, pactUrls: readonly string[]): Promise<z.output<typeof Results>> {
  const options = {
    provider: PROVIDER_NAME,
    providerBaseUrl: url,
    providerStatesSetupUrl: url + STATES,
    pactUrls,
    failIfNoPactsFound: true,
    followRedirects: false,
    timeout: MAX_REQUEST_MS,
    logLevel: 'error',
  };
  const task = { pactCore: pactCoreUrl(), options };
  // Pact's variables could filter interactions, add pacts or publish results. Proxies must not receive local requests.
  const kept = Object.entries(process.env).filter(([name]) => !/^PACT_|_PROXY$/i.test(name));
  const own = { PACT_DO_NOT_TRACK: 'true', SCARF_ANALYTICS: 'false', NO_PROXY: '127.0.0.1' };
  const environment = JSON.stringify({ ...Object.fromEntries(kept), ...own });
  const child = takeProcess(environment);
  const output = await new Promise<string>((resolve) => {
    const events = ['message', 'error', 'disconnect'];
    function end(message: unknown): void {
      for (const event of events) child.off(event, end);
      resolve(typeof message === 'string' ? message : 'Its process exited early.');
    }
    for (const event of events) child.on(event, end);
    child.send(task, () => undefined);
  });
  if (child.connected) keepProcess(child, environment);
  return Results.parse(jsonOf(output) ?? { errors: [{ mismatch: { message: output } }] });
}

/** The process of the last verification. The next one takes a fifth of the time with it, because it has loaded Pact's core. */
let idle: { readonly child: ChildProcess; readonly environment: string } | undefined;

/** Takes the idle process if it has this environment. Otherwise starts one. */
function takeProcess(environment: string): ChildProcess {
  if (idle?.environment === environment && idle.child.connected) {
    const { child } = idle;
    idle = undefined;
    child.ref();
    child.channel?.ref();
    return child;
  }
  const program = fileURLToPath(new URL(`./pact-process${extname(import.meta.url)}`, import.meta.url));
  const env = JSON.parse(environment) as NodeJS.ProcessEnv;
  return fork(program, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

/** Keeps a process for the next verification. It exits when this process does, and does not keep it running. */
function keepProcess(child: ChildProcess, environment: string): void {
  if (idle?.child.connected) idle.child.disconnect();
  idle = { child, environment };
  child.unref();
  child.channel?.unref();
}
