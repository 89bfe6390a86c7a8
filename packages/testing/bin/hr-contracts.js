#!/usr/bin/env node
import * as zod from 'zod';

const isCurrent = Number.parseInt(process.versions.node, 10) >= 22;
if (isCurrent && 'toJSONSchema' in zod) {
  const { hrContracts } = await import('#hr-contracts');
  process.exitCode = await hrContracts(process.argv.slice(2), process.env);
} else {
  const needed = isCurrent ? 'zod 4. Install it: npm install zod@4' : 'Node.js 22 or newer.';
  process.stderr.write(`hr-contracts needs ${needed}\n`);
  process.exitCode = 1;
}
