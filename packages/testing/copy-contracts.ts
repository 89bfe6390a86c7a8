// Copies the contracts of this workspace, which `conform` checks, into the package.
import { cpSync, globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const workspace = join(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'contracts');

rmSync(folder, { recursive: true, force: true });
for (const file of globSync('{packages,apps}/*/pacts/*.json', { cwd: workspace })) {
  cpSync(join(workspace, file), join(folder, basename(file)));
}
