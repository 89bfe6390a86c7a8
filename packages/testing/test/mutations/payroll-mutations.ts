import { asText, being, dropped, renamed } from './member-changes.ts';
import { at, atEach, type Mutations } from './mutation.ts';

/** What can be wrong with payments and salaries. */
export const payrollMutations: Mutations = {
  'the amount is a text': atEach(['amount', '*.amount'], asText),
  'the amount has a currency': atEach(['amount', '*.amount'], being({ value: 250, currency: 'EUR' })),
  'the billing period is a day': atEach(['billingPeriod', '*.billingPeriod'], being('2026-01-01')),
  'the billing period is the other way round': atEach(['billingPeriod', '*.billingPeriod'], being('01/2026')),
  'the correction period is gone': atEach(['correctionPeriod', '*.correctionPeriod'], dropped),
  'the component has another name': atEach(
    ['compensationComponentId', '*.compensationComponentId'],
    renamed('wageType'),
  ),
  'the month is a text': at('*.month', asText),
  'the month is not whole': at('*.month', being(1.5)),
  'the salaries have a map of values': at('*.values', being({ 2000: 3330 })),
  'the value of a salary is a text': at('*.values.*.value', asText),
};
