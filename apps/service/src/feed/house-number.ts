// 5, 5a, 12 a, 12-14, 12 – 14, 12/3, 5a-c
const NUMBER = String.raw`[1-9]\d{0,3}(?: ?[a-z])?`;
const houseNumberAtEnd = new RegExp(
  String.raw`^(.*?[^\s,])(,\s*|\s+)(${NUMBER}(?: ?[-–/+] ?(?:${NUMBER}|[a-z]))?)$`,
  'iu',
);

// Mannheim names its blocks, not its streets: "C4, 5" is house 5 of block C4. The comma tells it from a lone "C 4".
const block = /^[A-U] ?\d{1,2}$/u;

// "Straße 12" is the whole name of a street in Berlin, and so may be "Weg 3".
const bareName =
  /^(?:straße|strasse|str\.?|weg|platz|allee|gasse|ring|ufer|damm|steig|pfad|zeile|quartier|siedlung)$/iu;

// What has a number of its own, which is no house number.
const numberedThing =
  /^(?:nr\.?|nummer|hausnummer|haus|hs\.?|gebäude|geb\.?|bau|block|halle|tor|eingang|aufgang|wohnung|whg\.?|apartment|apt\.?|app\.?|zimmer|zi\.?|etage|stock|stiege|terminal|parzelle|flur|flurstück|km|postfach|pf\.?|(?:bundes|reichs)straße|autobahn)$/iu;

const bareNumber = /^\d+\p{L}?$/u;
const word = /\p{L}{2}/u;

/**
 * Takes the house number out of a street, as the master system's feed writes both in one: `Hauptstr. 5a`. In doubt it
 * leaves the street as it is: a number may belong to the name (`Straße 12`), and a text after it says something else.
 *
 * @example
 * splitHouseNumber('Straße des 17. Juni 135'); // { street: 'Straße des 17. Juni', houseNumber: '135' }
 * splitHouseNumber('Platz des 4. Juli'); // undefined
 */
export function splitHouseNumber(line: string): { street: string; houseNumber: string } | undefined {
  const [, street = '', separator = '', houseNumber = ''] = houseNumberAtEnd.exec(line.trim()) ?? [];
  return houseNumber !== '' && (isStreetName(street) || (separator.startsWith(',') && block.test(street)))
    ? { street, houseNumber }
    : undefined;
}

function isStreetName(street: string): boolean {
  const words = street.split(/[\s,]+/u);
  return (
    words.some((each) => word.test(each) && !bareName.test(each)) &&
    !words.some((each) => bareNumber.test(each)) &&
    !numberedThing.test(words.at(-1) ?? '')
  );
}
