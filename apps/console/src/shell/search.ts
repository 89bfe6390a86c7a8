import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { teamParts, type TeamPart } from '../model/team.ts';

/** What the text of a parameter stands for; undefined if it is not a value of it. */
type Parameter<T> = (text: string) => T | undefined;

/** The parameters of an address that are given, and make sense. */
export type SearchOf<Read extends (...input: never[]) => unknown> = ReturnType<Read>;

export const text: Parameter<string> = (given) => given || undefined;
export const flag: Parameter<true> = (given) => (given === 'true' ? true : undefined);
export const month: Parameter<string> = (given) =>
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/.test(given) ? given : undefined;
/** A date of the calendar. */
export const date: Parameter<string> = (given) => {
  const time = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN;
  // February 30 is read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(given) ? given : undefined;
};
export const oneOf =
  <T extends string>(...values: readonly T[]): Parameter<T> =>
  (given) =>
    values.find((value) => value === given);

const forTeam = <Value>(value: Value): Readonly<Record<TeamPart, Value>> =>
  Object.fromEntries(teamParts.map((part) => [part, value])) as Record<TeamPart, Value>;
/** The parameters of a team. */
export const teamParameters = forTeam(text);
/** A change to all persons. */
export const noTeam = forTeam(undefined);

/** Reads an address by its parameters. What makes no sense is undefined. */
export function searchReader<Parameters extends Readonly<Record<string, Parameter<unknown>>>>(parameters: Parameters) {
  return (
    input: Readonly<Record<string, unknown>>,
  ): { readonly [Name in keyof Parameters]?: ReturnType<Parameters[Name]> | undefined } => {
    const given = Object.entries(parameters).filter(([name]) => input[name] !== undefined);
    // Undefined has to be there: the router keeps what a route does not return as it is.
    return Object.fromEntries(
      given.map(([name, read]) => [name, read(`${input[name] as string | number | boolean}`)]),
    ) as never;
  };
}

/** What the address of the screen says, as its route has read it, and a function that changes parts of it. */
export function useSearchOf<Search extends object>(): readonly [Search, (change: Search, replace?: boolean) => void] {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changed: Search, replace = true) => {
      const next = (before: object): object => ({ ...before, ...changed });
      void navigate({ to: '.', search: next as never, replace, resetScroll: false });
    },
    [navigate],
  );
  return [search as Search, change];
}

const PAUSE_MS = 150;

/** A text that the person types. The address follows when they pause, because browsers limit its changes. */
export function useTyped(
  written: string,
  write: (typed: string) => void,
): readonly [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(written);
  const last = useRef(written);
  useEffect(() => {
    // The person went back, followed a link, or pressed a button.
    if (written !== last.current) setTyped(written);
    last.current = written;
  }, [written]);
  useEffect(() => {
    if (typed === last.current) return undefined;
    const timer = setTimeout(() => {
      last.current = typed;
      write(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped];
}
