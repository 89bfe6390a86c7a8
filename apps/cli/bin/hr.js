#!/usr/bin/env node
// An older Node.js cannot read the program. So this file is written for all of them.
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  // oxlint-disable-next-line typescript/no-floating-promises -- it fails like a program
  import('../src/main.ts');
} else {
  process.stderr.write(
    `hr needs Node.js ${NEEDED} or newer, this is ${process.version}: install it, or use the executable of hr, which needs none.\n`,
  );
  process.exitCode = 1;
}
