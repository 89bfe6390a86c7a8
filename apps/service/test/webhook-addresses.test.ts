import type { lookup, LookupAddress } from 'node:dns';
import { isIPv4 } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
// oxlint-disable no-await-in-loop -- one request after the other
import { allowedAddresses } from '../src/http/allowed-addresses.ts';
import { createSend, type Attempt } from '../src/webhooks/send-message.ts';
import { startReceiver, withStatus, type Receiver } from './webhook-receiver.ts';

const privateAddresses = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.1',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];
const publicAddresses = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'];

test.each(privateAddresses)('%s is not public', (address) => {
  expect(allowedAddresses().isPublic(address)).toBe(false);
});
test.each(publicAddresses)('%s is public', (address) => {
  expect(allowedAddresses().isPublic(address)).toBe(true);
  expect(allowedAddresses().isAllowed(address)).toBe(false);
});
test('networks allow what is in them', () => {
  const { isAllowed } = allowedAddresses(['10.0.0.0/8', 'fd00::/8', '192.168.1.1']);
  expect(['10.9.9.9', 'fd00::7', '192.168.1.1'].map(isAllowed)).toEqual([true, true, true]);
  expect(['11.0.0.1', 'fe80::1', '192.168.1.2', '::1', 'no address'].map(isAllowed)).toEqual(Array(5).fill(false));
});

/** A name service with one name after the other, or always the same. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const lookUp = ((host: string, _: object, done: (error: Error | null, found: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    done(
      null,
      addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 })),
    );
  }) as typeof lookup;
  return { asked, lookUp };
}

/** A name service that fails. */
const failing = (code: string) =>
  ((_host: string, _: object, done: (error: Error) => void) =>
    done(Object.assign(new Error(), { code }))) as unknown as typeof lookup;

describe('sending', () => {
  let receiver: Receiver;
  const running = new AbortController().signal;
  const message = { id: 'msg_1', body: '{"type":"test"}' };
  const secrets = ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='];

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  const send = (url: string, networks?: readonly string[], lookUp?: typeof lookup): Promise<Attempt> =>
    createSend(allowedAddresses(networks), running, lookUp)(url, message, secrets);
  const port = (url: string): string => url.replace('PORT', String(receiver.port));

  // URLs normalise each form of an address, and names lead to it.
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    '0.0.0.0',
    'localhost',
    '169.254.169.254',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '127。0。0。1',
  ])('nothing is sent to %s', async (host) => {
    for (const protocol of ['https', 'http']) {
      const attempt = await send(port(`${protocol}://${host}:PORT/`));
      expect(attempt).toMatchObject({ failure: 'address-not-allowed' });
    }
    expect(receiver.received).toEqual([]);
  });

  test('what is allowed is reached by http, and by name', async () => {
    for (const host of ['127.0.0.1', '2130706433', 'localhost']) {
      expect(await send(port(`http://${host}:PORT/a?b=1`), ['127.0.0.0/8'])).toMatchObject({ status: 204 });
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/a?b=1', '/a?b=1', '/a?b=1']);
  });

  test('http to a public address is refused', async () => {
    const { lookUp } = resolver(['1.1.1.1']);
    expect(await send('http://name.test/', ['127.0.0.0/8'], lookUp)).toMatchObject({ failure: 'address-not-allowed' });
    expect(await send('http://1.1.1.1/', ['127.0.0.0/8'])).toMatchObject({ failure: 'address-not-allowed' });
  });

  test('a name whose address changes is checked each time', async () => {
    const { asked, lookUp } = resolver(['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']);
    const url = port('http://rebinding.test:PORT/');
    const attempts = [];
    for (let count = 0; count < 3; count++) attempts.push(await send(url, ['127.0.0.0/8'], lookUp));
    expect(attempts).toMatchObject([{ status: 204 }, { failure: 'address-not-allowed' }, { status: 204 }]);
    expect(asked).toEqual(Array(3).fill('rebinding.test'));
  });

  test('of a name with several addresses only those are reached that may be', async () => {
    const { lookUp } = resolver(['10.255.255.1', '127.0.0.1', 'fd00::1', '::ffff:10.0.0.1']);
    expect(await send(port('http://both.test:PORT/'), ['127.0.0.0/8'], lookUp)).toMatchObject({ status: 204 });
    expect(await send(port('http://both.test:PORT/'), ['192.168.0.0/16'], lookUp)).toMatchObject({
      failure: 'address-not-allowed',
    });
  });

  test('a redirect is not followed, nor is a proxy used', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
      .stubEnv('http_proxy', 'http://127.0.0.1:1')
      .stubEnv('NODE_USE_ENV_PROXY', '1');
    receiver.respond = withStatus(307, { location: '/other' });
    const attempt = await send(receiver.url, ['127.0.0.0/8']).finally(() => vi.unstubAllEnvs());
    expect(attempt).toMatchObject({ status: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  test('a response without an end is cut, and its status counts', async () => {
    receiver.respond = (response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.writeHead(200).on('drain', write);
      write();
    };
    expect(await send(receiver.url, ['127.0.0.0/8'])).toMatchObject({ status: 200 });
  });

  test('a response that switches protocols is a failure', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    receiver.respond = ({ socket }) => void socket?.write(head);
    expect(await send(receiver.url, ['127.0.0.0/8'])).toMatchObject({ failure: 'connection' });
  });

  test('what went wrong has a name', async () => {
    const allowed = ['127.0.0.0/8'];
    receiver.respond = (response) => void response.destroy();
    expect(await send(receiver.url, allowed)).toMatchObject({ failure: 'connection' });
    for (const [code, failure] of [
      ['ENOTFOUND', 'unknown-host'],
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
      ['ECONNREFUSED', 'connection'],
    ] as const) {
      expect(await send('https://name.test', allowed, failing(code))).toMatchObject({ failure });
    }
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    expect(await send(receiver.url, allowed)).toMatchObject({ failure: 'timeout' });
    expect(timeout).toHaveBeenCalledWith(15_000);
    timeout.mockRestore();
  });
});
