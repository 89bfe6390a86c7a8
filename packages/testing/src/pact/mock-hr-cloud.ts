import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HrTestingError } from '../hr-testing-error.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { differencesOf } from './differences.ts';
import type { BodyExample, Exchange, HeaderExample } from './exchange.ts';
import { loadPactCore } from './load-pact-core.ts';
import type { PactInteraction } from '../contract/pact-interaction.ts';

/** An HR cloud that answers one request, the one it expects. */
export interface MockHrCloud {
  readonly baseUrl: string;
  /** What differs between the requests that came and the one that was expected, a sentence each. */
  differences(): readonly string[];
  /** The exchange as a pact file holds it. */
  interaction(): PactInteraction;
  stop(): void;
}

// What Pact's core calls version 4 of the pact specification.
const SPECIFICATION_V4 = 5;

/** Starts Pact's mock server for an exchange, on this machine and any port. */
export async function startMockHrCloud(consumer: string, exchange: Exchange): Promise<MockHrCloud> {
  const { makeConsumerPact } = await loadPactCore();
  const pact = makeConsumerPact(consumer, PROVIDER_NAME, SPECIFICATION_V4, 'error');
  const interaction = pact.newInteraction(exchange.description);
  for (const [name, parameters = {}] of exchange.states) interaction.givenWithParams(name, JSON.stringify(parameters));

  const { request, response } = exchange;
  interaction.withRequest(request.method, request.path);
  for (const [name, value] of Object.entries(request.query)) interaction.withQuery(name, 0, value);
  for (const [name, value] of Object.entries(request.headers)) interaction.withRequestHeader(name, 0, headerOf(value));
  if (request.body) interaction.withRequestBody(...bodyOf(request.body));

  interaction.withStatus(response.status);
  for (const [name, value] of Object.entries(response.headers))
    interaction.withResponseHeader(name, 0, headerOf(value));
  interaction.withResponseBody(...bodyOf(response.body));

  const port = pact.pactffiCreateMockServerForTransport('127.0.0.1', 'http', JSON.stringify({ corsPreflight: false }));
  if (port <= 0) throw new HrTestingError('mock-failed', `Pact's mock server does not start; its code is ${port}.`);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    differences: () => differencesOf(pact.mockServerMismatches(port), exchange),
    interaction() {
      const dir = mkdtempSync(join(tmpdir(), 'hr-pact-'));
      try {
        pact.writePactFile(dir, false);
        const [file = ''] = readdirSync(dir);
        const written = JSON.parse(readFileSync(join(dir, file), 'utf8')) as { interactions: [PactInteraction] };
        return written.interactions[0];
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
    stop: () => void pact.cleanupMockServer(port),
  };
}

function headerOf(header: HeaderExample): string {
  if (typeof header === 'string') return header;
  return JSON.stringify({ 'pact:matcher:type': 'regex', regex: header.pattern, value: header.value });
}

function bodyOf({ contentType, content }: BodyExample): [content: string, contentType: string] {
  return [typeof content === 'string' ? content : JSON.stringify(content), contentType];
}
