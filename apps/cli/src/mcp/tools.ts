import * as absences from './list-absences.ts';
import * as payroll from './payroll.ts';
import * as persons from './persons.ts';
import * as payments from './submit-variable-payment.ts';
import * as time from './time-bookings.ts';
import type { Tool } from './tool.ts';
import * as changes from './update-person.ts';

/** All tools by name: those of operations, and those that combine what operations read. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  Object.entries<Tool>({ ...persons, ...time, ...absences, ...payroll, ...changes, ...payments }),
);
