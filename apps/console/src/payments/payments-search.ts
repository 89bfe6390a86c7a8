import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What the address of the screen says. */
export interface PaymentsSearch {
  /** `submit` has a form, and `table` takes many payments; otherwise it is the list. */
  readonly view?: string | undefined;
  /** The submitted batch whose result is shown. */
  readonly batch?: string | undefined;
  readonly state?: string | undefined;
  readonly period?: string | undefined;
  readonly q?: string | undefined;
  /** Decisions that are under way, or whose result is shown. */
  readonly run?: string | undefined;
  /** Key of the payment whose details are shown. */
  readonly payment?: string | undefined;
}

const names = ['view', 'batch', 'run', 'state', 'period', 'q', 'payment'] as const;

/** The address of the screen, and a function that changes parts of it. */
export function usePaymentsSearch(): readonly [PaymentsSearch, (change: PaymentsSearch, replace?: boolean) => void] {
  const found: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changed: PaymentsSearch, replace = false) => {
      const search = (before: object): object => ({ ...before, ...changed });
      void navigate({ to: '/payments', search: search as never, replace, resetScroll: false });
    },
    [navigate],
  );
  const search = names.flatMap((name) => {
    const value = found[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  return [Object.fromEntries(search), change];
}
