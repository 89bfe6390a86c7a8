import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { compareCodePoints, sameJson } from '../src/fake/compare.ts';
import { call } from './call.ts';

let now: number;
let fake: RunningFakeHrCloud;
beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:00Z');
  fake = await startFakeHrCloud({ clock: () => now });
  onTestFinished(() => fake.stop());
});

const changedSince = async (day: string): Promise<unknown> => {
  return (await call(fake, `GET /api/v1/persons?changedSince=${day}`)).json;
};

function patch(body: object) {
  return call(fake, 'PATCH /api/v1/persons/1', { body });
}

describe('a change', () => {
  const home = { street: 'Münsterplatz', houseNumber: '1' };

  test('counts from the day on which it was made, in Berlin', async () => {
    fake.state('a person', { id: '1' });
    // 00:30 of the next day there, still the day before in UTC.
    now = Date.parse('2026-03-04T23:30:00Z');
    await patch({ bankDetails: { iban: 'DE00X' } });
    expect(await changedSince('2026-03-05')).toEqual([{ id: '1', bankDetails: { iban: 'DE00X' }, employments: [] }]);
    expect(await changedSince('2026-03-06')).toEqual([]);
  });

  test('to what is stored, in whatever order, is none', async () => {
    fake.state('a person', { id: '1', address: home });
    now = Date.parse('2026-03-05T12:00:00Z');
    await patch({ addresses: [{ houseNumber: '1', street: 'Münsterplatz' }] });
    expect(await changedSince('2026-03-02')).toEqual([]);
  });

  test('of a mapping is one of master and payroll, and not of time', async () => {
    fake.state('a person', { id: '1' });
    now = Date.parse('2026-03-05T12:00:00Z');
    fake.state('a contract', { payrollContractId: 'c', personId: '1' });
    expect(await changedSince('2026-03-02')).toEqual([
      expect.objectContaining({ payrollContractIds: ['c'], employments: [expect.anything()] }),
    ]);
    expect(await changedSince('2026-03-02')).toEqual([expect.not.objectContaining({ keyNumber: expect.anything() })]);
  });

  test('of a contract alone is one of payroll', async () => {
    fake.state('a contract', { payrollContractId: 'c', personId: '1' });
    now = Date.parse('2026-03-05T12:00:00Z');
    fake.state('a contract', { payrollContractId: 'c', personId: '1', personGroupCode: 'X' });
    expect(await changedSince('2026-03-02')).toEqual([
      { id: '1', bankDetails: expect.anything(), employments: [expect.objectContaining({ personGroupCode: 'X' })] },
    ]);
  });

  test('to an erased person appears in lists of changes from that day on', async () => {
    fake.state('a person', { id: '1' });
    now = Date.parse('2026-03-05T12:00:00Z');
    fake.state('an erased person', { id: '1' });
    expect(await changedSince('2026-03-05')).toMatchObject([{ id: '1', erased: true, lastName: null }]);
    expect(await changedSince('2026-03-06')).toEqual([]);
  });
});

test('a middle name is part of the first name', async () => {
  fake.state('a person', { id: '1', firstName: 'Anna', middleName: 'Maria' });
  fake.state('a person', { id: '2', firstName: null, middleName: 'Maria' });
  expect((await call(fake, 'GET /api/v1/persons')).json).toMatchObject([
    { firstName: 'Anna Maria', middleName: '' },
    { firstName: 'Maria', middleName: '' },
  ]);
});

test('ids are ordered by code point', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 4 });
  const property = fc.property(text, text, (one, other) => {
    expect(Math.sign(compareCodePoints(one, other))).toBe(Math.sign(byCodePoint(one, other)));
  });
  fc.assert(property, {
    examples: [
      ['\uFFFD', '😀'],
      ['a', 'a😀'],
      ['😀', '😁'],
    ],
  });
});

test('JSON says the same in whatever order its members are, and nothing else does', () => {
  const property = fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
    const reversed = JSON.parse(JSON.stringify(one), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as unknown;
    expect(sameJson(one, reversed)).toBe(true);
    expect(sameJson(one, other)).toBe(canonical(one) === canonical(other));
  });
  fc.assert(property, {
    examples: [
      [[], {}],
      [null, {}],
      [[1], [1, 2]],
      [{ a: 1 }, { b: 1 }],
      [0, -0],
    ],
  });
});

function byCodePoint(one: string, other: string): number {
  const [ones, others] = [codePoints(one), codePoints(other)];
  const at = ones.findIndex((codePoint, index) => codePoint !== others[index]);
  if (at < 0) return ones.length - others.length;
  return (ones[at] ?? 0) - (others[at] ?? -1);
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
