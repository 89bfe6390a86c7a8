import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactIban, groupedIban, hasWrongCheckDigits, maskedIban } from '../src/iban.ts';

test.each(['DE02120300000000202051', 'GB82WEST12345698765432', 'NO9386011117947'])(
  '%s has right check digits',
  (iban) => {
    expect(hasWrongCheckDigits(iban)).toBe(false);
  },
);

test('another digit is noticed, and a text that is no IBAN has no check digits', () => {
  expect(hasWrongCheckDigits('DE02120300000000202052')).toBe(true);
  expect(hasWrongCheckDigits('GB82WEST12345698765423')).toBe(true);
  expect(hasWrongCheckDigits('DE0')).toBe(false);
  expect(hasWrongCheckDigits('DE02 1203 0000 0000 2020 52')).toBe(false);
});

test.each([
  ['DE02120300000000202051', 'DE•• •••• 2051'],
  ['DE0212030000', 'DE•• •••• ••••'],
  ['1234567890', '•••• •••• ••••'],
])('%s is masked as %s', (iban, masked) => {
  expect(maskedIban(iban)).toBe(masked);
});

test('an IBAN is grouped for people, and compact for the API', () => {
  expect(groupedIban('DE02120300000000202051')).toBe('DE02 1203 0000 0000 2020 51');
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/), (iban) => {
      expect(compactIban(groupedIban(iban))).toBe(iban);
    }),
  );
});
