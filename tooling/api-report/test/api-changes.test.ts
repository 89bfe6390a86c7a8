import { expect, test } from 'vitest';
import { apiChanges } from '../src/api-changes.ts';
import { readReport } from '../src/report-file.ts';
import { reportsOf } from './made-packages.ts';
import type { Built } from './made-packages.ts';

interface Case {
  readonly before: Built;
  readonly now: Built;
  /** What is found, such as `major changed Options`. */
  readonly found: readonly string[];
}

/** The declarations of an only entry point. */
const only = (declarations: string): Built => ({ index: declarations });
const oneFile = (before: string, now: string, ...found: readonly string[]): Case => ({
  before: only(before),
  now: only(now),
  found,
});

const z = "import { z } from 'zod';\n";
const options = (...lines: readonly string[]): string =>
  `export interface Options {\n${lines.map((line) => `  ${line};\n`).join('')}}\n`;
const model = (...fields: readonly string[]): string =>
  `${z}export declare const Model: z.ZodObject<{\n${fields.map((field) => `  ${field};\n`).join('')}}>;\n`;

const cases: Readonly<Record<string, Case>> = {
  'a comment and a tag are nothing': oneFile(
    options('readonly a: string'),
    `/** @deprecated Use others. */\n${options('/** Anything. @deprecated */\n  readonly a: string')}`,
  ),
  'an order is nothing': oneFile(
    `${model('a: z.ZodString', 'b: z.ZodString')}${options('a: string', 'b: string')}`,
    `${model('b: z.ZodString', 'a: z.ZodString')}${options('b: string', 'a: string').replace(z, '')}`,
  ),
  'a removed export': oneFile(
    'export declare const a: 1;\nexport declare const b: 2;',
    'export declare const a: 1;',
    'major removed b',
  ),
  'a renamed option': oneFile(options('readonly a?: 1'), options('readonly b?: 1'), 'major changed Options'),
  'an option that is not optional any more': oneFile(options('a?: 1'), options('a: 1'), 'major changed Options'),
  'an option that has become optional': oneFile(options('a: 1'), options('a?: 1'), 'major changed Options'),
  'another type of a parameter': oneFile(
    'export declare function get(id: string): void;',
    'export declare function get(id: number): void;',
    'major changed get',
  ),
  'a further parameter': oneFile(
    'export declare function get(id: string): void;',
    'export declare function get(id: string, more?: string): void;',
    'major changed get',
  ),
  'another default of a type parameter': oneFile(
    'export interface List<T = string> {\n  items: T[];\n}',
    'export interface List<T = number> {\n  items: T[];\n}',
    'major changed List',
  ),
  'a further optional option': oneFile(options('a: 1'), options('a: 1', 'readonly b?: 2'), 'minor changed Options'),
  'a further option': oneFile(options('a: 1'), options('a: 1', 'readonly b: 2'), 'major changed Options'),
  'a further optional option within another': oneFile(
    options('a: {\n    b: 1;\n  }'),
    options('a: {\n    b: 1;\n    c?: 2;\n  }'),
    'minor changed Options',
  ),
  'a field that has moved to another place': oneFile(
    options('a: {\n    x: 1;\n  }', 'b: {\n    y: 1;\n  }'),
    options('a: {\n    y: 1;\n  }', 'b: {\n    x: 1;\n  }'),
    'major changed Options',
  ),
  'a removed field of a model': oneFile(
    model('a: z.ZodString', 'b: z.ZodString'),
    model('a: z.ZodString'),
    'major changed Model',
  ),
  'a further field of a model': oneFile(
    model('a: z.ZodString'),
    model('a: z.ZodString', 'b: z.ZodString'),
    'major changed Model',
  ),
  'a further optional field of a model': oneFile(
    model('a: z.ZodString'),
    model('a: z.ZodString', 'b: z.ZodOptional<z.ZodString>'),
    'minor changed Model',
  ),
  'an entry of a table': oneFile(
    `${z}export declare const table: {\n  readonly a: {\n    readonly path: '/a';\n  };\n};`,
    `${z}export declare const table: {\n  readonly a: {\n    readonly path: '/a';\n  };\n  readonly b: {\n    readonly query: z.ZodObject<{\n      c: z.ZodString;\n    }>;\n  };\n};`,
    'minor changed table',
  ),
  'a needed parameter of an entry of a table': oneFile(
    `${z}export declare const table: {\n  readonly a: {\n    readonly query: z.ZodObject<{\n      b: z.ZodString;\n    }>;\n  };\n};`,
    `${z}export declare const table: {\n  readonly a: {\n    readonly query: z.ZodObject<{\n      b: z.ZodString;\n      c: z.ZodString;\n    }>;\n  };\n};`,
    'major changed table',
  ),
  'a method of a class': oneFile(
    'export declare class Reader {\n  read(): void;\n}',
    'export declare class Reader {\n  read(): void;\n  close(): void;\n}',
    'minor changed Reader',
  ),
  'what a class asks of who extends or makes it': oneFile(
    'export declare abstract class Reader {\n}\nexport declare class Writer {\n}',
    'export declare abstract class Reader {\n  abstract close(): void;\n}\nexport declare class Writer {\n  constructor(path: string);\n}',
    'major changed Reader',
    'major changed Writer',
  ),
  'a further overload': oneFile(
    'export declare function get(id: string): void;',
    'export declare function get(id: string): void;\nexport declare function get(id: number): void;',
    'minor changed get',
  ),
  'an overload that is gone': oneFile(
    'export declare function get(id: string): void;\nexport declare function get(id: number): void;',
    'export declare function get(id: string): void;',
    'major changed get',
  ),
  'overloads in another order': oneFile(
    "export declare function get(id: 'a' | 'b'): void;\nexport declare function get(id: 'c' | 'd'): void;",
    "export declare function get(id: 'c' | 'd'): void;\nexport declare function get(id: 'b' | 'a'): void;",
  ),
  'a method of what only we make': oneFile(
    '/** @sealed */\nexport interface Client {\n  readonly persons: {\n    list(): void;\n  };\n}',
    '/** @sealed */\nexport interface Client {\n  readonly persons: {\n    list(): void;\n    get(): void;\n  };\n}',
    'minor changed Client',
  ),
  'a method of what only we make from now on': oneFile(
    'export interface Client {\n  list(): void;\n}',
    '/** @sealed */\nexport interface Client {\n  list(): void;\n  get(): void;\n}',
    'major changed Client',
  ),
  'a needed parameter of a method of what only we make': oneFile(
    '/** @sealed */\nexport interface Client {\n  list(a: {\n    x: 1;\n  }, b: {\n    y: 1;\n  }): {\n    found: 1;\n  };\n}',
    '/** @sealed */\nexport interface Client {\n  list(a: {\n    x: 1;\n  }, b: {\n    y: 1;\n    z: 1;\n  }): {\n    found: 1;\n  };\n}',
    'major changed Client',
  ),
  'more in the answer of a method of what only we make': oneFile(
    '/** @sealed */\nexport interface Client {\n  list(a: {\n    x: 1;\n  }): {\n    found: 1;\n  };\n}',
    '/** @sealed */\nexport interface Client {\n  list(a: {\n    x: 1;\n  }): {\n    found: 1;\n    more: 1;\n  };\n}',
    'minor changed Client',
  ),
  'a further code': oneFile(
    "export type Code = 'a' | 'b';",
    "export type Code = 'a' | 'b' | 'c';",
    'major changed Code',
  ),
  'a further name that a constant takes': oneFile(
    "export interface Builder<Name> {\n  with(name: Name): void;\n}\nexport declare const person: Builder<'a' | 'b'>;",
    "export interface Builder<Name> {\n  with(name: Name): void;\n}\nexport declare const person: Builder<'a' | 'b' | 'c'>;",
    'minor changed person',
  ),
  'a name that a constant does not take any more': oneFile(
    "export interface Builder<Name> {\n  with(name: Name): void;\n}\nexport declare const person: Builder<'a' | 'b' | 'c'>;",
    "export interface Builder<Name> {\n  with(name: Name): void;\n}\nexport declare const person: Builder<'a' | 'b'>;",
    'major changed person',
  ),
  'a new export': oneFile(
    'export declare const a: 1;',
    'export declare const a: 1;\nexport type B = 1;',
    'minor new B',
  ),
  'a type that has moved to another file': {
    before: { index: "export type { A } from './_one.js';", _one: 'export interface A {\n  a: 1;\n}' },
    now: { index: "export type { A } from './_two.js';", _two: 'export interface A {\n  a: 1;\n}' },
    found: [],
  },
  'a class of which only the type is left': {
    before: { index: "export { A } from './_one.js';", _one: 'export declare class A {\n}' },
    now: { index: "export type { A } from './_one.js';", _one: 'export declare class A {\n}' },
    found: ['major changed A'],
  },
  'a class under another name, of which only the type is left': {
    before: { index: "export { A as B } from './_one.js';", _one: 'export declare class A {\n}' },
    now: { index: "export type { A as B } from './_one.js';", _one: 'export declare class A {\n}' },
    found: ['major changed B'],
  },
  'another name beside the first': {
    before: { index: "export { A as B } from './_one.js';", _one: 'export declare class A {\n}' },
    now: { index: "export { A as B, A as C } from './_one.js';", _one: 'export declare class A {\n}' },
    found: ['minor new C'],
  },
  'an entry point that is gone, and one that is new': {
    before: { index: 'export declare const a: 1;', one: 'export declare const b: 1;' },
    now: { index: 'export declare const a: 1;', two: 'export declare const b: 1;' },
    found: ['major removed', 'minor new'],
  },
  'an export of two entry points that one has no more': {
    before: {
      index: "export { a } from './_a.js';",
      one: "export { a } from './_a.js';",
      _a: 'export declare const a: 1;',
    },
    now: { index: "export { a } from './_a.js';", one: 'export {};', _a: 'export declare const a: 1;' },
    found: ['major removed a'],
  },
  'a type that another entry point uses': {
    before: {
      index: 'export interface A {\n  a: 1;\n}',
      one: "import type { A } from './index.js';\nexport declare function get(): A;",
    },
    now: {
      index: 'export interface A {\n  a: 2;\n}',
      one: "import type { A } from './index.js';\nexport declare function get(): A;",
    },
    found: ['major changed A'],
  },
  'a default export': {
    before: { index: 'export default class Reporter {\n  begin(): void;\n}' },
    now: { index: 'export default class Reporter {\n  start(): void;\n}' },
    found: ['major changed default'],
  },
  'a default export that is gone': {
    before: { index: 'export default class Reporter {\n}' },
    now: { index: 'export declare class Reporter {\n}' },
    found: ['major removed default', 'minor new Reporter'],
  },
  'a type that users meet and cannot name': oneFile(
    `${z}declare const fields: {\n  a: z.ZodString;\n};\nexport declare const Model: z.ZodObject<typeof fields>;\nexport {};`,
    `${z}declare const fields: {\n  a: z.ZodString;\n  b: z.ZodString;\n};\nexport declare const Model: z.ZodObject<typeof fields>;\nexport {};`,
    'major changed fields',
  ),
  'an optional field of what a model is made of': oneFile(
    `${z}declare const fields: {\n  a: z.ZodString;\n};\nexport declare const Model: z.ZodObject<typeof fields>;\nexport {};`,
    `${z}declare const fields: {\n  a: z.ZodString;\n  b: z.ZodOptional<z.ZodString>;\n};\nexport declare const Model: z.ZodObject<typeof fields>;\nexport {};`,
    'minor changed fields',
  ),
  'a type that users meet, and can name from now on': oneFile(
    'interface Facts {\n  a?: 1;\n}\nexport declare function tell(facts: Facts): void;\nexport {};',
    'export interface Facts {\n  a?: 1;\n}\nexport declare function tell(facts: Facts): void;',
    'minor new Facts',
  ),
  'all of another package': oneFile(
    "export * from 'one';",
    "export * from 'two';",
    'major removed * from "one"',
    'minor new * from "two"',
  ),
  'a function of a namespace': {
    before: { index: "export * as all from './_all.js';", _all: 'export declare function get(id: string): void;' },
    now: { index: "export * as all from './_all.js';", _all: 'export declare function get(id: number): void;' },
    found: ['major changed get'],
  },
  'the same word for another type': {
    before: { index: "import type { A } from 'one';\nexport declare const a: A;" },
    now: { index: "import type { A } from 'two';\nexport declare const a: A;" },
    found: ['major changed a'],
  },
};

const reports = await reportsOf(Object.values(cases).flatMap(({ before, now }) => [before, now]));

test.each(Object.entries(cases))('%s', (title, { found }) => {
  const place = 2 * Object.keys(cases).indexOf(title);
  const [before = [], now = []] = reports.slice(place, place + 2).map(({ text }) => readReport(text).sections);
  const changes = apiChanges(before, now);
  expect(changes.map(({ needs, what, name }) => [needs, what, name].filter(Boolean).join(' '))).toEqual(found);
});
