import fc from 'fast-check';

/** Any character that can be stored: all but NUL. For fast-check's own, `unit: 'binary'`, it lists a million of them first. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0x1, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    (codePoint) => String.fromCodePoint(codePoint),
    (character) => String(character).codePointAt(0) ?? 0,
  );
