import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startFakeHrCloud, type RunningFakeHrCloud } from '../src/fake/index.ts';
import { stateNames } from '../src/states/index.ts';
import { BrokerDouble } from './broker-double.ts';
import { bin, runCommand, startProgram, type Outcome } from './hr-contracts.ts';
import { jsonFile, newFolder, pactOf, type TestInteraction } from './pact-file.ts';
import { json, startProvider } from './provider-under-test.ts';

let folder: string;
let env: Record<string, string> = {};

beforeEach(async () => {
  folder = await newFolder();
  env = {};
  await mkdir(join(folder, 'pacts'));
  await jsonFile(pactOf('payroll-batch', [{ description: 'persons', response: [] }]), join(folder, 'pacts'));
});

const program = (...args: readonly string[]): Promise<Outcome> => startProgram(args, { folder, env }).outcome;
const command = (...args: readonly string[]): Promise<Outcome> => runCommand(args, { folder, env });

const provider = ['--participant', 'hr-cloud', '--version', '1.4.0', '--environment', 'production'];
const consumer = ['pacts', '--participant', 'payroll-batch', '--version', '2.1.0', '--environment', 'production'];
const records = ['--records', 'contracts/deployments.json'];

const aPerson = { name: 'a person', params: { id: '4711' } };
const idRule = { '$[*].id': { matchers: [{ match: 'type' }] }, $: { matchers: [{ match: 'type', min: 1 }] } };
const person: TestInteraction = {
  description: 'a person',
  states: [aPerson],
  response: [{ id: '4711' }],
  rules: idRule,
};

