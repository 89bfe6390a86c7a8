import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AnswerCase } from './pact-core.ts';

// pact-core-program.ts FOLDER: writes a pact about FOLDER/cases.json, verifies it, writes what was found to FOLDER/found.json.

interface Verification {
  readonly interactionResults: readonly { readonly description: string; readonly result: 'OK' | 'Error' }[];
  readonly errors: readonly {
    readonly interaction: string;
    readonly mismatch: { readonly mismatches: readonly { readonly path: string }[] };
  }[];
}

process.env['PACT_DO_NOT_TRACK'] = 'true';
const { PactV4, Verifier } = await import('@pact-foundation/pact');

const [, , folder = '.'] = process.argv;
const cases = JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8')) as AnswerCase[];

// Pact itself makes the rules of its file from what a consumer says. Each is then asked for every answer it is about.
const contents = [...new Set(cases.map(({ content }) => JSON.stringify(content)))];
const pact = new PactV4({ consumer: 'matchers', provider: 'answers', dir: folder, logLevel: 'error' });
for (const [index, content] of contents.entries()) {
  // oxlint-disable-next-line no-await-in-loop -- each has a mock server of its own, and all of them one file
  await pact
    .addInteraction()
    .uponReceiving(`${index}`)
    .withRequest('GET', `/${index}`)
    .willRespondWith(200, (builder) => void builder.jsonBody(JSON.parse(content)))
    .executeTest(async ({ url }) => fetch(`${url}/${index}`));
}
const file = join(folder, 'matchers-answers.json');
const written = JSON.parse(await readFile(file, 'utf8')) as { interactions: { description: string }[] };
const interactions = cases.map(({ content }, index) => {
  const about = `${contents.indexOf(JSON.stringify(content))}`;
  const interaction = written.interactions.find(({ description }) => description === about);
  return { ...interaction, description: `case ${index}.`, request: { method: 'GET', path: `/${index}` } };
});
await writeFile(file, JSON.stringify({ ...written, interactions }));

const provider = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(cases[Number(request.url?.slice(1))]?.answer));
});
await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
const { port } = provider.address() as AddressInfo;
const verifier = new Verifier({
  providerBaseUrl: `http://127.0.0.1:${port}`,
  pactUrls: [file],
  logLevel: 'error',
});
const told = await verifier.verifyProvider().catch(({ message }: Error) => message);
provider.close();

const { interactionResults, errors } = JSON.parse(told) as Verification;
const found = cases.map((_, index) => {
  const name = `case ${index}.`;
  const result = interactionResults.find(({ description }) => description === name)?.result;
  const places = errors
    .filter(({ interaction }) => interaction.endsWith(name))
    .flatMap(({ mismatch }) => mismatch.mismatches.map(({ path }) => path));
  if ((result === 'OK') !== (places.length === 0)) throw new Error(`Of ${name} Pact tells two things.`);
  return places;
});
await writeFile(join(folder, 'found.json'), JSON.stringify(found));
