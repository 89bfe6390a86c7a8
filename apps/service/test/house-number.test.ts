import { expect, test } from 'vitest';
import { splitHouseNumber } from '../src/feed/house-number.ts';

test.each([
  ['Hauptstr. 5 A', 'Hauptstr.', '5 A'],
  ['Hauptstr. 12 a', 'Hauptstr.', '12 a'],
  ['Hauptstr., 12', 'Hauptstr.', '12'],
  ['  Hauptstr.  12 ', 'Hauptstr.', '12'],
  ['Hauptstraße 12 – 14', 'Hauptstraße', '12 – 14'],
  ['Hauptstraße 12a-14b', 'Hauptstraße', '12a-14b'],
  ['Hauptstraße 12/3', 'Hauptstraße', '12/3'],
  ['Hauptstraße 5a-c', 'Hauptstraße', '5a-c'],
  ['Straße des 17. Juni 135', 'Straße des 17. Juni', '135'],
  ['Lange Straße 12', 'Lange Straße', '12'],
  ['Łódzka 1234', 'Łódzka', '1234'],
  ['C4, 5', 'C4', '5'],
  ['Q 7, 24', 'Q 7', '24'],
])('%j is %j, number %j', (line, street, houseNumber) => {
  expect(splitHouseNumber(line)).toEqual({ street, houseNumber });
});

test.each([
  ['without a street', ['', ' ', '12', '12 a', '12-14', '5 Main Street']],
  ['without a number', ['Hauptstr.', 'Hauptstr. Nr. 5', 'Hauptstr. 05', 'Hauptstr. 12345', 'Hauptstr.5']],
  ['whose street has a number in its name', ['Platz des 4. Juli', 'Straße des 17. Juni']],
  ['whose street has no name', ['Straße 12', 'Straße 12 a', 'Straße 12, 5', 'Straße A 5', 'Weg 3', 'Alte Halle 3']],
  ['with a block', ['C4', 'C 4', 'C4 5', 'W4, 5']],
  ['with more behind the number', ['Hauptstr. 5 Hinterhaus', 'Hauptstr. 5, 3. OG', 'Hauptstr. 5, Whg. 3']],
  ['with a number that may be none', ['Hauptstr. 5 Tor 3', 'Hauptstr. 12 14', 'Hauptstr. 5 1/2', 'Hauptstr. 5 bis']],
  ['with letters that are no part of a number', ['Hauptstr. 5 ab']],
  ['of something else', ['Bundesstraße 5', 'Postfach 123', 'Berlin 10115']],
])('a line %s stays as it is: %j', (_, lines) => {
  for (const line of lines) expect([line, splitHouseNumber(line)]).toEqual([line, undefined]);
});
