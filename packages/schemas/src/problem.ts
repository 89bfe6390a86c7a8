import { z } from 'zod';

const ProblemIssue = z
  .object({ pointer: z.string(), code: z.string(), detail: z.string() })
  .meta({ id: 'ProblemIssue' });

/** An error answer, `application/problem+json` (RFC 9457). */
export const Problem = z
  .object({
    type: z.string().describe('One of the URIs of this service, or about:blank.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string().describe('The path that was asked, without its query.').optional(),
    requestId: z.string().describe('Tell it to support; it is in the log.').optional(),
    errors: z.array(ProblemIssue).describe('For bad input: what is wrong where, by JSON Pointer.').optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof Problem>;
