import { z } from 'zod';
import type * as models from './generated/models.ts';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { notInSpecification } from './lenient.ts';

const SalaryValue = z
  .strictObject({
    compensationComponentId: Identifier,
    value: Decimal.describe('The specification states no currency.').optional(),
  })
  .meta({ id: 'SalaryValue', section: '2.9', description: 'A part of a salary.' });

/** The salary of a payroll contract in a month (section 2.9). */
export const SalaryHistoryEntry = z
  .strictObject({
    payrollContractId: Identifier,
    year: notInSpecification(z.int().gte(0).lte(9999)),
    month: z.int().gte(1).lte(12).describe('1 is January.'),
    totalSalary: Decimal.describe('The specification states no currency.').optional(),
    baseSalary: Decimal.describe('The specification states no currency.').optional(),
    values: z.array(SalaryValue).optional(),
  })
  .meta({ id: 'SalaryHistoryEntry', section: '2.9', description: 'The salary of a payroll contract in a month.' });
export type SalaryHistoryEntry = models.SalaryHistoryEntry;
