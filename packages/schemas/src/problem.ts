import { z } from 'zod';

const ProblemIssue = z
  .object({ pointer: z.string(), code: z.string(), detail: z.string() })
  .meta({ id: 'ProblemIssue' });

/** An error response, `application/problem+json` (RFC 9457). */
export const Problem = z
  .object({
    type: z.string().describe('One of the URIs of this service, or about:blank.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string().describe('The path of the request, without its query.').optional(),
    requestId: z.string().describe('Tell it to support; it is in the log.').optional(),
    errors: z.array(ProblemIssue).describe('For bad input: each fault, with its JSON Pointer.').optional(),
    installed: z.string().describe('Of `time-component-version`: the installed version.').optional(),
    required: z.string().describe('Of `time-component-version`: the minimum version.').optional(),
    reason: z.string().describe('Of `cursor-expired`: `history`, `grants` or `database`.').optional(),
    keptSince: z.string().describe('Of `changes-expired`: the first date that `changedSince` can be.').optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof Problem>;
