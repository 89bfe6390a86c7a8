import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyProvider } from '@hr/testing/provider';
import type { VerificationResult } from '@hr/testing/provider';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { junitReport } from '../src/provider/junit-report.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';
import { json, startProvider } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of a document, in their order, by a parser that takes well-formed XML 1.0 only. */
function elementsOf(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return elements;
}

let provider: ProviderUnderTest;

beforeAll(async () => {
  provider = await startProvider(json([]));
});
afterAll(() => provider.stop());

async function reportsOf(pact: object): Promise<Readonly<Record<'txt' | 'xml' | 'json', string>>> {
  const dir = join(await newFolder(), 'deep', 'reports');
  const source = { files: [await jsonFile(pact)] };
  await verifyProvider({ provider, source, states: {}, token: () => 'real', report: { dir } }).catch(() => undefined);
  const [txt, xml, content] = await Promise.all(
    ['txt', 'xml', 'json'].map((ending) => readFile(join(dir, `contracts.${ending}`), 'utf8')),
  );
  return { txt: txt ?? '', xml: xml ?? '', json: content ?? '' };
}

test('are written where all holds', async () => {
  const { txt, xml, json: content } = await reportsOf(pactOf('payroll', [{ answer: [] }]));
  expect(txt).toBe('hr-cloud holds its contracts: 1 of 1 interactions hold.\n  payroll: 1 of 1\n');
  expect(elementsOf(xml).map(({ name, attributes }) => [name, { ...attributes }])).toEqual([
    ['testsuites', {}],
    ['testsuite', { name: 'payroll', tests: '1', failures: '0' }],
    ['testcase', { name: 'interaction 1', classname: 'hr-cloud.payroll' }],
  ]);
  expect(JSON.parse(content)).toMatchObject({
    ok: true,
    provider: 'hr-cloud',
    interactions: [{ consumer: 'payroll' }],
  });
});

test('are written where something fails, whatever characters the contract is written with', async () => {
  const description = 'a <b> & "c" \u0000\u0001\u001B\uFFFE ü 🙂 ]]> \n end';
  const { txt, xml, json: content } = await reportsOf(pactOf('pay & roll', [{ description, answer: [], status: 404 }]));
  const sentence = 'status: The contract expects 404, and the provider answers 200.';
  expect(txt).toContain(sentence);
  const [, suite, testCase, failure] = elementsOf(xml);
  expect(suite?.attributes).toMatchObject({ name: 'pay & roll', tests: '1', failures: '1' });
  expect(testCase?.attributes['name']).toContain('a <b> & "c"');
  expect(testCase?.attributes['name']).toMatch(/ü 🙂 ]]> \n end$/);
  expect(failure).toMatchObject({ name: 'failure', attributes: { message: sentence }, text: sentence });
  expect(JSON.parse(content)).toMatchObject({
    ok: false,
    interactions: [{ ok: false, faults: [{ place: 'status' }] }],
  });
});

test('are written where nothing could be tried', async () => {
  const {
    txt,
    xml,
    json: content,
  } = await reportsOf({ ...pactOf('payroll', [{ answer: [] }]), provider: { name: 'crm' } });
  expect(txt).toContain('pacts: ');
  const failure = elementsOf(xml).find(({ name }) => name === 'failure');
  expect(failure?.text).toContain('is a pact with the provider crm, not with hr-cloud.');
  expect(JSON.parse(content)).toMatchObject({ ok: false, interactions: [], faults: [{ place: 'pacts' }] });
});

test('are well-formed XML for any text', () => {
  const text = fc.string({ unit: 'binary' });
  const fault = fc.record({ place: text, sentence: text });
  const interaction = fc.record({
    consumer: text,
    description: text,
    states: fc.array(text),
    pending: fc.boolean(),
    ok: fc.boolean(),
    faults: fc.array(fault, { minLength: 1 }),
  });
  const result: fc.Arbitrary<VerificationResult> = fc.record({
    ok: fc.boolean(),
    provider: text,
    interactions: fc.array(interaction),
    faults: fc.array(fault),
  });
  fc.assert(
    fc.property(result, (given) => {
      const elements = elementsOf(junitReport(given));
      const cases = elements.filter(({ name }) => name === 'testcase');
      expect(cases).toHaveLength(given.interactions.length + (given.faults.length > 0 ? 1 : 0));
      const failures = elements.filter(({ name }) => name === 'failure');
      const failed = given.interactions.filter(({ ok, pending }) => !ok && !pending);
      expect(failures).toHaveLength(failed.length + (given.faults.length > 0 ? 1 : 0));
    }),
  );
});
