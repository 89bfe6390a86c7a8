import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, type WebhookEvent } from '@hr/client/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { demoEnvironment, homeFolder, runHr } from './run-hr.ts';

test('listen forwards changes as signed webhooks until it is interrupted', async () => {
  const requests: Parameters<typeof verifyWebhook>[0][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => {
        requests.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(204).end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const forwardTo = `http://127.0.0.1:${port}/hook?key=private`;
  const env = demoEnvironment(await homeFolder());
  const ending = new AbortController();
  const listening = runHr(['listen', '--forward-to', forwardTo], { env, signal: ending.signal });
  const change = { bankDetails: { iban: 'DE02120300000000202051', payee: '' } };
  // Until it listens, a change is not told.
  await vi.waitFor(async () => {
    change.bankDetails.payee += '.';
    const patch = ['api', 'PATCH', '/api/v1/persons/100008', '--input-file', '-', '--yes'];
    expect(await runHr(patch, { env, stdin: JSON.stringify(change) })).toMatchObject({ code: 0 });
    expect(requests).not.toEqual([]);
  }, 20_000);
  ending.abort();
  const { code, stderr } = await listening;
  expect(code).toBe(130);
  const [, secret = ''] =
    /^Forwarding changes to http:\/\/127\.0\.0\.1:\d+\/hook\. .* is (whsec_\S+)\n/.exec(stderr) ?? [];
  expect(stderr).toMatch(/\n\d{4}-\S+Z persons: 204 \(\d+ ms\)\n/);
  const [first] = requests;
  const event: WebhookEvent = await verifyWebhook(first as NonNullable<typeof first>, secret);
  expect(event).toMatchObject({
    type: 'changes',
    data: { changed: ['persons'], cursor: expect.any(String) as string },
  });
  // The receiver can keep the secret.
  const again = new AbortController();
  const second = runHr(['listen', '--forward-to', forwardTo], { env, signal: again.signal });
  setTimeout(() => again.abort(), 1000);
  expect((await second).stderr).toContain(secret);
});

test.each(['localhost:3000', 'ftp://127.0.0.1/'])('listen does not forward to %s', async (address) => {
  const env = demoEnvironment(await homeFolder());
  expect(await runHr(['listen', '--forward-to', address], { env })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'hr: --forward-to: must be an http or https address.\n',
  });
});
