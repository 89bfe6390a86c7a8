import { z } from 'zod';
import type * as models from './generated/models.ts';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';
import { openEnum } from './open-enum.ts';

const WorkingHours = z
  .strictObject({ daily: Decimal.optional(), weekly: Decimal.optional(), monthly: Decimal.optional() })
  .meta({ id: 'WorkingHours', section: '2.5', description: 'The working hours of a payroll contract.' });

/** One payroll contract of a person (section 2.5). */
export const Employment = z
  .strictObject({
    payrollContractId: Identifier.describe('Opaque; its present form `<companyId>-<employeeNumber>` may change.'),
    personGroupCode: Identifier.optional(),
    fullTime: z.boolean().optional(),
    permanent: z.boolean().optional(),
    start: LocalDate.optional(),
    end: LocalDate.optional(),
    fixedTermEndDate: LocalDate.optional(),
    workingHours: WorkingHours.optional(),
    paymentTime: openEnum('FIFTEENTH').optional(),
  })
  .meta({ id: 'Employment', section: '2.5', description: 'One payroll contract of a person.' });
export type Employment = models.Employment;
