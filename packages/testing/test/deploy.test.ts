import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { pactHash } from '../src/provider/deploy/pact-hash.ts';
import { canIDeployOffline, recordDeploymentOffline, recordVerification } from '../src/provider/index.ts';
import type { VerificationResult } from '../src/provider/index.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';

let records: string;
let pacts: { readonly files: readonly string[] };
const said = [
  { description: 'persons', answer: [{ id: '1' }] },
  { description: 'nobody', answer: [] },
];

beforeEach(async () => {
  records = join(await newFolder(), 'contracts', 'deployed.json');
  pacts = { files: [await jsonFile(pactOf('payroll-batch', said))] };
});

const production = { environment: 'production' };
const payrollBatch = { participant: 'payroll-batch', version: '2.1.0', ...production };
const hrCloud = { participant: 'hr-cloud', version: '1.4.0', ...production };

/** A verification in which these interactions of the consumer hold, and others do not. */
function resultOf(held: readonly string[], all = ['persons', 'nobody'], faults: VerificationResult['faults'] = []) {
  const interactions = all.map((description) => {
    const ok = held.includes(description);
    return { consumer: 'payroll-batch', description, states: [], pending: false, ok, faults: [] };
  });
  return { ok: held.length === all.length, provider: 'hr-cloud', interactions, faults };
}

const held = resultOf(['persons', 'nobody']);

test('the provider may be deployed once it holds what is deployed', async () => {
  await recordDeploymentOffline({ records, pacts, ...payrollBatch });
  const refused = canIDeployOffline({ records, ...hrCloud });
  await expect(refused).rejects.toMatchObject({
    code: 'not-deployable',
    message: [
      'hr-cloud 1.4.0 must not be deployed to production:',
      '- hr-cloud 1.4.0 was not verified with the pact of payroll-batch 2.1.0, which is deployed there.',
    ].join('\n'),
  });

  await recordVerification({ records, pacts, version: '1.4.0', result: resultOf(['persons']) });
  await expect(canIDeployOffline({ records, ...hrCloud })).rejects.toThrow(
    '1.4.0 does not hold the pact of payroll-batch 2.1.0',
  );
  await recordVerification({ records, pacts, version: '1.4.0', result: held });
  await canIDeployOffline({ records, ...hrCloud });
  await expect(canIDeployOffline({ records, ...hrCloud, version: '1.5.0' })).rejects.toThrow('1.5.0 was not verified');
});

test('a consumer may be deployed once the provider that is deployed holds its pacts', async () => {
  await recordDeploymentOffline({ records, pacts, ...payrollBatch, environment: 'test' });
  await expect(canIDeployOffline({ records, pacts, ...payrollBatch, environment: 'test' })).rejects.toThrow(
    'No hr-cloud is recorded as deployed to test',
  );
  await recordDeploymentOffline({ records, ...hrCloud });
  await expect(canIDeployOffline({ records, pacts, ...payrollBatch })).rejects.toThrow(
    'hr-cloud 1.4.0 was not verified with the pact of payroll-batch 2.1.0.',
  );
  await recordVerification({ records, pacts, version: '1.4.0', result: held });
  await canIDeployOffline({ records, pacts, ...payrollBatch });

  const changed = { files: [await jsonFile(pactOf('payroll-batch', [...said, { description: 'more', answer: [] }]))] };
  await expect(canIDeployOffline({ records, pacts: changed, ...payrollBatch, version: '2.2.0' })).rejects.toThrow(
    'was not verified',
  );
  const same = { files: [await jsonFile(pactOf('payroll-batch', said.toReversed()))] };
  await canIDeployOffline({ records, pacts: same, ...payrollBatch, version: '2.2.0' });
});

test('what is deployed later takes the place of what was', async () => {
  await recordDeploymentOffline({ records, pacts, ...payrollBatch });
  const next = { files: [await jsonFile(pactOf('payroll-batch', [{ description: 'next', answer: [] }]))] };
  await recordVerification({ records, pacts: next, version: '1.4.0', result: resultOf(['next'], ['next']) });
  await recordDeploymentOffline({ records, pacts: next, ...payrollBatch, version: '3.0.0' });
  await expect(canIDeployOffline({ records, ...hrCloud })).resolves.toBeUndefined();
});

