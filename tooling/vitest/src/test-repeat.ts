import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { program, runSuite, workspace } from './run-suite.ts';

const USAGE =
  'Name test files from the root of the workspace: pnpm test:repeat apps/service/test/kill.test.ts --times 30 --load 4';

await program(async (print) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { times: { type: 'string', default: '30' }, load: { type: 'string', default: '4' } },
  });
  const byFolder = Object.groupBy(positionals, (file) => file.split('/', 2).join('/'));
  if (positionals.length === 0 || positionals.some((file) => !/^\w+\/[\w-]+\/test\//.test(file)))
    throw new Error(USAGE);
  // What else a busy machine does.
  const busy = Array.from({ length: Number(values.load) }, () => new Worker('for (;;) {}', { eval: true }));
  const logs = join(workspace, 'node_modules/.cache/test-repeat');
  const failures = new Map<string, string[]>();
  for (let time = 1; time <= Number(values.times); time++) {
    for (const [folder, files = []] of Object.entries(byFolder)) {
      const log = join(logs, `${folder.replace('/', '-')}-${time}.log`);
      const inPackage = files.map((file) => file.slice(folder.length + 1));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { hasPassed, failedFiles } = await runSuite({ folder, files: inPackage, log });
      const failed = hasPassed || failedFiles.length > 0 ? failedFiles : [`${folder} as a whole`];
      for (const file of failed) failures.set(file, [...(failures.get(file) ?? []), log]);
      print(`${time} of ${values.times}, ${folder}: ${failed.join(', ') || 'passed'}`);
    }
  }
  await Promise.all(busy.map((worker) => worker.terminate()));
  for (const [file, seen] of failures)
    print(`${file} failed ${seen.length} of ${values.times} times: ${seen.join(' ')}`);
  if (failures.size === 0) print(`None of ${positionals.length} files failed in ${values.times} times.`);
  return failures.size === 0;
});