describe('verify', () => {
  test('asks the fake, and prints the counts', async () => {
    await jsonFile(pactOf('planner', [person, person]), join(folder, 'pacts'), 'planner.json');
    await expect(program('verify', 'pacts')).resolves.toEqual({
      exit: 0,
      stdout:
        'Verification of hr-cloud passed: 3 of 3 interactions passed.\n  payroll-batch: 1 of 1\n  planner: 2 of 2\n',
      stderr: '',
    });
  });

  test('prints the report of a failure and nothing else', async () => {
    const file = 'pacts/planner.json';
    await jsonFile(pactOf('planner', [person, { ...person, description: 'two', status: 201 }]), folder, file);
    await expect(command('verify', file)).resolves.toEqual({
      exit: 1,
      stdout: `Verification of hr-cloud failed: 1 of 2 interactions passed.
  planner: 1 of 2

planner: two (given a person)
  in ${file}
  GET /api/v1/persons
  status: expected 201, got 200.
`,
      stderr: '',
    });
  });

  test('prints the result as JSON', async () => {
    const passed = await command('verify', 'pacts', '--json');
    expect(passed).toMatchObject({ exit: 0, stderr: '' });
    expect(JSON.parse(passed.stdout)).toMatchObject({ ok: true, pacts: [{ pact: 'pacts/pact.json' }] });
    await jsonFile(pactOf('payroll-batch', [{ response: [], status: 404 }]), join(folder, 'pacts'));
    const failed = await command('verify', 'pacts', '--json');
    expect(failed).toMatchObject({ exit: 1, stderr: '' });
    expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false, interactions: [{ ok: false }] });
  });

  test('names what is missing or is no pact', async () => {
    await expect(command('verify', 'pacts', 'nowhere')).resolves.toEqual({
      exit: 1,
      stdout: '',
      stderr: 'nowhere does not exist. Correct the path.\n',
    });
    await writeFile(join(folder, 'pacts/notes.txt'), '');
    await expect(command('verify', 'pacts')).resolves.toEqual({
      exit: 1,
      stdout: '',
      stderr: 'pacts/notes.txt is not a pact. Move it out of pacts, or name it .json.\n',
    });
  });

  describe('of a running provider', () => {
    let fake: RunningFakeHrCloud;
    beforeEach(async () => {
      fake = await startFakeHrCloud();
      await jsonFile(pactOf('planner', [person]), join(folder, 'pacts'));
    });
    afterEach(() => fake.stop());

    /** Sets up states as docs/provider-states.md says. */
    async function statesUrl(posted: unknown[] = [], status = 200): Promise<string> {
      const server = await startProvider((response, { method, body }) => {
        const change = JSON.parse(body) as { action: string; state: string; params: { id: string } };
        posted.push([method, change]);
        if (change.action === 'reset') fake.reset();
        if (change.action === 'setup') fake.state('a person', change.params);
        json({}, status)(response, {} as never);
      });
      onTestFinished(() => server.stop());
      return `${server.url}/states`;
    }

    test('posts its states and sends the token of HR_TOKEN', async () => {
      env = { HR_TOKEN: 'contract-token' };
      await jsonFile(pactOf('planner', [person, { response: [] }]), join(folder, 'pacts'));
      const posted: unknown[] = [];
      const states = await statesUrl(posted);
      await expect(command('verify', 'pacts', '--url', fake.url, '--states-url', states)).resolves.toMatchObject({
        exit: 0,
        stdout: expect.stringContaining('2 of 2 interactions passed.') as string,
      });
      expect(posted).toEqual([
        ['POST', { action: 'reset', state: '', params: {} }],
        ['POST', { action: 'setup', state: 'a person', params: { id: '4711' } }],
        ['POST', { action: 'teardown', state: 'a person', params: { id: '4711' } }],
        ['POST', { action: 'reset', state: '', params: {} }],
      ]);
    });

    test('requests a token for a client', async () => {
      env = { HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret };
      const states = ['--states-url', await statesUrl()];
      await expect(command('verify', 'pacts', '--url', fake.url, ...states)).resolves.toMatchObject({ exit: 0 });
      env = { HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: 'a-wrong-secret' };
      await expect(command('verify', 'pacts', '--url', fake.url, ...states)).resolves.toEqual({
        exit: 1,
        stdout: '',
        stderr: `${fake.url}/api/oauth2/token: no token, status 401. Check HR_CLIENT_ID, HR_CLIENT_SECRET and --url.\n`,
      });
      await expect(command('verify', 'pacts', '--url', 'http://127.0.0.1:1')).resolves.toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('/api/oauth2/token: no token, no response.') as string,
      });
    });

    test('says what it needs for states and tokens', async () => {
      const without = await command('verify', 'pacts', '--url', fake.url);
      expect(without.exit).toBe(1);
      expect(without.stdout).toContain(
        'handler of state "a person": no endpoint for provider states. Set --states-url to an endpoint of the provider that accepts POST {"action", "state", "params"}.',
      );
      const states = ['--states-url', await statesUrl()];
      const none = await command('verify', 'pacts', '--url', fake.url, ...states);
      expect(none.exit).toBe(1);
      expect(none.stdout).toContain(
        'header Authorization: the pact needs a token. Set HR_TOKEN, or HR_CLIENT_ID and HR_CLIENT_SECRET.',
      );
      const small = { ...person, headers: { Authorization: 'Bearer token-without-scope' }, status: 403, response: {} };
      await jsonFile(pactOf('planner', [small]), join(folder, 'pacts'));
      const other = await command('verify', 'pacts', '--url', fake.url, ...states);
      expect(other.stdout).toContain('the pact needs a token. Set HR_TOKEN_WITHOUT_SCOPE.');
      env = { HR_TOKEN_WITHOUT_SCOPE: 'token-without-scope' };
      await expect(command('verify', 'pacts', '--url', fake.url, ...states)).resolves.toMatchObject({ exit: 0 });
    });

    test('fails when states cannot be set up', async () => {
      env = { HR_TOKEN: 'contract-token' };
      const refusing = await statesUrl([], 404);
      const refused = await command('verify', 'pacts', '--url', fake.url, '--states-url', refusing);
      expect(refused.stdout).toContain(
        `reset: POST ${refusing} got 404. Set --states-url to an endpoint of the provider that accepts POST`,
      );
      const gone = 'http://127.0.0.1:1/states';
      const lost = await command('verify', 'pacts', '--url', fake.url, '--states-url', gone);
      expect(lost.stdout).toContain(`: POST ${gone} got no response. Set --states-url to`);
      const login = await startProvider((response, { method }) => {
        if (method === 'POST') response.writeHead(302, { Location: '/login' }).end();
        else json({})(response, {} as never);
      });
      onTestFinished(() => login.stop());
      const redirected = await command('verify', 'pacts', '--url', fake.url, '--states-url', login.url);
      expect(redirected.stdout).toContain(`POST ${login.url} got 302.`);
      const page = await startProvider((response) => {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<h1>Log in</h1>');
      });
      onTestFinished(() => page.stop());
      const shown = await command('verify', 'pacts', '--url', fake.url, '--states-url', page.url);
      expect(shown.stdout).toContain(`POST ${page.url} got a page of HTML.`);
      expect([refused.exit, lost.exit, redirected.exit, shown.exit]).toEqual([1, 1, 1, 1]);
    });

    test('records for a version what passed, and nothing of a failure', async () => {
      env = { HR_TOKEN: 'contract-token' };
      const args = ['--url', fake.url, '--states-url', await statesUrl(), '--version', '1.4.0', ...records];
      await expect(command('verify', 'pacts', ...args)).resolves.toMatchObject({ exit: 0 });
      const text = await readFile(join(folder, 'contracts/deployments.json'), 'utf8');
      expect(text).toContain('"passed"');
      await jsonFile(pactOf('planner', [{ ...person, status: 201 }]), join(folder, 'pacts'));
      const failed = await command('verify', 'pacts', ...args);
      expect(failed).toMatchObject({ exit: 1, stderr: '' });
      expect(failed.stdout).not.toContain('Nothing is recorded');
      expect(await readFile(join(folder, 'contracts/deployments.json'), 'utf8')).toBe(text);
    });

    test('gets pacts from a broker, and publishes the result for a version', async () => {
      const double = await new BrokerDouble().start();
      onTestFinished(() => double.stop());
      env = { PACT_BROKER_BASE_URL: double.url, PACT_BROKER_TOKEN: double.token, HR_TOKEN: 'contract-token' };
      double.publish(pactOf('payroll-batch', [person]), 'main');
      const buildUrl = 'https://ci.example.com/builds/18';
      const args = ['--url', fake.url, '--states-url', await statesUrl(), '--version', '1.4.0', '--branch', 'main'];
      await expect(command('verify', ...args, '--build-url', buildUrl)).resolves.toMatchObject({ exit: 0 });
      expect(double.results).toMatchObject([{ success: true, providerApplicationVersion: '1.4.0', buildUrl }]);
    });
  });
});

