import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../run.ts';

type Variables = Readonly<Record<string, string>>;

/** What the host of CI gives to a job: the values of expressions such as `secrets.HR_REGISTRY_TOKEN`, by their text. */
export interface JobContext {
  readonly expressions: Variables;
  readonly env: NodeJS.ProcessEnv;
}

interface Workflow {
  readonly env?: Variables;
  readonly jobs: Readonly<Record<string, { readonly env?: Variables; readonly steps: readonly WorkflowStep[] }>>;
}

interface WorkflowStep {
  readonly uses?: string;
  readonly run?: string;
}

const EXPRESSION = /\$\{\{ *(.*?) *\}\}/g;

/**
 * Runs the steps of a job as the host of CI does, in a checkout that is there already.
 *
 * @returns The lines that it ran, with the values of its variables.
 * @throws {Error} That says which step failed, or which expression has no value.
 */
export async function runWorkflowJob(
  workspace: string,
  name: string,
  { expressions, env }: JobContext,
): Promise<string[]> {
  const text = await readFile(join(workspace, `.github/workflows/${name}.yml`), 'utf8');
  const workflow = parse(text) as Workflow;
  const { [name]: job } = workflow.jobs;
  if (!job) throw new Error(`The workflow ${name} has no job of this name.`);
  const own = Object.fromEntries(
    Object.entries({ ...workflow.env, ...job.env }).map(([key, value]) => [key, evaluated(value, expressions)]),
  );
  const ran: string[] = [];
  for (const step of job.steps) {
    if (step.run === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await run('bash', ['-e', '-o', 'pipefail', '-c', step.run], { cwd: workspace, env: { ...env, ...own } });
    ran.push(
      ...step.run
        .trim()
        .split('\n')
        .map((line) => withValues(line, own)),
    );
  }
  return ran;
}

function evaluated(text: string, expressions: Variables): string {
  return text.replaceAll(EXPRESSION, (_, expression: string) => {
    const value = expressions[expression];
    if (value === undefined) throw new Error(`The rehearsal has no value for \${{ ${expression} }}.`);
    return value;
  });
}

function withValues(line: string, variables: Variables): string {
  return line.replaceAll(/"\$([A-Z_]+)"/g, (whole, name: string) => variables[name] ?? whole);
}
