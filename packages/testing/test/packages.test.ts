import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { jsonFile, pactOf } from './pact-file.ts';

/** Calls a function where an optional package is not installed, and tells what it throws. */
async function without(missing: string, call: string): Promise<{ code: string; message: string }> {
  const program = `
    import Module, { registerHooks } from 'node:module';
    const found = Module._resolveFilename;
    Module._resolveFilename = (request, ...others) => {
      if (request === '${missing}') throw Object.assign(new Error('not found'), { code: 'MODULE_NOT_FOUND' });
      return found(request, ...others);
    };
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.startsWith('${missing}')) throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(specifier, context);
      },
    });
    const { verifyProvider } = await import('@hr/testing/provider');
    const { code, message } = await ${call}.catch((error) => error);
    process.stdout.write(JSON.stringify({ code, message }));
  `;
  const node = ['--conditions=@hr/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: new URL('..', import.meta.url) });
  return JSON.parse(stdout) as { code: string; message: string };
}

test('says which package a verification needs', async () => {
  const file = await jsonFile(pactOf('payroll-batch', [{ response: [] }]));
  const provider = createServer().listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const options = JSON.stringify({ provider: { url }, source: { pacts: [file] }, states: {} });
  await expect(without('@pact-foundation/pact', `verifyProvider(${options})`)).resolves.toEqual({
    code: 'missing-package',
    message: expect.stringContaining('npm install --save-dev @pact-foundation/pact'),
  });
  provider.close();
});
