import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { environment } from '../src/rehearsal/environment.ts';
import type { Stage } from '../src/rehearsal/open-stage.ts';
import { run } from '../src/run.ts';

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
 * Pushes what the maintainer has as a branch, and runs the jobs of a workflow on it as GitHub does: each in a new clone,
 * with the environment that the workflow gives it.
 *
 * @returns The list of the files that were packed.
 */
export async function runWorkflow(stage: Stage, file: string, branch: string): Promise<string> {
  const { folder, copy, common, registry, maintainer } = stage;
  await maintainer(`git push --quiet origin HEAD:${branch}`);
  const path = join(copy, '.github/workflows', file);
  const workflow = parse(await readFile(path, 'utf8')) as { readonly env: Texts; readonly jobs: Record<string, Job> };
  const values: Record<string, string> = {
    'vars.HR_REGISTRY': registry.url,
    'vars.HR_REGISTRY_PROVENANCE': '',
    'secrets.HR_REGISTRY_TOKEN': registry.token,
    'inputs.tag': '',
    'github.actor': 'maintainer',
    'github.event.number': '13',
  };
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
    const [cwd, output, npmrc] = [join(place, 'workspace'), join(place, 'output'), join(place, 'npmrc')];
    await writeFile(output, '');
    await writeFile(npmrc, `registry=${registry.url}\n`);
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
      const artifact = join(folder, `${branch}-${String(options['name'])}`);
      const files = join(cwd, String(options['path']));
      const shell = (script: string, at: string): Promise<string> =>
        run('bash', ['-euo', 'pipefail', '-c', `${OTHER_MACHINE}\n${script}`], { cwd: at, env: jobEnv });
      if (step.run !== undefined) await shell(step.run, cwd);
      else if (step.uses?.includes('/upload-artifact@')) await cp(files, artifact, { recursive: true });
      else if (step.uses?.includes('/download-artifact@')) await cp(artifact, files, { recursive: true });
      else {
        const depth = options['fetch-depth'] === 0 ? '' : '--depth 1';
        await shell(`git clone --quiet ${depth} --branch ${branch} 'file://${copy}.git' ${cwd}`, place);
        if (options['persist-credentials'] === false) await shell('git remote set-url --push origin none', cwd);
      }
    }
    const written = (await readFile(output, 'utf8')).matchAll(/^(\w+)<<END\n(.*?)\n?^END\n/gms);
    for (const [, key = '', value = ''] of written) values[`steps.${name}.outputs.${key}`] = value;
    for (const [key, value] of Object.entries(fill(outputs))) values[`needs.${name}.outputs.${key}`] = value;
    // oxlint-enable no-await-in-loop
  }
  return values['needs.pack.outputs.release'] ?? '';
}
