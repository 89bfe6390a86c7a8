import * as payroll from './payroll.ts';
import * as persons from './persons.ts';
import * as time from './time.ts';
import type { Tool } from './tool.ts';

/** All tools by name: those of operations, and those that combine what operations read. */
export const tools: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>({ ...persons, ...payroll, ...time }));
