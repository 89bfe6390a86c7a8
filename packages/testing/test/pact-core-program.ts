import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pactCore, { makeConsumerPact } from '@pact-foundation/pact-core';
import type { AnswerCase } from './pact-core.ts';

// pact-core-program.ts FOLDER: writes a pact about FOLDER/cases.json, verifies it, writes what was found to FOLDER/found.json.

interface Verification {
  readonly interactionResults: readonly { readonly description: string; readonly result: 'OK' | 'Error' }[];
  readonly errors: readonly {
    readonly interaction: string;
    readonly mismatch: { readonly mismatches: readonly { readonly path: string }[] };
  }[];
}

const [, , folder = '.'] = process.argv;
const cases = JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8')) as AnswerCase[];

// Version 4 of the pact specification, as Pact's core numbers it.
const SPECIFICATION_V4 = 5;

// An interaction costs Pact more than a short answer, so that one has several cases, each at a key of its own.
const LENGTH_OF_SHORT = 8000;
const answers: AnswerCase[][] = [];
let length = LENGTH_OF_SHORT;
for (const one of cases) {
  const added = JSON.stringify(one.content).length;
  if (length + added > LENGTH_OF_SHORT) {
    answers.push([]);
    length = 0;
  }
  answers.at(-1)?.push(one);
  length += added;
}
const keyed = (values: readonly unknown[]) => Object.fromEntries(values.map((value, index) => [`case${index}`, value]));

// Pact itself makes the rules of its file from what a consumer says.
const pact = makeConsumerPact('matchers', 'answers', SPECIFICATION_V4, 'error');
for (const [index, answer] of answers.entries()) {
  const interaction = pact.newInteraction(`answer ${index}.`);
  interaction.withRequest('GET', `/${index}`);
  interaction.withStatus(200);
  interaction.withResponseBody(JSON.stringify(keyed(answer.map(({ content }) => content))), 'application/json');
}
pact.writePactFile(folder, true);

const provider = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(keyed(answers[Number(request.url?.slice(1))]?.map(({ answer }) => answer) ?? [])));
});
await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
const { port } = provider.address() as AddressInfo;
// It uses a single certificate, as a verification does.
await import('../src/provider/pact-process.ts');
const told = await pactCore.default
  .verifyPacts({
    provider: 'answers',
    providerBaseUrl: `http://127.0.0.1:${port}`,
    pactUrls: [join(folder, 'matchers-answers.json')],
    logLevel: 'error',
  })
  .catch(({ message }: Error) => message);
provider.close();

const { interactionResults, errors } = JSON.parse(told) as Verification;
const found = answers.flatMap((answer, index) => {
  const name = `answer ${index}.`;
  const result = interactionResults.find(({ description }) => description === name)?.result;
  const places = errors
    .filter(({ interaction }) => interaction.endsWith(name))
    .flatMap(({ mismatch }) => mismatch.mismatches.map(({ path }) => path));
  if ((result === 'OK') !== (places.length === 0)) throw new Error(`Of ${name} Pact tells two things.`);
  const placesOf = answer.map((): string[] => []);
  for (const place of places) {
    const [, at, rest] = /^\$\.case(\d+)(.*)$/s.exec(place) ?? [];
    const own = placesOf[Number(at)];
    if (!own) throw new Error(`${place} of ${name} is the place of no case.`);
    own.push(`$${rest}`);
  }
  return placesOf;
});
await writeFile(join(folder, 'found.json'), JSON.stringify(found));
