import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { makeConsumerPact } from '@pact-foundation/pact-core';
import { pactCoreUrl } from '../contract/pact-core.ts';
import type { Interaction } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { differencesOf } from './differences.ts';
import type { Exchange } from './exchange.ts';

// Version 4 of the pact specification, as Pact's core numbers it.
const SPECIFICATION_V4 = 5;

/** Starts Pact's mock server, on a free port of this machine. It expects one request and responds with the example. */
export async function startMockHrCloud(consumer: string, exchange: Exchange) {
  // Turns off the telemetry of Pact.
  process.env['PACT_DO_NOT_TRACK'] = 'true';
  const core = (await import(pactCoreUrl())) as { readonly makeConsumerPact: typeof makeConsumerPact };
  const pact = core.makeConsumerPact(consumer, PROVIDER_NAME, SPECIFICATION_V4, 'error');
  const { description, states, request, response, comment, absent } = exchange;
  const interaction = pact.newInteraction(description);
  for (const [name, parameters = {}] of states) interaction.givenWithParams(name, JSON.stringify(parameters));
  if (comment !== undefined) interaction.addTextComment(comment);
  if (absent) interaction.setComment('absent', JSON.stringify(absent));

  interaction.withRequest(request.method, request.path);
  for (const [name, value] of Object.entries(request.query)) interaction.withQuery(name, 0, value);
  for (const [name, value] of Object.entries(request.headers)) interaction.withRequestHeader(name, 0, value);
  if (request.body) interaction.withRequestBody(textOf(request.body.content), request.body.contentType);

  interaction.withStatus(response.status);
  for (const [name, value] of Object.entries(response.headers)) interaction.withResponseHeader(name, 0, value);
  interaction.withResponseBody(textOf(response.body.content), response.body.contentType);

  const port = pact.pactffiCreateMockServerForTransport('127.0.0.1', 'http', JSON.stringify({ corsPreflight: false }));
  if (port <= 0) {
    const fault = `Pact's mock server does not start; its code is ${port}`;
    throw new HrTestingError('mock-failed', `${fault}. Check that a process may listen on 127.0.0.1.`);
  }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    differences: () => differencesOf(pact.mockServerMismatches(port), exchange),
    /** The exchange in the form of a pact file. */
    interaction(): Interaction {
      const dir = mkdtempSync(join(tmpdir(), 'hr-pact-'));
      try {
        pact.writePactFile(dir, false);
        const [file = ''] = readdirSync(dir);
        const written = JSON.parse(readFileSync(join(dir, file), 'utf8')) as { interactions: [Interaction] };
        return written.interactions[0];
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
    stop: () => void pact.cleanupMockServer(port),
  };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
