import { text } from '@hr/schemas';
import { z } from 'zod';
import type { ChangeRoute, ReadRoute, Route } from '../route.ts';

/** What operators do over HTTP needs their scope and stays outside the API. */
export function operatorRoute<Path, Query, Body>(
  route: Omit<ReadRoute<Path, Query, Body>, 'scope'> | Omit<ChangeRoute<Path, Query, Body>, 'scope'>,
): Route {
  return { ...route, scope: 'operator' };
}

/** No parameters. */
export const none = z.strictObject({});

const LONGEST_TEXT = 1000;

/** A text that an operator writes. */
export const OperatorText = text({ min: 1, max: LONGEST_TEXT });
