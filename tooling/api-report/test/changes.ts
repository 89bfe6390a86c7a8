/** A change of a package: its released declarations, and those of now. */
type Case = readonly [before: string, now: string];

const [one, two] = ['export declare const a: 1;', 'export declare const b: 2;'];
const model = (more = ''): string =>
  `import { z } from 'zod';\nexport declare const Model: z.ZodObject<{ a: z.ZodString; ${more} }, z.core.$strict>;
export type Model = z.output<typeof Model>;`;
const make = (options: string): string =>
  `export interface Options { ${options} }\nexport declare function make(options: Options): void;`;
const read = (result: string): string =>
  `export interface Result { ${result} }\nexport declare function read(): Result;`;
const list = (type: string): string => `export interface List${type}`;
const table = (rows: string): string =>
  `export interface Rows { ${rows} }\nexport type Row<Id extends keyof Rows> = Rows[Id];`;
const source = (members: string): string =>
  `export interface Source { ${members} }\nexport declare function use(source: Source): void;`;
const fn = (signature: string): string => `export declare function get${signature};`;
const client = (members: string): string =>
  `/** We make it. @sealed */\nexport interface Client { ${members} }
export declare function createClient(): Client;\nexport declare function sync(client: Client): void;`;
const error = (members: string): string => `export declare class Fault extends Error { ${members} }`;
const operations = (names: readonly string[]): string =>
  `export declare const operations: { ${names.map((name) => `readonly ${name}: { response: '${name}' }`).join('; ')} };
export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type ResponseOf<Id extends OperationId> = Operations[Id]['response'];
export declare function call<Id extends OperationId>(id: Id, trace: (operation: OperationId) => void): ResponseOf<Id>;`;

export const breaking: Readonly<Record<string, Case>> = {
  'an export is removed': [`${one}\n${two}`, one],
  'a type is removed': [make('a?: 1'), make('a?: 1').replace(/export (?=interface)/, '')],
  'only the type of a class is exported': [
    error(''),
    `${error('').replace('export ', '/** It. */\n')}\nexport type { Fault };`,
  ],
  'an optional option is renamed': [make('timeout?: number'), make('timeoutMs?: number')],
  'an option of an option is removed': [make('retry: { limit?: 1; delay?: 2 }'), make('retry: { limit?: 1 }')],
  'an option is required': [make('a?: 1'), make('a: 1')],
  'there is a new required option': [make('a: 1'), make('a: 1; b: 1')],
  'an option takes fewer values': [make("mode?: 'a' | 'b'"), make("mode?: 'a'")],
  'a parameter takes other values': [fn('(id: string): void'), fn('(id: number): void')],
  'a parameter is required': [fn('(id?: string): void'), fn('(id: string): void')],
  'an optional parameter is removed': [fn('(a: 1, b?: 2): void'), fn('(a: 1): void')],
  'a result can be undefined': [fn('(): string'), fn('(): string | undefined')],
  'a field of a result is removed': [read('a?: 1; b: 2'), read('b: 2')],
  'a field of a result is optional': [read('a: 1'), read('a?: 1')],
  'a result has a further code': [error("readonly code: 'a' | 'b'"), error("readonly code: 'a' | 'b' | 'c'")],
  'a method needs more options': [client('list(query: { a: 1 }): void'), client('list(query: { a: 1; b: 2 }): void')],
  'a method has no option any more': [client('list(query: { a?: 1 }): void'), client('list(query: { b?: 1 }): void')],
  'a method is removed': [client('get(): void; list(): void'), client('list(): void')],
  'an overload is removed': [client('get(id: 1): void; get(id: 2): void'), client('get(id: 1): void')],
  'a type of another package is removed': [`export type { ZodString } from 'zod';\n${one}`, one],
  'a field is readonly': [read('a: 1'), read('readonly a: 1')],
  'a field of a result is any': [read('a: { b: string }'), read('a: { b: any }')],
  'a function returns any': [fn('(): string[]'), fn('(): any[]')],
  'a member of an error is any': [error('readonly status: number'), error('readonly status: any')],
  'a constructor needs more': [error('constructor(a: 1)'), error('constructor(a: 1, b: 2)')],
  'a type has a further type parameter': [list('<T> { items: T[] }'), list('<T, U> { items: T[]; more?: U }')],
  'a type parameter has another default': [list('<T = string> { items: T[] }'), list('<T = number> { items: T[] }')],
  'a generic result is another': [operations(['list', 'get']), operations(['list', 'get']).replace("'list'", "'all'")],
  'a row of a table is removed': [table('a: 1; b: 2'), table('a: 1')],
  'an operation is removed': [operations(['list', 'get']), operations(['list'])],
  'a model has a further required field': [model(), model('b: z.ZodString')],
  'a model has no longer a field': [model('b: z.ZodOptional<z.ZodString>'), model()],
  'an interface of users has a further member': [source('read(): 1'), source('read(): 1; close(): void')],
};

export const compatible: Readonly<Record<string, Case>> = {
  'there is a new export': [one, `${one}\n${two}`],
  'there is a new optional option': [make('a?: 1'), make('a?: 1; b?: 2')],
  'an option is optional': [make('a: 1'), make('a?: 1')],
  'an option takes more values': [make("mode?: 'a'"), make("mode?: 'a' | 'b'")],
  'a callback gets a further argument': [make('on?: (a: 1) => void'), make('on?: (a: 1, b: 2) => void')],
  'there is a new optional parameter': [fn('(a: 1): void'), fn('(a: 1, b?: 2): void')],
  'a parameter takes more values': [fn('(id: string): void'), fn('(id: string | number): void')],
  'a result is never undefined': [fn('(): string | undefined'), fn('(): string')],
  'a result has a further field': [read('a: 1'), read('a: 1; b: 2')],
  'a field of a result is always there': [read('a?: 1'), read('a: 1')],
  'a sealed interface has a further method': [client('get(): void'), client('get(): void; list(): void')],
  'there is a further overload': [client('get(id: 1): void'), client('get(id: 1): void; get(id: 2): void')],
  'a class has a further member': [error('readonly a: 1'), error('readonly a: 1; readonly b: 2; #c')],
  'a field is no longer readonly': [read('readonly a: 1'), read('a: 1')],
  'a type gets a name': [make('a: { b: 1 }'), `export interface A { b: 1 }\n${make('a: A')}`],
  'members move to a base': [
    read('a: 1'),
    `export interface Base { a: 1 }\n${read('').replace('Result', 'Result extends Base')}`,
  ],
  'a type parameter with a default': [list('<T> { items: T[] }'), list('<T, U = T> { items: T[]; more?: U }')],
  'a table has a further row': [table('a: 1'), table('a: 1; b: 2')],
  'there is a further operation': [operations(['list', 'get']), operations(['list', 'get', 'update'])],
  'a model has a further optional field': [model(), model('b: z.ZodOptional<z.ZodString>')],
};
