import type { Readable } from 'node:stream';
import type { Operations } from '@hr/schemas';
import type { Inputs, InputSchemas } from '@hr/schemas/provider';
import type { z } from 'zod';
import type { Database, Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import type { Origin } from './access-audit.ts';
import type { Scope, TokenGrant } from './grant.ts';
import type { PathParameters } from './path-subject.ts';
import type { Runtime, ServiceContext } from './runtime.ts';

/** A request whose inputs have been checked, and what it is handled with. */
interface Call<Path, Query, Body> extends Inputs<Path, Query, Body>, Pick<ServiceContext, 'config'> {
  readonly grant: TokenGrant;
  /** Of the request, for the audit. */
  readonly origin: Origin;
}

interface ReadCall<Path = unknown, Query = unknown, Body = unknown>
  extends Call<Path, Query, Body>, Pick<Runtime, 'cursors' | 'changeFeed'> {
  readonly database: Database;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** All of a change, and the audit of it, is one transaction. */
interface ChangeCall<Path = unknown, Query = unknown, Body = unknown> extends Call<Path, Query, Body> {
  readonly transaction: Queries;
}

/** A change of any size, in transactions of its own. */
interface StreamCall<Path = unknown, Query = unknown> extends Call<Path, Query, undefined> {
  readonly database: Database;
  /** The body, as it arrives. Destroying it ends the upload and leaves the connection for the response. */
  readonly stream: Readable;
  /** Aborted, with an error that has a `code`, when the service stops or the sender leaves: what takes long has to end. */
  readonly signal: AbortSignal;
  /** Whether the sender says that it is gzip. */
  readonly isGzip: boolean;
}

/** A change that waits for another program: no transaction is open meanwhile, so it audits itself. */
interface SendCall<Path = unknown, Query = unknown, Body = unknown>
  extends Call<Path, Query, Body>, Pick<Runtime, 'testWebhook'> {}

interface RouteBase<Path, Query, Body> extends InputSchemas {
  readonly id: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Each of them is enough; the narrowest is the first. */
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly pathParameters: z.ZodType<Path>;
  readonly identified: PathParameters;
  readonly query: z.ZodObject & z.ZodType<Query>;
  readonly body?: z.ZodType<Body> | undefined;
  readonly timeComponent?: true | undefined;
  /** Whether the caller may have it wait. It tells of nobody, so that it is not audited. */
  readonly waits?: true | undefined;
  /** Whether it writes to the audit itself. */
  readonly audits?: true | undefined;
}

interface ReadRoute<Path = unknown, Query = unknown, Body = unknown> extends RouteBase<Path, Query, Body> {
  readonly method: 'GET';
  readonly stream?: undefined;
  readonly sends?: undefined;
  /** Gives `undefined` where what the path names is unknown. */
  answer(call: ReadCall<Path, Query, Body>): Promise<JsonAnswer | undefined>;
}

interface StreamRoute<Path = unknown, Query = unknown> extends RouteBase<Path, Query, undefined> {
  readonly method: 'POST';
  /** The media type of the body. */
  readonly stream: string;
  readonly sends?: undefined;
  /** Audits what it changes itself. */
  answer(call: StreamCall<Path, Query>): Promise<JsonAnswer | undefined>;
}

interface SendRoute<Path = unknown, Query = unknown, Body = unknown> extends RouteBase<Path, Query, Body> {
  readonly method: 'POST';
  readonly stream?: undefined;
  readonly sends: true;
  /** Gives `undefined` where what the path names is unknown. */
  answer(call: SendCall<Path, Query, Body>): Promise<JsonAnswer | undefined>;
}

interface ChangeRoute<Path = unknown, Query = unknown, Body = unknown> extends RouteBase<Path, Query, Body> {
  readonly method: 'PATCH' | 'POST' | 'DELETE';
  readonly stream?: undefined;
  readonly sends?: undefined;
  /** Gives `undefined` where what the path names is unknown. */
  answer(call: ChangeCall<Path, Query, Body>): Promise<JsonAnswer | undefined>;
  /** What is to be done once the change is durable. */
  afterwards?(path: Path, runtime: Runtime): Promise<void> | void;
}

/** One method of one path that needs a token, its inputs, and what answers it. */
export type Route = ReadRoute | ChangeRoute | SendRoute | StreamRoute;

/** What the type of a handler depends on: an entry of an operation table. */
interface OperationModels {
  readonly method: Route['method'];
  readonly pathParameters: z.ZodType;
  readonly query: z.ZodType;
  readonly body?: z.ZodType | undefined;
  readonly stream?: string;
  readonly sends?: true;
}

type BodyOf<Operation> = Operation extends { readonly body: infer Body extends z.ZodType } ? z.output<Body> : undefined;

/** Handles an operation of a table, once its inputs are checked. */
type Handler<Operation extends OperationModels> = (Operation extends { readonly stream: string }
  ? StreamRoute<z.output<Operation['pathParameters']>, z.output<Operation['query']>>
  : Operation['method'] extends 'GET'
    ? ReadRoute<z.output<Operation['pathParameters']>, z.output<Operation['query']>, BodyOf<Operation>>
    : Operation extends { readonly sends: true }
      ? SendRoute<z.output<Operation['pathParameters']>, z.output<Operation['query']>, BodyOf<Operation>>
      : ChangeRoute<z.output<Operation['pathParameters']>, z.output<Operation['query']>, BodyOf<Operation>>)['answer'];

/** Handles each operation of a table. */
export type Handlers<Table extends { readonly [Id in keyof Table]: OperationModels }> = {
  readonly [Id in keyof Table]: Handler<Table[Id]>;
};

/** The operations of the API, of which one sends. */
export type SendingOperations = Operations & { readonly testWebhookEndpoint: { readonly sends: true } };

/** What is to be done once the changes of some operations are durable. */
export type Afterwards<Table extends { readonly [Id in keyof Table]: OperationModels }> = {
  readonly [Id in keyof Table]?: ChangeRoute<z.output<Table[Id]['pathParameters']>>['afterwards'];
};
