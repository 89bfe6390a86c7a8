import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../run.ts';
import { environment } from './environment.ts';

type Texts = Readonly<Record<string, string>>;

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

interface Job {
  readonly if?: string;
  readonly env?: Texts;
  readonly outputs?: Texts;
  /** A job that calls another workflow has none. */
  readonly steps?: readonly Step[];
}

const EXPRESSION = /^([\w.]+)(?: \|\| '(.*)')?$/;
/** A job gets its clone and its files with these, as on a machine with other defaults. */
const OTHER_MACHINE = 'umask 077';
const TZ = 'Pacific/Auckland';

/**
 * Runs the jobs of a workflow as GitHub does: each in a new clone, with the environment that the workflow gives it.
 *
 * @param folder for its files
 * @param common the environment of every machine
 * @param given what its expressions read, such as `secrets.HR_REGISTRY_TOKEN`
 * @returns The outputs of its jobs, such as `needs.pack.outputs.release`.
 */
export async function runWorkflow(
  path: string,
  { folder, origin, branch, registry }: Readonly<Record<'folder' | 'origin' | 'branch' | 'registry', string>>,
  common: NodeJS.ProcessEnv,
  given: Texts,
): Promise<Texts> {
  const workflow = parse(await readFile(path, 'utf8')) as { readonly env: Texts; readonly jobs: Record<string, Job> };
  const values: Record<string, string> = { ...given };
  const valueOf = (expression: string): string => {
    const [, name = '', other = ''] = EXPRESSION.exec(expression) ?? [];
    if (!(name in values)) throw new Error(`${path} has an expression that the rehearsal does not know: ${expression}`);
    return values[name] === '' ? other : (values[name] ?? '');
  };
  const fill = (texts: Texts = {}): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => valueOf(expression)),
      ]),
    );
  for (const [name, { if: condition = '', env, outputs, steps = [] }] of Object.entries(workflow.jobs)) {
    const [, tested] = /^(\S+) != ''$/.exec(condition) ?? [];
    if (steps.length === 0 || (tested !== undefined && valueOf(tested) === '')) continue;
    // oxlint-disable no-await-in-loop -- each job needs the one before
    const place = await mkdtemp(join(folder, `${name}-`));
    const [cwd, output, npmrc] = ['workspace', 'output', 'npmrc'].map((file) => join(place, file)) as [
      string,
      string,
      string,
    ];
    await writeFile(output, '');
    await writeFile(npmrc, `registry=${registry}\n`);
    const jobEnv = {
      ...environment(cwd),
      ...common,
      ...fill(workflow.env),
      ...fill(env),
      TZ,
      GITHUB_OUTPUT: output,
      NPM_CONFIG_USERCONFIG: npmrc,
    };
    for (const step of steps) {
      const options = { ...step.with };
      const artifact = join(folder, `artifact-${String(options['name'])}`);
      const files = join(cwd, String(options['path']));
      const shell = (script: string, at: string): Promise<string> =>
        run('bash', ['-euo', 'pipefail', '-c', `${OTHER_MACHINE}\n${script}`], { cwd: at, env: jobEnv });
      if (step.run !== undefined) await shell(step.run, cwd);
      else if (step.uses?.includes('/upload-artifact@')) await cp(files, artifact, { recursive: true });
      else if (step.uses?.includes('/download-artifact@')) await cp(artifact, files, { recursive: true });
      else {
        const depth = options['fetch-depth'] === 0 ? '' : '--depth 1';
        await shell(`git clone --quiet ${depth} --branch ${branch} 'file://${origin}' ${cwd}`, place);
        if (options['persist-credentials'] === false) await shell('git remote set-url --push origin none', cwd);
      }
    }
    const written = (await readFile(output, 'utf8')).matchAll(/^(\w+)<<END\n(.*?)\n?^END\n/gms);
    for (const [, key = '', value = ''] of written) values[`steps.${name}.outputs.${key}`] = value;
    for (const [key, value] of Object.entries(fill(outputs))) values[`needs.${name}.outputs.${key}`] = value;
    // oxlint-enable no-await-in-loop
  }
  return values;
}
