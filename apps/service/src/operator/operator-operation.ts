import type { API_SCOPE } from '@hr/schemas';
import type { ExtensionOperation } from '@hr/schemas/openapi';
import { z } from 'zod';
import type { Scope } from '../http/grant.ts';

export type OperatorScope = Exclude<Scope, typeof API_SCOPE>;

/**
 * An operation of operators, which is beyond the API. Its route, its checks, its command and its part of the OpenAPI
 * document follow from it.
 */
export interface OperatorOperation extends Omit<ExtensionOperation, 'scopes' | 'tag'> {
  readonly method: 'GET' | 'POST';
  readonly path: `/operator/v1/${string}`;
  /** The narrowest scope that is enough. */
  readonly scope: OperatorScope;
  /** Whether the caller may have it wait. */
  readonly waits?: true;
  /** Whether it writes to the audit itself, so that no event says that it was called. */
  readonly audits?: true;
  /** What clients may not do, and the command line may. */
  readonly restriction?: string;
}

export type OperatorOperations = Readonly<Record<string, OperatorOperation>>;

const none = z.strictObject({});

/** What most operations have. */
export const get = { method: 'GET', pathParameters: none, query: none, list: false } as const;
export const list = { ...get, list: true } as const;
export const post = { method: 'POST', pathParameters: none, query: none, list: false } as const;

/** The scopes each of which is enough for an operation, the narrowest first. */
export function scopesOf({
  method,
  scope,
}: Pick<OperatorOperation, 'method' | 'scope'>): readonly [OperatorScope, ...OperatorScope[]] {
  if (scope === 'operator') return [scope];
  return method === 'GET' && scope !== 'operator:read' ? [scope, 'operator:read', 'operator'] : [scope, 'operator'];
}
