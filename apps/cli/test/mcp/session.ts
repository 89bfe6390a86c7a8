import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientCredentials } from '@hr/auth';
import { createHrClient, type HrClient } from '@hr/client';
import { openMirror, openOutbox, type Mirror, type Outbox } from '@hr/client/mirror';
import { createFakeHrCloud, type FakeHrCloud } from '@hr/testing/fake';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, vi } from 'vitest';
import { openCallLog, type CallLog } from '../../src/mcp/call-log.ts';
import { LocalCopy } from '../../src/mcp/local-copy.ts';
import { createMcpServer } from '../../src/mcp/mcp-server.ts';

/** A company behind a client, with an empty local copy. Requests stay in this process. */
export interface Company extends AsyncDisposable {
  readonly fake: FakeHrCloud;
  readonly hr: HrClient;
  readonly mirror: Mirror;
  readonly outbox: Outbox;
  readonly folder: string;
  /** While it is set, requests of an operation wait for it. */
  gate: { readonly path: string; readonly open: Promise<unknown> } | undefined;
  /** Paths of requests that their senders aborted. */
  readonly aborted: string[];
}

export async function startCompany(persons: number): Promise<Company> {
  const fake = createFakeHrCloud({ persons });
  const folder = await mkdtemp(join(tmpdir(), 'hr-mcp-'));
  const aborted: string[] = [];
  const send = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { pathname } = new URL(request.url);
    request.signal.addEventListener('abort', () => aborted.push(pathname));
    if (company.gate?.path === pathname) await Promise.race([company.gate.open, abortOf(request.signal)]);
    const response = await fake.fetch(request);
    if (response.type === 'error') throw new TypeError('fetch failed');
    return response;
  };
  const baseUrl = 'http://127.0.0.1:2';
  const { clientId, clientSecret } = fake;
  const auth = clientCredentials({ baseUrl, clientId, clientSecret, fetch: send });
  const mirror = openMirror({ file: join(folder, 'mirror.db'), source: 'company' });
  const outbox = openOutbox({ file: join(folder, 'outbox.db'), source: 'company' });
  const company: Company = {
    fake,
    hr: createHrClient({ baseUrl, auth, fetch: send, retry: { limit: 0 } }),
    mirror,
    outbox,
    folder,
    gate: undefined,
    aborted,
    async [Symbol.asyncDispose]() {
      mirror.close();
      outbox.close();
      await rm(folder, { recursive: true });
    },
  };
  return company;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

export interface SessionOptions {
  readonly allowWrites?: boolean;
  readonly reveal?: boolean;
  readonly maxTokens?: number;
  readonly maxWaitMs?: number;
  readonly log?: CallLog;
  /** What the user does with each question. A client without it cannot ask. */
  readonly onQuestion?: (question: string) => ElicitResult | Promise<ElicitResult>;
}

/** A client of the SDK, and everything that the server sent to it. */
export interface Session extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool, which has to succeed. */
  call(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Calls a tool for each page of a list, and returns the rows of all pages. */
  rows(name: string, args: Record<string, unknown>, list: string): Promise<Record<string, unknown>[]>;
  /** Calls a tool, which has to fail, and returns why. */
  failure(name: string, args?: Record<string, unknown>): Promise<string>;
  /** All messages of the server, as JSON text. */
  readonly received: string[];
  /** All entries of the log. */
  log(): Record<string, unknown>[];
}

export async function openSession(
  { hr, mirror, outbox, folder }: Company,
  {
    allowWrites = false,
    reveal = false,
    maxTokens = 20_000,
    maxWaitMs,
    onQuestion,
    log: givenLog,
  }: SessionOptions = {},
): Promise<Session> {
  const file = join(folder, 'mcp.log');
  const log = givenLog ?? openCallLog(file);
  const copy = new LocalCopy(maxWaitMs);
  const { server, settled } = createMcpServer({
    hr,
    mirror,
    outbox: () => Promise.resolve(outbox),
    copy,
    log,
    allowWrites,
    reveal,
    maxTokens,
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: onQuestion ? { elicitation: { form: {} } } : {} },
  );
  if (onQuestion) client.setRequestHandler(ElicitRequestSchema, ({ params }) => onQuestion(params.message));
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  const received: string[] = [];
  const send = ofServer.send.bind(ofServer);
  ofServer.send = (message, options) => {
    received.push(JSON.stringify(message));
    return send(message, options);
  };
  await Promise.all([server.connect(ofServer), client.connect(ofClient)]);

  async function call(name: string, args = {}): Promise<Record<string, unknown>> {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    if (result.isError) throw new Error(textOf(result));
    return JSON.parse(textOf(result)) as Record<string, unknown>;
  }

  return {
    client,
    received,
    call,
    async rows(name, args, list) {
      const rows: Record<string, unknown>[] = [];
      for (let cursor: unknown; ;) {
        // oxlint-disable-next-line no-await-in-loop -- a page needs the cursor of the one before
        const page = await call(name, { ...args, ...(cursor !== undefined && { cursor }) });
        rows.push(...(page[list] as Record<string, unknown>[]));
        cursor = page['nextCursor'];
        if (cursor !== undefined) continue;
        expect(rows).toHaveLength(page['total'] as number);
        return rows;
      }
    },
    async failure(name, args = {}) {
      const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
      if (!result.isError) throw new Error(`${name} succeeded.`);
      return textOf(result);
    },
    log: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async [Symbol.asyncDispose]() {
      await client.close();
      await settled();
      await copy.close();
    },
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Waits as long as a busy machine needs. */
export function waitUntil(isTrue: () => boolean): Promise<unknown> {
  return vi.waitUntil(isTrue, { timeout: 60_000 });
}
