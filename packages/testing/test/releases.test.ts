import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pactHash } from '../src/contract/pact.ts';
import { canIDeploy, recordDeployment, recordVerification } from '../src/provider/deployment-records.ts';
import { verifyProvider, VerificationFailedError, type VerificationResult } from '../src/provider/index.ts';
import { jsonFile, newFolder, pactOf, type TestInteraction } from './pact-file.ts';
import { json, startProvider, type ProviderUnderTest } from './provider-under-test.ts';

/** Responds with one person to each request for persons. */
let provider: ProviderUnderTest;
let records: string;
/** The pacts of a consumer, and their verification. */
let pacts: string[];
let passed: VerificationResult;
/** A second pact of that consumer, and one of each consumer with an unusual name, and their verification. */
let second: string[];
let unusual: ReadonlyMap<string, string[]>;
let otherPassed: VerificationResult;
const unusualNames = ['constructor', 'toString', 'hasOwnProperty'];
const interactions = [
  { description: 'persons', response: [{ id: '1' }] },
  { description: 'names', response: [{ firstName: 'Zoë' }] },
];

beforeAll(async () => {
  provider = await startProvider(json([{ id: '1', firstName: 'Zoë' }]));
  pacts = await pactsOf(interactions);
  passed = await verified(pacts);
  second = await pactsOf([{ description: 'more', response: [{ id: '1' }] }]);
  unusual = new Map(
    await Promise.all(unusualNames.map(async (name) => [name, await pactsOf(interactions, name)] as const)),
  );
  otherPassed = await verified([...second, ...Array.from(unusual.values()).flat()]);
});
afterAll(() => provider.stop());
beforeEach(async () => {
  records = join(await newFolder(), 'contracts', 'deployments.json');
});

async function pactsOf(given: readonly TestInteraction[], consumer = 'payroll-batch') {
  return [await jsonFile(pactOf(consumer, given))];
}

const production = { environment: 'production' };
const payrollBatch = { participant: 'payroll-batch', version: '2.1.0', ...production };
const hrCloud = { participant: 'hr-cloud', version: '1.4.0', ...production };

async function verified(given: readonly string[]): Promise<VerificationResult> {
  const options = { provider, source: { pacts: given }, states: {}, token: () => 'real' };
  return verifyProvider(options).catch((error: unknown) => {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  });
}

function record(version: string, { pacts: verifiedPacts }: VerificationResult): Promise<void> {
  return recordVerification({ file: records, version }, verifiedPacts);
}

const unverified = 'hr-cloud 1.4.0 has no recorded verification of the pact of payroll-batch 2.1.0';

test('the provider may be deployed once it passed what is deployed', async () => {
  await recordDeployment({ records, pacts, ...payrollBatch });
  await expect(canIDeploy({ records, ...hrCloud })).rejects.toMatchObject({
    code: 'not-deployable',
    message: ['hr-cloud 1.4.0 must not be deployed to production:', `- ${unverified}, which is deployed there.`].join(
      '\n',
    ),
  });
  await record('1.4.0', passed);
  await canIDeploy({ records, ...hrCloud });
  await expect(canIDeploy({ records, ...hrCloud, version: '1.5.0' })).rejects.toThrow('hr-cloud 1.5.0 has no recorded');
});

test('a consumer may be deployed once the provider that is deployed passed its pacts', async () => {
  await recordDeployment({ records, pacts, ...payrollBatch, environment: 'test' });
  await expect(canIDeploy({ records, pacts, ...payrollBatch, environment: 'test' })).rejects.toThrow(
    'No hr-cloud is recorded there. Its team has to record its deployment.',
  );
  await recordDeployment({ records, ...hrCloud });
  await expect(canIDeploy({ records, pacts, ...payrollBatch })).rejects.toThrow(`${unverified}.`);
  await record('1.4.0', passed);
  await canIDeploy({ records, pacts, ...payrollBatch });

  const more = await pactsOf([...interactions, { description: 'more', response: [] }]);
  const next = { ...payrollBatch, version: '2.2.0' };
  await expect(canIDeploy({ records, pacts: more, ...next })).rejects.toThrow('has no recorded verification');
  await canIDeploy({ records, pacts: await pactsOf(interactions.toReversed()), ...next });
});

