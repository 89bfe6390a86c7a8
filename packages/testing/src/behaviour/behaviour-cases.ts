import type { BehaviourCase, Cases } from './behaviour-case.ts';
import { cursorCases } from './cursor-cases.ts';
import { errorCases } from './error-cases.ts';
import { grantCases } from './grant-cases.ts';
import { patchCases } from './patch-cases.ts';
import { decisionCases, paymentCases, salaryCases } from './payroll-cases.ts';
import { personCases } from './person-cases.ts';
import { absenceCases, bookingCases } from './time-cases.ts';
import { tokenCases } from './token-cases.ts';
import { webhookCases } from './webhook-cases.ts';

const sections: Readonly<Record<string, Cases>> = {
  '4.1': patchCases,
  '4.2': { ...personCases, ...cursorCases },
  '4.3': { ...paymentCases, ...decisionCases },
  '4.4': bookingCases,
  '4.5': salaryCases,
  '4.6': absenceCases,
  '5': { ...tokenCases, ...grantCases },
  '6': webhookCases,
  '7': errorCases,
};

/**
 * How an HR cloud behaves in about 500 situations, as data. The service, the fake and `conform` use the same cases.
 *
 * @example
 * const patches = behaviourCases.filter(({ section }) => section === '4.1');
 */
export const behaviourCases: readonly BehaviourCase[] = Object.entries(sections).flatMap(([section, cases]) =>
  Object.entries(cases).map(([title, { isDecided, ...others }]): BehaviourCase => {
    return { section, severity: isDecided ? 'should' : 'must', title, ...others };
  }),
);
