import fc from 'fast-check';

/** Text of any characters. For fast-check's own, `unit: 'binary'`, it lists a million characters first. */
export const anyText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
    .map((codePoint) => String.fromCodePoint(codePoint)),
});
