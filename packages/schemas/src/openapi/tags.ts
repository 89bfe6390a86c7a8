import type { Operation } from '../operations.ts';

const descriptions: { readonly [Tag in Operation['tag'] | 'Token']: string } = {
  Token: 'How a program proves who it is.',
  Persons: 'Master data, with what payroll and time management know of a person.',
  Payroll: 'Variable payments and salaries, by payroll contract.',
  Time: 'Time bookings and absences, by person.',
};

/** The Tag Objects, in reading order. */
export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }));
