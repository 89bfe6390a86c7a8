import { z } from 'zod';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { notInSpecification } from './lenient.ts';

const SalaryValue = z
  .strictObject({ compensationComponentId: Identifier, value: Decimal.optional() })
  .meta({ id: 'SalaryValue' });

/** The salary of a payroll contract in a month (section 2.9). */
export const SalaryHistoryEntry = z
  .strictObject({
    payrollContractId: Identifier,
    year: notInSpecification(z.int().gte(0).lte(9999)),
    month: z.int().gte(1).lte(12).describe('1 is January.'),
    totalSalary: Decimal.optional(),
    baseSalary: Decimal.optional(),
    values: z.array(SalaryValue).optional(),
  })
  .meta({ id: 'SalaryHistoryEntry' });
export type SalaryHistoryEntry = z.output<typeof SalaryHistoryEntry>;
