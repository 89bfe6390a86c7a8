import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Scope } from '../database/clients.ts';
import type { ServiceContext } from './service-context.ts';

/** A request whose inputs have been checked, and what to answer it from. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> extends ServiceContext {
  readonly path: Path;
  readonly query: Query;
  /** The parsed JSON, exactly as sent. */
  readonly body: Body;
  readonly clientId: string;
}

/** JSON as text or as a stream of its bytes; `undefined` where what the path names is unknown. */
export type JsonAnswer = Readable | string | undefined;

/** One method of one path that needs a token, its inputs, and what answers it. */
export interface Route<Path = unknown, Query = unknown, Body = unknown> {
  readonly id: string;
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** With parameters in braces. */
  readonly path: string;
  readonly scope: Scope;
  readonly pathParameters: z.ZodType<Path>;
  readonly query: z.ZodObject & z.ZodType<Query>;
  /** Name of a query parameter in {@link Route.query} → its name in the URL, where that is another. */
  readonly wireNames?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType<Body>;
  readonly timeComponent?: true;
  answer(call: Call<Path, Query, Body>): Promise<JsonAnswer>;
}
