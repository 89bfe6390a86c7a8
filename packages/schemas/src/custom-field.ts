import { z } from 'zod';
import type * as models from './generated/models.ts';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';
import { openEnum } from './open-enum.ts';
import { text } from './text.ts';

/** A field that the operator added to persons (section 2.6). A client sees the fields that are configured for it. */
export const CustomField = z
  .strictObject({
    name: Identifier,
    type: openEnum('STRING').optional(),
    textValue: text().optional(),
    numberValue: Decimal.optional(),
    booleanValue: z.boolean().optional(),
    dateValue: LocalDate.optional(),
    selection: z.array(Identifier).optional(),
  })
  .meta({
    id: 'CustomField',
    section: '2.6',
    description: 'A field that the operator added to persons. A client sees the fields that are configured for it.',
  });
export type CustomField = models.CustomField;
