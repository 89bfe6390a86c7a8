import { isDeepStrictEqual } from 'node:util';
import type { Interaction as PactInteraction } from '../../src/contract/pact.ts';

/** An interaction of a pact, which has a list of values for each name. */
export interface Interaction extends Pick<PactInteraction, 'description' | 'providerStates'> {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, readonly string[]>>;
    readonly headers?: Readonly<Record<string, readonly string[]>>;
    readonly body?: { readonly content: unknown };
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: { readonly content?: unknown };
  };
}

/** An answer, as it goes over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One way in which a provider can break. */
export interface Mutation {
  /** What it does to an answer; another answer that has no such place stays as it is. */
  readonly change: (answer: RawAnswer) => RawAnswer;
  /** Whether a contract that expects this notices. */
  readonly isNoticed: (expected: Interaction['response'], interaction: Interaction) => boolean;
}

/** Mutations by what is broken. */
export type Mutations = Readonly<Record<string, Mutation>>;

/** Names on the way into JSON; `*` is each element of an array. */
type Path = readonly string[];

type Json = Readonly<Record<string, unknown>>;

/** A change of the members of an object that have a name. */
export type MemberChange = (object: Json, name: string) => Json;

/** Changes what is at a path of the answer's JSON. Who names the path notices. */
export function at(path: string, change: MemberChange): Mutation {
  const names = path.split('.');
  return {
    change: (answer) => withJson(answer, (json) => changed(json, names, change)),
    isNoticed: ({ body }) => isThere(body?.content, names),
  };
}

/** The same at each of these paths. */
export function atEach(paths: readonly string[], change: MemberChange): Mutation {
  const all = paths.map((path) => at(path, change));
  return {
    change: (answer) => all.reduce((last, { change: next }) => next(last), answer),
    isNoticed: (...expected) => all.some((one) => one.isNoticed(...expected)),
  };
}

/** Changes the JSON of an answer. What is not changed stays as it was written. */
export function withJson(answer: RawAnswer, change: (json: unknown) => unknown): RawAnswer {
  if (answer.body === '') return answer;
  const before: unknown = JSON.parse(answer.body);
  const after = change(before);
  return isDeepStrictEqual(before, after) ? answer : { ...answer, body: JSON.stringify(after) };
}

function changed(json: unknown, [name, ...inner]: Path, change: MemberChange): unknown {
  if (name === undefined) return json;
  if (Array.isArray(json)) return name === '*' ? json.map((element) => changed(element, inner, change)) : json;
  if (!isObject(json) || !Object.hasOwn(json, name)) return json;
  return inner.length === 0 ? change(json, name) : { ...json, [name]: changed(json[name], inner, change) };
}

function isThere(json: unknown, [name, ...inner]: Path): boolean {
  if (name === undefined) return true;
  if (Array.isArray(json)) return name === '*' && json.some((element) => isThere(element, inner));
  return isObject(json) && Object.hasOwn(json, name) && isThere(json[name], inner);
}

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
