import { useSyncExternalStore } from 'react';
import type { DraftRead } from '../backend/draft-routes.ts';
import type { DraftVersion, StoredDraft } from '../backend/drafts.ts';
import { bff, BffError } from './bff.ts';
import { patchOf } from './merge-patch.ts';

const SAVE_MS = 500;
const RETRY_MS = 3000;
/** A browser ends larger requests of a page that is closed: 64 KiB, and a character may take three bytes. */
const MAX_KEPT_ALIVE = 20_000;

/** What a person types into a form. The backend has it within a second. */
export class Draft<Content extends object = object> {
  /** What the form shows; undefined if nothing is typed. */
  content: Content | undefined;
  /** `failed`: it is tried again. `behind`: another tab saved something else meanwhile, which is `other`. */
  state: 'saved' | 'unsaved' | 'failed' | 'behind' = 'saved';
  other: StoredDraft | undefined;
  /** Of what was typed here and what the other tab saved, the one that the form does not show. */
  hidden: Content | undefined;
  /** Whether this page has typed or read it. */
  isKnown = false;
  /** What is to be saved: the content, unless it is not worth to come back to. */
  kept: object | undefined;
  /** What the backend has. */
  saved: StoredDraft | undefined;
  readonly #user: string;
  readonly #name: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run: { readonly kept: object | undefined; readonly isAlive: boolean; readonly end: Promise<void> } | undefined;

  constructor(user: string, name: string) {
    this.#user = user;
    this.#name = name;
  }

  /** @param isWorthKeeping - Whether there is something to come back to. Otherwise the backend deletes the draft. */
  change(content: Content | undefined, isWorthKeeping = true): void {
    this.#set({ content, kept: isWorthKeeping ? content : undefined });
    if (this.state !== 'behind') this.#set({ state: 'unsaved' });
    this.#saveIn(SAVE_MS);
  }

  /** @param saved - The version to delete. This page may not have read it. */
  discard(saved: DraftVersion): void {
    this.#set({ content: undefined, kept: undefined, saved: { ...saved, content: {} }, state: 'unsaved' });
    void this.save();
  }

  /** Reads what the backend has. It does not replace what is typed here and not saved. */
  async read(): Promise<null> {
    const before = this.saved;
    const { stored } = await bff.get<DraftRead>('drafts', { user: this.#user, name: this.#name }, true);
    await this.#run?.end;
    // A save of this page may have ended meanwhile.
    if (this.state === 'behind' || this.saved !== before) return null;
    const content = stored?.content as Content | undefined;
    if (this.state === 'saved') this.#set({ content, kept: content, saved: stored });
    else if (before?.savedAt !== stored?.savedAt) this.#set({ state: 'behind', other: stored, hidden: content });
    return null;
  }

  /** Of what was typed here and what another tab saved, shows the one that is hidden. */
  swap(): void {
    this.#set({ content: this.hidden, kept: this.hidden, hidden: this.content });
  }

  /** Keeps the one that is shown, and gives up the other one. */
  keepShown(): void {
    this.#set({ saved: this.other, state: 'unsaved' });
    void this.save();
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { kept, saved, state } = this;
    if (this.#run || state === 'behind') return;
    if (kept === saved?.content) return this.#set({ state: 'saved' });
    const patch = kept === undefined ? null : patchOf(saved?.content, kept);
    const isAlive = JSON.stringify(patch).length < MAX_KEPT_ALIVE;
    this.#run = { kept, isAlive, end: this.#send(kept, patch, isAlive) };
    await this.#run.end;
  }

  async #send(kept: object | undefined, patch: unknown, isAlive: boolean): Promise<void> {
    const body = { user: this.#user, name: this.#name, savedAt: this.saved?.savedAt, patch };
    try {
      const version = await bff.post<DraftVersion>('drafts', body, isAlive);
      const isLatest = this.kept === kept;
      this.#set({ saved: kept && { ...version, content: kept }, state: isLatest ? 'saved' : 'unsaved' });
      if (!isLatest) this.#saveIn(SAVE_MS);
    } catch (error) {
      this.#set({ state: 'failed' });
      this.#saveIn(RETRY_MS);
      if (error instanceof BffError && error.problem.code === 'conflict') void this.read().catch(() => undefined);
    } finally {
      this.#run = undefined;
    }
  }

  #saveIn(delay: number): void {
    this.#timer ??= setTimeout(() => void this.save(), delay);
  }

  /** Saves what is not saved yet. Returns the version that the backend has; it deletes that one when it is sent. */
  async settle(): Promise<DraftVersion | undefined> {
    await this.#run?.end;
    await this.save();
    return this.saved && { name: this.#name, savedAt: this.saved.savedAt };
  }

  /** Forgets what was sent: the backend has deleted it. */
  forget(): void {
    this.#set({ content: undefined, kept: undefined, saved: undefined, state: 'saved' });
  }

  get isSending(): boolean {
    return this.#run !== undefined;
  }

  /** Whether a page that is closed now would lose something. */
  get isAtRisk(): boolean {
    return this.state !== 'saved' && !(this.#run?.isAlive && this.#run.kept === this.kept);
  }

  #set(changes: Partial<Pick<Draft<Content>, 'content' | 'kept' | 'saved' | 'state' | 'other' | 'hidden'>>): void {
    Object.assign(this, changes, { isKnown: true });
    revision++;
    for (const listener of listeners) listener();
  }
}

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();
let revision = 0;

/** @param user - The person who types. Somebody else who signs in later does not see the draft. */
export function draftOf<Content extends object>(user: string, name: string): Draft<Content> {
  const key = JSON.stringify([user, name]);
  const draft = drafts.get(key) ?? new Draft(user, name);
  drafts.set(key, draft);
  return draft as Draft<Content>;
}

/** Renders again when a draft changes. */
export function useDraftChanges(): void {
  useSyncExternalStore(subscribe, () => revision);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function saveDrafts(): Promise<void> {
  await Promise.all(Array.from(drafts.values(), (draft) => draft.settle()));
}

/** Forgets what the backend has, such as when the session has ended. */
export function forgetSaved(): void {
  for (const [key, { state }] of drafts) if (state === 'saved') drafts.delete(key);
}

/** A page may be closed or loaded anew before what was typed last is saved. Then the browser asks the person. */
function leave(event: Event): void {
  for (const draft of drafts.values()) {
    void draft.save();
    if (draft.isAtRisk) event.preventDefault();
  }
}
for (const type of ['beforeunload', 'pagehide', 'visibilitychange']) addEventListener(type, leave);