test.each<[what: string, result: VerificationResult]>([
  ['not all interactions were verified', resultOf(['persons'], ['persons'])],
  ['nothing was verified', resultOf([], [])],
  [
    'something else was wrong',
    resultOf(['persons', 'nobody'], ['persons', 'nobody'], [{ place: 'state', sentence: 'x' }]),
  ],
  [
    'the same contract of another consumer holds',
    { ...held, interactions: held.interactions.map((each) => ({ ...each, consumer: 'other' })) },
  ],
])('a verification in which %s allows nothing', async (_what, result) => {
  await recordDeploymentOffline({ records, pacts, ...payrollBatch });
  await recordVerification({ records, pacts, version: '1.4.0', result });
  await expect(canIDeployOffline({ records, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
});

test('an environment that nothing is known of is no environment without consumers', async () => {
  await expect(canIDeployOffline({ records, ...hrCloud })).rejects.toThrow('knows no environment production');
  await recordDeploymentOffline({ records, pacts, ...payrollBatch });
  await expect(canIDeployOffline({ records, ...hrCloud, environment: 'prodction' })).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining('Environments with something deployed: production.'),
  });
});

test('a consumer is known by its own pacts', async () => {
  await expect(recordDeploymentOffline({ records, ...payrollBatch })).rejects.toThrow(
    'Give the pacts of payroll-batch',
  );
  await expect(recordDeploymentOffline({ records, pacts, ...payrollBatch, participant: 'payroll' })).rejects.toThrow(
    'None of these pacts is of the consumer payroll; they are of payroll-batch.',
  );
});

test('the file is sorted, and easy to read', async () => {
  await recordDeploymentOffline({ records, ...hrCloud });
  await recordVerification({ records, pacts, version: '1.4.0', result: held });
  const text = await readFile(records, 'utf8');
  expect(JSON.parse(text)).toEqual({
    deployed: { production: { 'hr-cloud': { version: '1.4.0' } } },
    verified: { '1.4.0': { [hashOf(pactOf('payroll-batch', said))]: 'passed' } },
  });
  expect(text).toMatch(/^\{\n {2}"deployed"[^]*\}\n$/);
});

test.each(['', '<<<<<<< main', '{"deployed":{}}', '{"deployed":{},"verified":{"1.4.0":{"5c1e":"passed"}}}'])(
  'a damaged file is refused: %s',
  async (damaged) => {
    const file = join(await newFolder(), 'deployed.json');
    await writeFile(file, damaged);
    await expect(canIDeployOffline({ records: file, ...hrCloud })).rejects.toThrow(
      `${file} is not a file of deployments`,
    );
  },
);

interface Content {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions: readonly object[];
}

function hashOf({ consumer, provider, interactions }: Content): string {
  return pactHash({ consumer: consumer.name, provider: provider.name, interactions: interactions as never });
}

/** The same JSON with keys in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, shuffled(part)]),
  );
}

const anyInteractions = fc.uniqueArray(
  fc.record({
    description: fc.string(),
    request: fc.dictionary(fc.string(), fc.jsonValue()),
    response: fc.jsonValue(),
  }),
  { selector: (interaction) => JSON.stringify(interaction) },
);

test('a hash depends on what a pact says, and on nothing else', () => {
  fc.assert(
    fc.property(anyInteractions, fc.nat(), fc.jsonValue(), (interactions, index, other) => {
      const pact = { consumer: { name: 'a' }, provider: { name: 'hr-cloud' }, interactions };
      const hash = hashOf(pact);
      const written = JSON.parse(JSON.stringify(shuffled(pact), null, index % 5)) as Content;
      const ids = written.interactions.toReversed().map((interaction, id) => ({ _id: String(id), ...interaction }));
      expect(hashOf({ ...written, interactions: ids })).toBe(hash);
      expect(hashOf({ ...pact, consumer: { name: 'b' } })).not.toBe(hash);
      expect(hashOf({ ...pact, interactions: [...interactions, { description: 'one more', other }] })).not.toBe(hash);
    }),
  );
});
