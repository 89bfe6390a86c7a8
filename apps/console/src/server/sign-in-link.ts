import type { Records, User } from './records.ts';

/** Makes a link that signs a person in once. Its code is behind `#`, so that it reaches no log of a server or proxy. */
export function signInLink(origin: string, records: Records, user: User): string {
  return `${origin}/sign-in#${records.createLink(user)}`;
}
