import { answerMutations } from './answer-mutations.ts';
import { harmlessMutations } from './harmless-mutations.ts';
import type { Mutations } from './mutation.ts';
import { payrollMutations } from './payroll-mutations.ts';
import { personMutations } from './person-mutations.ts';
import { problemMutations } from './problem-mutations.ts';
import { timeMutations } from './time-mutations.ts';
import { valueMutations } from './value-mutations.ts';

/** Ways of breaking a provider, by what is broken. */
export const mutations: Mutations = {
  ...personMutations,
  ...payrollMutations,
  ...timeMutations,
  ...valueMutations,
  ...problemMutations,
  ...answerMutations,
  ...harmlessMutations,
};
