import { compareComponentVersions, REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import type { Store } from '../store.ts';
import { HttpProblem } from './http-problem.ts';

/** Refuses what needs a newer time-recording component than the installed one (section 8). */
export function checkTimeComponent({ timeComponentVersion: installed }: Store): void {
  const required = REQUIRED_TIME_COMPONENT_VERSION;
  if (compareComponentVersions(installed, required) >= 0) return;
  throw new HttpProblem(
    'time-component-version',
    `The time-recording component is installed in version ${installed}; this needs ${required} or higher.`,
    { members: { installed, required } },
  );
}
