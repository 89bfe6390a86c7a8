import type { Subject } from '../database/json-answer.ts';

/** What the parameters of paths identify, by name: in words, and as what the audit names it. */
export type PathParameters = Readonly<Record<string, readonly [name: string, subject: keyof Subject]>>;

/** What the parameter of a path identifies, in words. */
export function identifiedBy(path: string, parameters: PathParameters): string {
  const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
  return parameters[parameter]?.[0] ?? parameter;
}

/** Whom a request is about, by the parameters of its path. */
export function pathSubject(path: object, parameters: PathParameters): Subject {
  return Object.fromEntries(
    Object.entries(path).flatMap(([name, value]: [string, string]) => {
      const [, subject] = parameters[name] ?? [];
      return subject ? [[subject, value]] : [];
    }),
  );
}
