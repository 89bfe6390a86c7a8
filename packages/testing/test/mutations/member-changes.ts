import type { MemberChange } from './mutation.ts';

/** The member is no longer there. */
export const dropped: MemberChange = (object, name) =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));

/** The member has another name. */
export function renamed(to: string): MemberChange {
  return (object, name) =>
    Object.fromEntries(Object.entries(object).map(([each, value]) => [each === name ? to : each, value]));
}

/** The member has another value, made from the one it has. */
export function made(from: (value: never) => unknown): MemberChange {
  return (object, name) => ({ ...object, [name]: from(object[name] as never) });
}

/** The member has this value, where it had any. */
export function being(value: unknown): MemberChange {
  return made((before) => (before === null ? before : value));
}

export const asText = made((value: number | boolean | object | null) =>
  typeof value === 'object' ? value : String(value),
);
export const asNumber = being(4711);
export const asNull = being(null);
export const inList = made((value: unknown) => [value]);
export const withTime = made((date: string | null) => date && `${date}T00:00:00Z`);
export const inGerman = made((date: string | null) => date && date.split('-').toReversed().join('.'));
