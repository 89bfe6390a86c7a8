import { createContext, use } from 'react';
import type { DataRight, Role } from '../model/grants.ts';
import { SIGN_IN_PATH } from '../model/sign-in.ts';
import type { Session, SignedOut } from '../backend/sessions.ts';
import { bff } from './bff.ts';
import { saveDrafts } from './drafts.ts';

/** A session as a page knows it. */
export interface PageSession extends Session {
  /** Since when the page has no connection to the backend, an ISO 8601 instant. */
  readonly lostSince: string | undefined;
}

export const SessionContext = createContext<PageSession | undefined>(undefined);

/** The person who is signed in, and the state of the local copy. */
export function useSession(): PageSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('A screen is shown only to a person who is signed in.');
  return session;
}

/** Whether the person has a role. */
export function useRole(role: Role): boolean {
  return useSession().user.roles.includes(role);
}

/** Whether the person sees some data, at least of some persons. */
export function useSees(data: DataRight): boolean {
  return useSession().user.data.includes(data);
}

/** Ends the session, here and at the provider that signed the person in. */
export async function signOut(): Promise<void> {
  await saveDrafts();
  const ended = await bff.delete<SignedOut>('session').catch(() => undefined);
  location.assign(ended?.address ?? SIGN_IN_PATH);
}
