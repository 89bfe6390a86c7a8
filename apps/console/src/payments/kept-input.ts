import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { useSession } from '../shell/session.ts';

/** Input is in memory, not in the storage of the browser, because it contains personal data. */
const kept = new Map<string, unknown>();

/** A state that outlives the screen, such as when the session ends, until it is submitted. Somebody else who signs in does not see it. */
export function useKeptInput<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const { user } = useSession();
  const key = keyOf(user.name, name);
  const [value, setValue] = useState<T>(() => (kept.get(key) as T | undefined) ?? initial);
  useEffect(() => void kept.set(key, value), [key, value]);
  return [value, setValue];
}

/** Returns what drops input that was submitted. */
export function useDropInput(): (...names: readonly string[]) => void {
  const { user } = useSession();
  return (...names) => {
    for (const name of names) kept.delete(keyOf(user.name, name));
  };
}

function keyOf(user: string, name: string): string {
  return JSON.stringify([user, name]);
}
