import { checkAccept } from '@hr/schemas/provider';
import fc from 'fast-check';
import Negotiator from 'negotiator';
import { expect, test } from 'vitest';

const range = fc.constantFrom(
  'application/json',
  'Application/JSON',
  'application/*',
  '*/*',
  'text/html',
  '*/json',
  '',
);
const weight = fc.constantFrom('', ';q=0', '; Q =0.001', ';q=1', ';q="0"', ';q=-1', ';q=x', ';q=', ';q=0;q=1');
const accept = fc.array(
  fc.tuple(range, weight).map((parts) => parts.join('')),
  { minLength: 1 },
);

function accepts(header: string): boolean {
  try {
    checkAccept(header);
    return true;
  } catch {
    return false;
  }
}

test('checkAccept agrees with Negotiator', () => {
  const property = fc.property(accept, (ranges) => {
    const header = ranges.join(', ') || '*/*';
    const [type] = new Negotiator({ headers: { accept: header } }).mediaTypes(['application/json']);
    expect(accepts(header)).toBe(type !== undefined);
  });
  fc.assert(property, { numRuns: 2000 });
});
