import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request that the double received. */
export interface BrokerRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

interface Published {
  readonly consumer: string;
  readonly version: string;
  readonly branch: string;
  readonly buildUrl?: string | undefined;
  readonly content: { readonly interactions: readonly object[] };
}

interface TestResults {
  readonly success: boolean;
  readonly providerApplicationVersion: string;
}

/** A text for a moment, such as `before_verification`. */
export interface Notice {
  readonly when: string;
  readonly text: string;
}

interface Contracts {
  readonly pacticipantName: string;
  readonly pacticipantVersionNumber: string;
  readonly branch: string;
  readonly buildUrl?: string;
  readonly contracts: readonly { readonly content: string }[];
}

interface Wanted {
  readonly consumerVersionSelectors: readonly Readonly<Record<string, boolean>>[];
  readonly includePendingStatus: boolean;
  readonly includeWipPactsSince?: string;
  readonly providerVersionBranch?: string;
}

const environments = ['test', 'production'];

/** A body that is text is sent as it is. */
export type Reply = readonly [status: number, body: object | string];

/** The part of a Pact broker that the kit and Pact's command line use, in memory. */
export class BrokerDouble {
  readonly token = 'broker-token-of-this-test';
  readonly username = 'payroll team';
  readonly password = 'broker:pässword';
  readonly requests: BrokerRequest[] = [];
  /** Responds in place of the double. */
  override: ((path: string) => Reply | undefined) | undefined;
  /** Requests that it does not know. */
  readonly unknown: string[] = [];
  readonly published: Published[] = [];
  readonly results: (TestResults & { readonly consumer: string })[] = [];
  readonly branches: string[] = [];
  /** Environment and participant → version. */
  readonly deployed = new Map<string, string>();
  /** Environment, participant and version. */
  readonly released: string[] = [];
  /** Those of each pact for verification. */
  notices: readonly Notice[] = [];
  readonly #server = createServer((request, response) => void this.#reply(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    await new Promise<unknown>((resolve) => this.#server.close(resolve));
    if (this.unknown.length > 0) throw new Error(`The double of the broker does not know ${this.unknown.join(', ')}.`);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await this.#answer(request);
    response.writeHead(status, { 'Content-Type': 'application/hal+json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async #answer(request: IncomingMessage): Promise<Reply> {
    const { method = '', url: target = '', headers } = request;
    const { authorization } = headers;
    const body = method === 'GET' ? undefined : await json(request);
    const { pathname, searchParams } = new URL(target, this.url);
    this.requests.push({ method, path: decodeURIComponent(target), authorization, body });
    const overridden = this.override?.(pathname);
    if (overridden) return overridden;
    const basic = Buffer.from(`${this.username}:${this.password}`).toString('base64');
    if (authorization !== `Bearer ${this.token}` && authorization !== `Basic ${basic}`)
      return [401, { error: { message: 'not authorised' } }];

    const [, first = '', name = '', kind = '', value = ''] = pathname.split('/').map(decodeURIComponent);
    const route = `${method} /${first}`;
    if (route === 'GET /') return [200, this.#index()];
    if (route === 'POST /contracts') return this.#publish(body as Contracts);
    if (route === 'GET /matrix') return [200, this.#matrix(searchParams)];
    if (route === 'POST /for-verification') return [200, this.#wanted(body as Wanted)];
    if (route === 'GET /pacts') return [200, this.#pact(Number(name))];
    if (route === 'POST /pacts') return this.#result(Number(name), body as TestResults);
    if (route === 'GET /pacticipants') return this.#participant(name, kind, value);
    if (route === 'PUT /branches') {
      this.branches.push(`${name} ${kind} ${value}`);
      return [201, {}];
    }
    if (route === 'POST /deployments') {
      this.deployed.set(`${name} ${kind}`, value);
      return [201, { ...(body as object), currentlyDeployed: true }];
    }
    if (route === 'POST /releases') {
      this.released.push(`${name} ${kind} ${value}`);
      return [201, { currentlySupported: true }];
    }
    if (route === 'GET /environments') return [200, this.#environment(name, searchParams.get('pacticipant') ?? '')];
    if (route === 'PATCH /deployments') {
      this.deployed.delete(`${name} ${kind}`);
      return [200, { currentlyDeployed: false }];
    }
    this.unknown.push(`${method} ${target}`);
    return [404, { error: { message: 'not here' } }];
  }

  #index(): object {
    const link = (path: string) => ({ href: `${this.url}/${path}`, templated: path.includes('{') });
    return {
      _links: {
        'pb:provider-pacts-for-verification': link('for-verification/{provider}'),
        'pb:publish-contracts': link('contracts/publish'),
        'pb:environments': link('environments'),
      },
    };
  }

  /** Adds a pact without a request. */
  publish(content: { readonly consumer: { readonly name: string } } & Published['content'], branch: string): void {
    this.published.push({ consumer: content.consumer.name, version: `${branch}-1`, branch, content });
  }

  #publish({ pacticipantName, pacticipantVersionNumber, branch, buildUrl, contracts }: Contracts): Reply {
    for (const contract of contracts) {
      const content = JSON.parse(Buffer.from(contract.content, 'base64').toString()) as Published['content'];
      this.published.push({
        consumer: pacticipantName,
        version: pacticipantVersionNumber,
        branch,
        buildUrl,
        content,
      });
    }
    const self = { href: this.url, name: pacticipantName, title: 'A resource' };
    const resource = { _links: { self } };
    return [
      200,
      {
        notices: [{ type: 'success', text: 'A notice of the broker' }],
        logs: [],
        _embedded: {
          pacticipant: { name: pacticipantName, ...resource },
          version: { number: pacticipantVersionNumber, ...resource },
        },
        _links: {
          'pb:pacticipant': self,
          'pb:pacticipant-version': self,
          'pb:contracts': [self],
          'pb:pacticipant-version-tags': [],
        },
      },
    ];
  }

  /** The pacts for selectors; one that never passed is pending, and work in progress when no selector names it. */
  #wanted(wanted: Wanted): object {
    const pacts = this.published.flatMap(({ consumer, version, branch }, id) => {
      const isSelected = wanted.consumerVersionSelectors.some(
        ({ mainBranch, matchingBranch, deployedOrReleased }) =>
          (mainBranch && branch === 'main') ||
          (matchingBranch && branch === wanted.providerVersionBranch) ||
          (deployedOrReleased &&
            [...this.deployed].some(([place, deployed]) => place.endsWith(` ${consumer}`) && deployed === version)),
      );
      const pending = wanted.includePendingStatus && !this.#passed(id);
      if (!isSelected && !(pending && wanted.includeWipPactsSince)) return [];
      const self = { href: `${this.url}/pacts/${id}`, name: `Pact between ${consumer} (${version}) and hr-cloud` };
      return [
        { shortDescription: branch, verificationProperties: { pending, notices: this.notices }, _links: { self } },
      ];
    });
    return { _embedded: { pacts }, _links: {} };
  }

  #pact(id: number): object {
    const { content } = this.published[id] as Published;
    return {
      ...content,
      interactions: content.interactions.map((interaction, index) => ({ ...interaction, _id: `${id}-${index}` })),
      _links: {
        'pb:provider': { href: `${this.url}/pacticipants/hr-cloud` },
        'pb:publish-verification-results': { href: `${this.url}/pacts/${id}/results` },
      },
    };
  }

  #result(id: number, result: TestResults): Reply {
    this.results.push({ ...result, consumer: (this.published[id] as Published).consumer });
    return [201, { _links: {} }];
  }

  #passed(id: number): boolean {
    return this.results.some(({ success, consumer }) => success && consumer === this.published[id]?.consumer);
  }

