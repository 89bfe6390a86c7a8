import { beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes, operatorRoutes } from '../src/routes.ts';
import type { Route } from '../src/http/route.ts';
import { anyDriver } from './drivers.ts';
import { expectProblem } from './expect-problem.ts';
import { jsonSchemaOf, type JsonSchema } from './schema-values.ts';
import { acceptedBy, placesOf, refusedBy, withValue } from './schema-bounds.ts';
import { sharedService, type Answer } from './service.ts';
import { loadKnown, validRequest, wireName, type KnownIds } from './valid-request.ts';

const ASTRAL = '💩';

/** What a parameter of a query is, where that can be told. */
function kindOf({ enum: listed, format, pattern, maxLength }: JsonSchema): string | undefined {
  if (listed) return 'choice';
  if (pattern?.startsWith(String.raw`^\d{4}`)) return 'month';
  return maxLength === undefined ? format : 'identifier';
}

function named(routes: readonly Route[]): [string, Route][] {
  return routes.map((route) => [route.id, route]);
}

/** Where the answer tells what was sent. */
const answeredAt = (pointer: string): string => pointer.replace(/^\/addresses\/0/, '/address');

const withBody = [...apiRoutes, ...operatorRoutes].filter(({ body }) => body);
const apiIds = new Set<string>(apiRoutes.map(({ id }) => id));

describe.each(anyDriver)('bounds on %s', (driver) => {
  const service = sharedService(driver);
  let known: KnownIds;

  beforeAll(async () => {
    known = await loadKnown(service);
  });

  const bases: Readonly<Record<string, object>> = {
    submitVariablePayment: { compensationComponentId: 'BONUS', amount: 1 },
  };

  function send(route: Route, body: unknown): Promise<Answer> {
    const { method, path, query } = validRequest(route, known);
    return service.send(method, path + query, { scope: route.scopes[0], body: JSON.stringify(body) });
  }

  describe.each(named(withBody))('of the body of %s', (id, route) => {
    const base = bases[id] ?? {};
    const places = placesOf(jsonSchemaOf(route.body as NonNullable<Route['body']>));
    const refusal = async (body: unknown) =>
      expectProblem(await send(route, body), 'invalid-request', { path: validRequest(route, known).path, body });

    test.each(places)('$pointer refuses one step beyond', async ({ pointer, schema }) => {
      const isStrict = schema.additionalProperties === false;
      const siblings = isStrict ? [[{ shoeSize: 43 }, 'unknown-name'] as const] : [];
      for (const [value, code] of [...refusedBy(schema), ...siblings]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { errors = [] } = await refusal(withValue(base, pointer, value));
        const at = code === 'unknown-name' ? `${pointer}/shoeSize` : pointer;
        expect([value, errors.find((error) => error.pointer === at)?.code]).toEqual([value, code]);
      }
    });

    const required = places.flatMap(({ pointer, schema }) =>
      (schema.required ?? []).map((name) => [`${pointer}/${name}`, pointer] as const),
    );
    test.runIf(required.length > 0).each(required)('%s is required', async (pointer, parent) => {
      const { errors } = await refusal(withValue(base, parent, {}));
      expect(errors).toContainEqual({ pointer, code: 'required', detail: 'is required' });
    });

    test.runIf(apiIds.has(id)).each(places)('$pointer are taken and answered as they are', async (place) => {
      for (const value of acceptedBy(place.schema)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { status, body } = await send(route, withValue(base, place.pointer, value));
        expect([value, status]).toEqual([value, 200]);
        expect(body).toHaveProperty(answeredAt(place.pointer).slice(1).split('/'), value);
      }
    });
  });

  describe('of a query', () => {
    const faults: Readonly<Record<string, readonly [code: string, values: readonly string[]]>> = {
      date: [
        'wrong-format',
        ['2026-02-29', '0000-01-01', '2026-1-1', '2026-01-32', '2026-01-01T00:00:00', '2026-01-01 ', '20260101'],
      ],
      month: ['wrong-format', ['2026-13', '2026-00', '2026-1', '2026-01-01', '26-01', '2026-01 ']],
      identifier: ['too-long', ['x'.repeat(256), ASTRAL.repeat(256)]],
      choice: ['not-allowed', ['SOMETHING_NEW', 'Submitted']],
    };
    const parameters = [...apiRoutes, ...operatorRoutes].flatMap((route) =>
      Object.entries(jsonSchemaOf(route.query).properties ?? {}).flatMap(([name, schema]) => {
        const kind = kindOf(schema);
        return kind === undefined ? [] : [[route.id, wireName(route, name), kind, route] as const];
      }),
    );

    test.each(parameters)('%s: %s refuses what is no %s', async (_, name, kind, route) => {
      const { path, query, body, headers } = validRequest(route, known);
      const [code, values] = faults[kind] ?? [];
      for (const value of values ?? []) {
        const changed = new URLSearchParams(query);
        changed.set(name, value);
        const address = `${path}?${changed.toString()}`;
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const answer = await service.send(route.method, address, { scope: route.scopes[0], body, headers });
        const { errors } = expectProblem(answer, 'invalid-request', { path });
        expect(errors).toEqual([expect.objectContaining({ pointer: `/${name}`, code })]);
      }
    });
  });
});
