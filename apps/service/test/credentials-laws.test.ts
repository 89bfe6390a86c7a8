import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RetiredClient, RotatedClient } from '../src/clients/client-secrets.ts';
import { anyDriver } from './drivers.ts';
import { askToken, takes } from './oauth-form.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

const step = fc.tuple(fc.constantFrom('rotate', 'retire', 'disable', 'enable', 'wait'), fc.integer({ min: 1, max: 8 }));

/** What is to be true of a client, by the words of the documentation. */
interface Model {
  disabled: boolean;
  current: string;
  previous?: { readonly secret: string; readonly daysLeft: number };
  readonly ended: string[];
  /** The secret that each token was got with, `undefined` if the token has ended. */
  readonly tokens: Map<string, string | undefined>;
}

describe.each(anyDriver)('whatever is done to a client on %s', (driver) => {
  let service: TestService;
  let addresses = 1;

  beforeAll(async () => {
    service = await startService(driver, { HR_TRUSTED_PROXY: '127.0.0.1' });
  });
  afterAll(() => service.stop());

  test('exactly the secrets and tokens are valid that should be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const client = await service.client();
        const model: Model = { disabled: false, current: client.clientSecret, ended: [], tokens: new Map() };
        const operate = async (action: string, body?: object): Promise<unknown> => {
          const path = `/operator/v1/clients/${client.clientId}/${action}`;
          const answer = await service.send('POST', path, { scope: 'operator', body });
          expect(answer.status).toBe(200);
          return answer.body;
        };
        const endPrevious = (): void => {
          if (model.previous) model.ended.push(model.previous.secret);
          delete model.previous;
        };
        const keepTokensOf = (...secrets: string[]): void => {
          for (const [token, secret] of model.tokens) {
            if (secret === undefined || !secrets.includes(secret)) model.tokens.set(token, undefined);
          }
        };

        const does: Record<(typeof steps)[number][0], (days: number) => Promise<void>> = {
          async rotate() {
            const { clientSecret } = (await operate('rotate')) as RotatedClient;
            endPrevious();
            keepTokensOf(model.current, clientSecret);
            model.previous = { secret: model.current, daysLeft: 7 };
            model.current = clientSecret;
          },
          async retire() {
            const { retired } = (await operate('rotate', { retire: true })) as RetiredClient;
            expect(retired).toBe(model.previous !== undefined);
            endPrevious();
            keepTokensOf(model.current);
          },
          async disable() {
            await operate('disable');
            model.disabled = true;
            for (const token of model.tokens.keys()) model.tokens.set(token, undefined);
          },
          async enable() {
            await operate('enable');
            model.disabled = false;
          },
          async wait(days) {
            await service.database.query(
              'update client_secret set expires_at = expires_at - make_interval(days => $2) where client_id = $1',
              [client.clientId, days],
            );
            const daysLeft = (model.previous?.daysLeft ?? 0) - days;
            if (daysLeft <= 0) endPrevious();
            else if (model.previous) model.previous = { ...model.previous, daysLeft };
          },
        };

        for (const [name, days] of steps) {
          // oxlint-disable no-await-in-loop -- one after the other
          await does[name](days);
          // Each time from another address: there is a limit for failures of one.
          const from = { 'x-forwarded-for': `2001:db8:0:${(addresses++).toString(16)}::1` };
          const valid = [model.current, ...(model.previous ? [model.previous.secret] : [])];
          for (const clientSecret of [...valid, ...model.ended]) {
            const { status, body } = await askToken(service, { ...client, clientSecret }, from);
            expect(status === 200).toBe(!model.disabled && valid.includes(clientSecret));
            if (status === 200) model.tokens.set(String(body['access_token']), clientSecret);
          }
          for (const [token, secret] of model.tokens) {
            expect(await takes(service, token, from)).toBe(secret !== undefined);
          }
          // oxlint-enable no-await-in-loop
        }
      }),
      { numRuns: 12 },
    );
  });
});