  #participant(name: string, kind: string, version: string): Reply {
    if (kind === '') {
      const branch = { href: `${this.url}/branches/${name}/{branch}/{version}`, templated: true };
      return [200, { name, _links: { 'pb:branch-version': branch } }];
    }
    const known =
      name === 'hr-cloud' || this.published.some((pact) => pact.consumer === name && pact.version === version);
    if (!known) return [404, { error: { message: 'No such version.' } }];
    const linksTo = (resource: string) =>
      environments.map((each) => ({ name: each, href: `${this.url}/${resource}/${each}/${name}/${version}` }));
    const links = { 'pb:record-deployment': linksTo('deployments'), 'pb:record-release': linksTo('releases') };
    return [200, { number: version, _links: links }];
  }

  /** All environments, one of them, or what of a participant is deployed in one. */
  #environment(name: string, participant: string): object {
    if (name === '') return { _embedded: { environments: environments.map((each) => ({ name: each, uuid: each })) } };
    const href = `${this.url}/environments/${name}/deployed`;
    const self = { href: `${this.url}/deployments/${name}/${participant}` };
    const deployedVersions = [{ _embedded: { pacticipant: { name: participant } }, _links: { self } }];
    return { _embedded: { deployedVersions }, _links: { 'pb:currently-deployed-deployed-versions': { href } } };
  }

  /** Whether a version is compatible with what is deployed. */
  #matrix(query: URLSearchParams): object {
    const [participant, version] = [query.get('q[][pacticipant]'), query.get('q[][version]')];
    const environment = query.get('environment');
    const provider = participant === 'hr-cloud' ? version : this.deployed.get(`${environment} hr-cloud`);
    const consumers = this.published.filter(({ consumer, version: theirs }) =>
      participant === 'hr-cloud'
        ? this.deployed.get(`${environment} ${consumer}`) === theirs
        : consumer === participant && theirs === version,
    );
    const matrix = consumers.map(({ consumer, version: theirs }) => {
      const result = this.results.findLast(
        (each) => each.consumer === consumer && each.providerApplicationVersion === provider,
      );
      return {
        consumer: { name: consumer, version: { number: theirs } },
        provider: { name: 'hr-cloud', version: { number: provider } },
        verificationResult: result ? { success: result.success } : null,
      };
    });
    const outcomes = new Set(matrix.map(({ verificationResult }) => verificationResult?.success));
    const deployable = outcomes.has(false) ? false : outcomes.has(undefined) ? null : true;
    const reason = deployable
      ? 'All required verification results are published and successful'
      : 'There is no verified pact';
    return {
      summary: { deployable, reason },
      notices: [{ type: deployable ? 'success' : 'error', text: reason }],
      matrix,
    };
  }
}