test('without a broker, a committed file allows a release', async () => {
  await expect(program('record-deployment', ...consumer, ...records)).resolves.toEqual({
    exit: 0,
    stdout: 'payroll-batch 2.1.0 is recorded as deployed to production.\n',
    stderr: '',
  });
  await expect(program('can-i-deploy', ...provider, ...records)).resolves.toMatchObject({
    exit: 1,
    stdout: '',
    stderr: expect.stringContaining('has no recorded verification of the pact of payroll-batch 2.1.0'),
  });
  const fake = await startFakeHrCloud();
  onTestFinished(() => fake.stop());
  env = { HR_TOKEN: 'contract-token' };
  await command('verify', 'pacts', '--url', fake.url, '--version', '1.4.0', ...records);
  await expect(command('can-i-deploy', ...provider, ...records)).resolves.toEqual({
    exit: 0,
    stdout: 'hr-cloud 1.4.0 may be deployed to production.\n',
    stderr: '',
  });
});

test('an unknown participant is named, with those that are known', async () => {
  await command('record-deployment', ...consumer, ...records);
  const payroll = ['--participant', 'payroll', '--version', '1', '--environment', 'production'];
  await expect(command('can-i-deploy', ...payroll, ...records)).resolves.toEqual({
    exit: 1,
    stdout: '',
    stderr:
      'The records have no participant payroll, only payroll-batch. Correct the name, or name the pacts of a new consumer.\n',
  });
});

describe('with a broker', () => {
  let double: BrokerDouble;

  beforeEach(async () => {
    double = await new BrokerDouble().start();
    env = { PACT_BROKER_BASE_URL: double.url, PACT_BROKER_TOKEN: double.token };
  });
  afterEach(() => double.stop());

  test('a wrong token is named, and not shown', async () => {
    env['PACT_BROKER_TOKEN'] = 'a-wrong-token';
    const { exit, stdout, stderr } = await command('verify');
    expect(exit).toBe(1);
    expect(stderr).toContain('Set PACT_BROKER_TOKEN');
    expect(stdout + stderr).not.toContain('a-wrong-token');
  });

  test.each([
    [['verify', 'pacts', '--url', 'http://x', '--version', '1'], /^--version needs --records or the broker\./],
    [['verify', '--url', 'http://x', '--version', '1', ...records], /^--records needs PACTS and --version\./],
    [['verify', 'pacts', '--url', 'http://x', '--branch', 'main'], /^--branch needs the broker\. Omit PACTS/],
    [['verify', '--url', 'http://x', '--build-url', 'http://x'], /^--build-url needs the broker and --version\./],
    [['verify', 'pacts', '--url', 'http://x', '--build-url', 'http://x'], /^--build-url needs the broker and/],
  ])('%j is refused', async (args, message) => {
    await expect(command(...args)).resolves.toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });
});

