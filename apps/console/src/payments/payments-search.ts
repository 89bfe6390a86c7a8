import { month, oneOf, searchReader, text, useSearchOf, type SearchOf } from '../shell/search.ts';
import type { PaymentState } from './payment-inbox.ts';

/** The states of the filter. */
export const states = [
  'submitted',
  'unknown',
  'sending',
  'approved',
  'rejected',
  'refused',
] as const satisfies PaymentState[];

export const paymentsSearch = searchReader({
  /** `submit` has a form, and `table` takes many payments; otherwise it is the list. */
  view: oneOf('submit', 'table'),
  /** The submitted batch whose result is shown. */
  batch: text,
  /** Decisions that are under way, or whose result is shown. */
  run: text,
  state: oneOf(...states, 'all'),
  period: month,
  q: text,
  /** Key of the payment whose details are shown. */
  payment: text,
});

export const usePaymentsSearch = useSearchOf<SearchOf<typeof paymentsSearch>>;