test('a consumer with several pacts needs all of them', async () => {
  const both = [...pacts, ...second];
  await recordDeployment({ records, pacts: both, ...payrollBatch });
  await record('1.4.0', passed);
  await expect(canIDeploy({ records, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
  await record('1.4.0', otherPassed);
  await canIDeploy({ records, ...hrCloud });
});

test('a later deployment takes the place of the one before', async () => {
  await recordDeployment({ records, pacts, ...payrollBatch });
  await record('1.4.0', otherPassed);
  await recordDeployment({ records, pacts: second, ...payrollBatch, version: '3.0.0' });
  await expect(canIDeploy({ records, ...hrCloud })).resolves.toBeUndefined();
});

test('a version of the provider without a recorded verification may not be deployed, even without consumers', async () => {
  await recordDeployment({ records, ...hrCloud, version: '1.3.0' });
  await expect(canIDeploy({ records, ...hrCloud })).rejects.toMatchObject({
    code: 'not-deployable',
    message:
      'hr-cloud 1.4.0 must not be deployed to production:\n- hr-cloud 1.4.0 has no recorded verification. Verify it, and record the result.',
  });
  await record('1.4.0', passed);
  await canIDeploy({ records, ...hrCloud });
});

test.each(unusualNames)('%s is a name like any other', async (name) => {
  await recordDeployment({ records, ...hrCloud });
  await expect(canIDeploy({ records, ...hrCloud, environment: name })).rejects.toThrow('has no environment');
  await expect(canIDeploy({ records, ...hrCloud, version: name })).rejects.toMatchObject({ code: 'not-deployable' });
  const own = unusual.get(name) ?? [];
  await recordDeployment({ records, pacts: own, participant: name, version: name, environment: name });
  await record(name, otherPassed);
  await recordDeployment({ records, participant: 'hr-cloud', version: name, environment: name });
  await canIDeploy({ records, pacts: own, participant: name, version: name, environment: name });
  expect(JSON.parse(await readFile(records, 'utf8'))).toMatchObject({
    deployed: { [name]: { [name]: { version: name }, 'hr-cloud': { version: name } } },
    verified: { [name]: {} },
  });
});

test('the name __proto__ is not recorded', async () => {
  const message = 'A name or a version is __proto__. Use another.';
  const own = await pactsOf(interactions, '__proto__');
  await expect(recordDeployment({ records, ...hrCloud, environment: '__proto__' })).rejects.toThrow(message);
  await expect(
    recordDeployment({ records, ...production, pacts: own, participant: '__proto__', version: '1' }),
  ).rejects.toThrow(message);
  await expect(record('__proto__', passed)).rejects.toThrow(message);
  await expect(readFile(records)).rejects.toThrow('ENOENT');
});

test('parallel processes lose no record', async () => {
  const program = (environment: string) => `
    import { recordDeployment } from '../src/provider/deployment-records.ts';
    for (const version of ['1', '2', '3', '4', '5', '6'])
      await recordDeployment({ records: ${JSON.stringify(records)}, participant: 'hr-cloud', version, environment: '${environment}-' + version });`;
  const run = promisify(execFile);
  await Promise.all(
    ['a', 'b'].map((environment) =>
      run(process.execPath, ['--conditions=@hr/source', '--input-type=module', '--eval', program(environment)], {
        cwd: import.meta.dirname,
      }),
    ),
  );
  const { deployed } = JSON.parse(await readFile(records, 'utf8')) as { deployed: object };
  expect(Object.keys(deployed)).toHaveLength(12);
  expect(await readdir(dirname(records))).toEqual(['deployments.json']);
});

test('a lock that a killed process left is named', async () => {
  await recordDeployment({ records, ...hrCloud });
  await writeFile(`${records}.lock`, '');
  await expect(recordDeployment({ records, ...hrCloud, version: '2' })).rejects.toMatchObject({
    code: 'invalid-option',
    message: `${records}.lock exists, because another program changes ${records}. If none does, delete ${records}.lock.`,
  });
});

/** Verifies pacts, and records the result for version 1.4.0. */
function verifyAndRecord(given: readonly string[], token = 'real') {
  const source = { pacts: given, record: { file: records, version: '1.4.0' } };
  return verifyProvider({ provider, source, states: {}, token: () => token });
}

describe('a verification is recorded only', () => {
  test('of what passed: a failed one removes what was recorded before', async () => {
    const [wrong = ''] = await pactsOf([{ response: [{ shoeSize: 43 }] }]);
    await recordDeployment({ records, pacts, ...payrollBatch });
    await verifyAndRecord(pacts);
    await canIDeploy({ records, ...hrCloud });
    const before = await readFile(records, 'utf8');

    const refused = { code: 'verification-failed' };
    await expect(verifyAndRecord([wrong, ...pacts, ...second])).rejects.toMatchObject(refused);
    expect(await readFile(records, 'utf8')).toBe(before);

    await expect(verifyAndRecord(pacts, '')).rejects.toMatchObject(refused);
    await expect(canIDeploy({ records, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
    expect(JSON.parse(await readFile(records, 'utf8'))).toMatchObject({ verified: { '1.4.0': {} } });
    await record('1.5.0', await verified([wrong]));
    expect(await readFile(records, 'utf8')).not.toContain('1.5.0');
  });

  test('of the files as they were verified', async () => {
    const own = await pactsOf(interactions);
    const [file = ''] = own;
    const changed = pactOf('payroll-batch', [...interactions, { description: 'x', response: [] }]);
    const source = { pacts: own, record: { file: records, version: '1.4.0' } };
    const reset = () => writeFile(file, JSON.stringify(changed));
    await verifyProvider({ provider, source, states: {}, token: () => 'real', reset });
    await recordDeployment({ records, pacts: own, ...payrollBatch });
    await expect(canIDeploy({ records, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
    await writeFile(file, JSON.stringify(pactOf('payroll-batch', interactions), undefined, 3));
    await recordDeployment({ records, pacts: own, ...payrollBatch, version: '2.2.0' });
    await canIDeploy({ records, ...hrCloud });
  });

  test('of the pacts that were verified', async () => {
    await recordDeployment({ records, pacts, ...payrollBatch });
    await record('1.4.0', otherPassed);
    await expect(canIDeploy({ records, ...hrCloud })).rejects.toMatchObject({ code: 'not-deployable' });
  });
});

test('an unknown environment is no environment without consumers', async () => {
  await expect(canIDeploy({ records, ...hrCloud })).rejects.toThrow(`${records} does not exist.`);
  await recordDeployment({ records, pacts, ...payrollBatch });
  await expect(canIDeploy({ records, ...hrCloud, environment: 'prodction' })).rejects.toMatchObject({
    code: 'invalid-option',
    message: `${records} has no environment prodction. Correct the name, or record the first deployment there. Known environments: production.`,
  });
});

test('a consumer is known by its own pacts', async () => {
  await recordDeployment({ records, pacts, ...payrollBatch });
  const asked = canIDeploy({ records, ...payrollBatch, participant: 'payroll' });
  await expect(asked).rejects.toMatchObject({
    code: 'invalid-option',
    message:
      'The records have no participant payroll, only payroll-batch. Correct the name, or name the pacts of a new consumer.',
  });
  await expect(canIDeploy({ records, ...payrollBatch })).rejects.toThrow(
    'No pacts of payroll-batch are named. Name its folder of pacts.',
  );
  await expect(recordDeployment({ records, pacts, ...payrollBatch, participant: 'payroll' })).rejects.toThrow(
    'These are pacts of payroll-batch. Name the pacts of payroll.',
  );
});

test('a version is one version: it cannot have other pacts elsewhere', async () => {
  await recordDeployment({ records, pacts, ...payrollBatch, environment: 'test' });
  const other = await pactsOf([{ description: 'other', response: [] }]);
  const message =
    'payroll-batch 2.1.0 is recorded with other pacts. The pacts of a version never change. Name another version.';
  await expect(recordDeployment({ records, pacts: other, ...payrollBatch })).rejects.toThrow(message);
  await recordDeployment({ records, ...hrCloud });
  await expect(canIDeploy({ records, pacts: other, ...payrollBatch })).rejects.toThrow(message);
  await recordDeployment({ records, pacts, ...payrollBatch });
});

test('the file is sorted, and easy to read', async () => {
  await recordDeployment({ records, ...hrCloud });
  await record('1.4.0', passed);
  const text = await readFile(records, 'utf8');
  const hash = pactHash(JSON.stringify(pactOf('payroll-batch', interactions)));
  expect(JSON.parse(text)).toEqual({
    deployed: { production: { 'hr-cloud': { version: '1.4.0' } } },
    verified: { '1.4.0': { [hash]: 'passed' } },
  });
  expect(text).toMatch(/^\{\n {2}"deployed"[^]*\}\n$/);
});

const hash = 'a'.repeat(64);
test.each<[content: string, fault: string]>([
  ['', 'is not JSON.'],
  ['<<<<<<< main', 'is not JSON.'],
  ['[]', 'has no deployments and verifications: the document must be an object.'],
  ['{"deployed":{}}', 'has no deployments and verifications: /verified is required.'],
  ['{"deployed":{},"verified":{},"format":2}', '/format is not known here'],
  ['{"deployed":{},"verified":{"1.4.0":{"5c1e":"passed"}}}', '/verified/1.4.0/5c1e is not a SHA-256 hash.'],
  ['{"deployed":[],"verified":{}}', '/deployed must be an object.'],
  [`{"deployed":{},"verified":{"1.4.0":{"${hash}":"failed"}}}`, `/verified/1.4.0/${hash} must be "passed".`],
  [`{"deployed":{"test":{},"test":{}},"verified":{}}`, 'has a key twice, or was edited by hand.'],
])('damaged records are refused: %s', async (content, fault) => {
  const file = join(await newFolder(), 'deployments.json');
  await writeFile(file, content);
  const message = await canIDeploy({ records: file, ...hrCloud }).catch((error: unknown) => (error as Error).message);
  expect(message).toMatch(new RegExp(`^${file} `));
  expect(message).toContain(fault);
  expect(message).toMatch(/ Restore it from version control\.$/);
});

test('records of another layout are read', async () => {
  const file = join(await newFolder(), 'deployments.json');
  const deployed = { production: { 'payroll-batch': { version: '2.1.0', pacts: [hash] } } };
  await writeFile(file, JSON.stringify({ verified: { '1.4.0': { [hash]: 'passed' } }, deployed }, undefined, '\t'));
  await expect(canIDeploy({ records: file, ...hrCloud })).resolves.toBeUndefined();
});

test.each([{ version: '' }, { environment: '' }])('%j is not recorded', async (empty) => {
  await expect(recordDeployment({ records, ...hrCloud, ...empty })).rejects.toThrow('A name or a version is empty.');
  await expect(readFile(records)).rejects.toThrow('ENOENT');
});

test('a verification of no version is not recorded', async () => {
  const recorded = record('', passed);
  await expect(recorded).rejects.toThrow('A name or a version is empty.');
});

test('records that cannot be read or written are refused', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'deployments.json'));
  const refused = recordDeployment({ records: join(folder, 'deployments.json'), ...hrCloud });
  await expect(refused).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringContaining('EISDIR') });
  await writeFile(join(folder, 'file'), '');
  const unwritten = recordDeployment({ records: join(folder, 'file', 'deployments.json'), ...hrCloud });
  await expect(unwritten).rejects.toMatchObject({ code: 'invalid-option' });
});

interface Content {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions: readonly object[];
}

function hashOf(content: Content): string {
  return pactHash(JSON.stringify(content));
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
    fc.property(anyInteractions, fc.nat(), fc.jsonValue(), (all, index, other) => {
      const pact = { consumer: { name: 'a' }, provider: { name: 'hr-cloud' }, interactions: all };
      const expected = hashOf(pact);
      const written = JSON.parse(JSON.stringify(shuffled(pact), null, index % 5)) as Content;
      const ids = written.interactions.toReversed().map((interaction, id) => ({ _id: String(id), ...interaction }));
      expect(hashOf({ ...written, interactions: ids })).toBe(expected);
      expect(hashOf({ ...pact, consumer: { name: 'b' } })).not.toBe(expected);
      expect(hashOf({ ...pact, interactions: [...all, { description: 'one more', other }] })).not.toBe(expected);
    }),
  );
});

test('a hash depends on numbers as they are written', () => {
  const text = JSON.stringify(pactOf('a', [{ response: { amount: 1 } }]));
  expect(pactHash(text.replace('"amount":1', '"amount":1.0'))).not.toBe(pactHash(text));
});