test('drift counts, and lists what somebody has to change; --verbose lists the rest', async () => {
  await expect(program('drift', 'pacts')).resolves.toEqual({
    exit: 0,
    stdout: '0 differences between contracts and the API.\nNotes and unsupported rules: 1. List them with --verbose.\n',
    stderr: '',
  });
  await expect(command('drift', 'pacts', '--verbose')).resolves.toEqual({
    exit: 0,
    stdout: [
      '0 differences between contracts and the API.',
      'Notes and unsupported rules:',
      'payroll-batch: persons',
      '  response: may have elements.',
      '',
    ].join('\n'),
    stderr: '',
  });
  await jsonFile(pactOf('payroll-batch', [{ response: [{ shoeSize: 43 }] }]), join(folder, 'pacts'));
  await expect(command('drift', 'pacts')).resolves.toEqual({
    exit: 1,
    stdout: [
      '1 difference between contracts and the API.',
      'payroll-batch: interaction 1',
      '  response /0/shoeSize: is unknown to the API. Remove it, or correct the name.',
      'Notes and unsupported rules: 2. List them with --verbose.',
      '',
    ].join('\n'),
    stderr: '',
  });
});

const release = ['--version', '1', '--environment', 'test'];
const knownCommands = new Set<string | undefined>([
  'verify',
  'conform',
  'write',
  'drift',
  'states',
  'can-i-deploy',
  'record-deployment',
]);

test.each<[args: readonly string[], message: string]>([
  [[], 'Missing command.'],
  [['deploy'], 'Unknown command deploy.'],
  [['toString'], 'Unknown command toString.'],
  [['drift', 'pacts', '--strict'], "Unknown option '--strict'."],
  [['drift', 'pacts', '--records', 'x'], "Unknown option '--records'."],
  [['drift'], 'drift needs PACTS.'],
  [['can-i-deploy', ...release, ...records], 'can-i-deploy needs --participant.'],
  [['can-i-deploy', '--participant', '--version', '1'], "Option '--participant' argument is ambiguous."],
  [['can-i-deploy', '--participant'], "Option '--participant <value>' argument missing."],
  [['can-i-deploy', ...provider], 'can-i-deploy needs --records.'],
  [['record-deployment', ...provider], 'record-deployment needs --records.'],
  [['can-i-deploy', '--participant', 'hr-cloud', '--dry-run', ...release], "Unknown option '--dry-run'."],
  [['verify', 'pacts', ''], 'A path of PACTS is empty.'],
  [['can-i-deploy', 'pacts', ...provider, ...records], 'PACTS are of a consumer. Omit them for hr-cloud.'],
  [['record-deployment', 'pacts', ...provider, ...records], 'PACTS are of a consumer. Omit them for hr-cloud.'],
  [['can-i-deploy', '--participant=', ...release, ...records], '--participant is empty.'],
  [['verify'], 'verify needs PACTS or a broker. Name pact files, or set PACT_BROKER_BASE_URL.'],
  [['verify', 'pacts', '--url', ''], '--url is empty.'],
  [['verify', 'pacts', '--version', '1'], '--version and --states-url need --url; the fake has no version.'],
  [['verify', 'pacts', '--states-url', 'http://x'], '--version and --states-url need --url; the fake has no version.'],
  [
    ['verify', 'pacts', '--url', 'http://x', '--version', '1'],
    '--version needs --records or the broker. Add --records, or omit PACTS to use the broker.',
  ],
  [['verify', 'pacts', '--url', 'http://x', ...records], '--records needs PACTS and --version.'],
  [['verify', 'pacts', '--json=yes'], "Option '--json' does not take an argument."],
])('%j is misuse', async (args, message) => {
  await expect(command(...args)).resolves.toEqual({
    exit: 2,
    stdout: '',
    stderr: `${message}\nSee hr-contracts${knownCommands.has(args[0]) ? ` ${args[0]}` : ''} --help.\n`,
  });
});

test('a URL that is none is named', async () => {
  await expect(command('verify', 'pacts', '--url', 'localhost:4010')).resolves.toEqual({
    exit: 1,
    stdout: '',
    stderr: 'The URL of the provider is not an http(s) URL. Correct it.\n',
  });
});

