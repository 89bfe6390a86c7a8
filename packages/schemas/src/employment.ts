import { z } from 'zod';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';
import { openEnum } from './open-enum.ts';

const WorkingHours = z
  .strictObject({ daily: Decimal.optional(), weekly: Decimal.optional(), monthly: Decimal.optional() })
  .meta({ id: 'WorkingHours' });

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
  .meta({ id: 'Employment' });
export type Employment = z.output<typeof Employment>;
