#!/usr/bin/env node
import { createRequire } from 'node:module';

// Its version, without loading it.
const zod = createRequire(import.meta.url)('zod/package.json');
const isCurrent = Number.parseInt(process.versions.node, 10) >= 22;
if (isCurrent && Number.parseInt(zod.version, 10) >= 4) {
  const { hrContracts } = await import('#hr-contracts');
  process.exitCode = await hrContracts(process.argv.slice(2), process.env);
} else {
  const needed = isCurrent ? 'zod 4. Install it: npm install zod@4' : 'Node.js 22 or newer.';
  process.stderr.write(`hr-contracts needs ${needed}\n`);
  process.exitCode = 1;
}