test.each([{ args: ['--help'] }, { args: ['-h'] }, { args: ['help'] }])(
  '$args lists the commands',
  async ({ args }) => {
    const { exit, stdout, stderr } = await command(...args);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toContain('USAGE\n  hr-contracts <command> [PACTS...] [flags]\n');
    const [, listed = ''] = /^COMMANDS\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
    expect(Array.from(listed.matchAll(/^ {2}(\S+) /gm), ([, name]) => name)).toEqual([...knownCommands]);
  },
);

test.each([{ args: ['write', '--help'] }, { args: ['help', 'write'] }, { args: ['write', '--some', '-h'] }])(
  '$args prints the help of the command',
  async ({ args }) => {
    await expect(command(...args)).resolves.toEqual({
      exit: 0,
      stdout: `Run tests of any runner, and write the contracts of their interactions.

USAGE
  hr-contracts write [flags] -- COMMAND...

ARGUMENTS
  COMMAND  The command that runs all tests of the contracts; not needed with vitest

FLAGS
  -u, --update  Write all differences, not only new interactions
  --some        COMMAND runs only some of the tests: an interaction without a test is not stale; not in CI
  -h, --help    Print this help

ENVIRONMENT
  CI  In CI nothing is written, and a difference fails; "false" or "0" if this is not CI

EXIT CODES
  0  success
  1  failure
  2  usage error
  n  exit code of COMMAND, if it fails

EXAMPLES
  hr-contracts write -- node --test
  hr-contracts write --update -- npx jest
`,
      stderr: '',
    });
  },
);

test('the help names required flags, and has no arguments of a command without any', async () => {
  const { stdout } = await command('record-deployment', '--help');
  expect(stdout).toContain('\n  --participant NAME  Name of the consumer, or hr-cloud (required)\n');
  expect((await command('states', '--help')).stdout).not.toContain('ARGUMENTS');
});

test.each([...knownCommands])('the examples in the help of %s have the required flags', async (name = '') => {
  const { stdout } = await command(name, '--help');
  const [usage = '', examples = ''] = stdout.split('EXAMPLES\n');
  const required = usage.split('\n').flatMap((line) => /^ {2}(--[\w-]+) .*\(required\)$/.exec(line)?.[1] ?? []);
  const known = usage.match(/--[\w-]+/g) ?? [];
  const used = examples
    .split('\n')
    .filter(Boolean)
    // Behind two dashes is another command.
    .map((line): string[] => line.split(' -- ', 1)[0]?.match(/--[\w-]+/g) ?? []);
  expect(used).not.toEqual([]);
  for (const flags of used) {
    expect(known).toEqual(expect.arrayContaining(flags));
    expect(flags).toEqual(expect.arrayContaining(required));
  }
});

test('states prints the provider states with their parameters, or as JSON Schema', async () => {
  const { stdout } = await command('states');
  expect(stdout).toContain('\na deleted absence: personId, id\n');
  expect(stdout).toContain('\nan unavailable service: no parameters\n');
  const schemas = JSON.parse((await command('states', '--json')).stdout) as Record<string, { required?: string[] }>;
  expect(Object.keys(schemas)).toEqual(stateNames);
  expect(schemas['a salary']?.required).toEqual(['payrollContractId', 'year', 'month']);
  await expect(command('states', 'pacts')).resolves.toMatchObject({ exit: 2 });
});

test('the help of an unknown command is misuse', async () => {
  await expect(command('deploy', '--help')).resolves.toEqual({
    exit: 2,
    stdout: '',
    stderr: 'Unknown command deploy.\nSee hr-contracts --help.\n',
  });
});

test('output that cannot be written is one line and exit code 1', async () => {
  const run = promisify(execFile)('sh', [
    '-c',
    '"$0" --conditions=@hr/source "$1" help > /dev/full',
    process.execPath,
    bin,
  ]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: 'The output cannot be written (ENOSPC). Check where it goes.\n',
  });
});

test.each([
  [
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } });",
    'hr-contracts needs Node.js 22 or newer.\n',
  ],
  [
    `import { registerHooks } from 'node:module';
    registerHooks({
      load: (url, context, next) =>
        url.endsWith('/zod/package.json') ? { format: 'json', source: '{"version":"3.25.76"}', shortCircuit: true } : next(url, context),
    });`,
    'hr-contracts needs zod 4. Install it: npm install zod@4\n',
  ],
])('a wrong version of Node.js or zod is named', async (hook, stderr) => {
  const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
  const run = promisify(execFile)(process.execPath, ['--conditions=@hr/source', '--import', preload, bin, 'help']);
  await expect(run).rejects.toMatchObject({ code: 1, stderr });
});
