import { month, oneOf, searchReader, text, useSearchOf, type SearchOf } from '../shell/search.ts';
import { paymentStates } from './payment-states.ts';

export const paymentsSearch = searchReader({
  /** `submit` has a form, `table` takes many payments, and `batches` lists what was submitted together; otherwise it is the list. */
  view: oneOf('submit', 'table', 'batches'),
  /** A table of corrections, by the batch whose payments the service refused. */
  draft: text,
  /** The batch that is shown. */
  batch: text,
  /** Decisions that are under way, or whose result is shown. */
  run: text,
  state: oneOf(...paymentStates, 'all'),
  period: month,
  q: text,
  /** Key of the payment whose details are shown. */
  payment: text,
});

export const usePaymentsSearch = useSearchOf<SearchOf<typeof paymentsSearch>>;
