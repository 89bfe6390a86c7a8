import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importReport } from '../src/feed/import-report.ts';

let written: string[];
const output = { write: (text: string) => written.push(text) };

beforeEach(() => {
  written = [];
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('faults are told by place, up to a bound, and the rest is counted', () => {
  const report = importReport(output);
  const issue = { code: 'too-long', detail: 'must have at most 80 characters' } as const;
  report.onBadLine({ source: 'f', line: 1, issues: [{ ...issue, pointer: '' }] });
  for (let line = 2; line <= 60; line++) {
    report.onBadLine({ source: 'f', line, issues: [{ ...issue, pointer: '/last\u001BName' }] });
  }
  report.end();
  expect(written).toHaveLength(51);
  expect(written.slice(0, 2)).toEqual([
    'f:1: the line must have at most 80 characters\n',
    'f:2: /lastName must have at most 80 characters\n',
  ]);
  expect(written.at(-1)).toBe('10 more faults are not shown.\n');
});

test('progress is told about once a second', () => {
  const report = importReport(output);
  for (let lines = 1; lines <= 25; lines++) {
    vi.advanceTimersByTime(100);
    report.onProgress({ source: 'f', lines: lines * 1000 });
  }
  expect(written).toEqual(['f: 10000 lines, 10000 a second\n', 'f: 20000 lines, 10000 a second\n']);
  expect(report.end()).toBe(2.5);
});
