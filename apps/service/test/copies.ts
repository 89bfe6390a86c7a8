import { applyDelta } from '@hr/schemas/rules';

export type Row = Readonly<Record<string, unknown>>;
/** The elements of a list by their ids. */
export type Elements = Map<string, object>;

/** How each list becomes the elements of a copy. */
const lists: Readonly<Record<string, (element: Row, elements: Elements) => void>> = {
  persons(element, elements) {
    const key = String(element['id']);
    const known = (elements.get(key) ?? { id: key }) as Row & { id: string };
    if (element['erased']) elements.delete(key);
    else take(element, key, elements, applyDelta(known, element as { id: string }));
  },
  'time-bookings'({ personId: owner, days }, elements) {
    for (const day of days as Row[]) take(day, `${String(owner)}/${String(day['date'])}`, elements);
  },
  absences: (element, elements) => take(element, `${String(element['personId'])}/${String(element['id'])}`, elements),
};

/** Those that have cursors. Absences are a list for each person, too. */
export const cursorLists = Object.keys(lists);

function take(element: Row, key: string, elements: Elements, now: object = element): void {
  if (element['deleted']) elements.delete(key);
  else elements.set(key, now);
}

/** Adds rows of a list, or of its changes, to a copy. */
export function copied(list: string, rows: readonly Row[], elements: Elements = new Map()): Elements {
  const add = lists[list] ?? ((row: Row) => take(row, String(row['id']), elements));
  for (const row of rows) add(row, elements);
  return elements;
}

export const inOrder = (elements: Elements): object =>
  Object.fromEntries([...elements].toSorted(([one], [other]) => (one < other ? -1 : 1)));
