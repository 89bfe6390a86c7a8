import type { PrivateRegistry } from './private-registry.ts';
import type { Team } from './team.ts';

/** What the parts of a rehearsal work with. */
export interface Stage {
  /** The copy of the workspace. */
  readonly copy: string;
  readonly registry: PrivateRegistry;
  readonly team: Team;
  /** Where the HR Cloud answers. */
  readonly serviceUrl: string;
  /** What was typed by the maintainer, and run by workflows. */
  readonly commands: readonly string[];
  readonly report: (line: string) => void;
  /** Does what a maintainer types, in the copy, and gives what it printed. */
  readonly maintainer: (line: string) => Promise<string>;
  /** Runs the job of a workflow that has its name, with the values of expressions such as `inputs.tag`. */
  readonly workflow: (name: string, expressions: Readonly<Record<string, string>>) => Promise<void>;
}
