import { operations } from '@hr/schemas';
import type { ListOperationId, OperationId } from '@hr/schemas';
import type { ExampleToken } from '../contract/example-tokens.ts';
import type { UnsupportedRule } from '../contract/matchers/matchers-of.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import type { Exchange } from './exchange.ts';
import type { ErrorStatus, ErrorsArguments, ExpectationOf, OutsideExpectation, ProblemStatus } from './expectation.ts';
import { appendRecord, contractFolders, newRecord } from './interaction-records.ts';
import { operationExchange } from './operation-exchange.ts';
import type { Details } from './operation-exchange.ts';
import { outsideExchange } from './outside.ts';
import { exampleOfKind, problemKindOf } from './problems.ts';
import { runExchange } from './run-exchange.ts';
import { tokenExchange } from './token-exchange.ts';
import type { ExampleClient, TokenExpectation, TokenRefusal } from './token-exchange.ts';

/** A consumer and its contract. */
export interface ConsumerOptions {
  /** The program's name, such as `payroll-batch`; also in the name of the contract's file. */
  readonly name: string;
  /** The folder of the contract's file, from the root of the tests' project. @default 'pacts' */
  readonly dir?: string;
}

/** The mock that a consumer's code talks to. @sealed */
export interface ContractCloud {
  readonly baseUrl: string;
  /** The token to send. The mock accepts any other bearer token, too. */
  readonly token: ExampleToken;
  /** The status of the response. */
  readonly status: number;
}

/** The mock of the token endpoint, and the client to send. @sealed */
export interface ContractTokenEndpoint extends ExampleClient {
  readonly baseUrl: string;
  readonly status: number;
}

/** A request and its response, against which a consumer's code runs. @sealed */
export interface Interaction<Cloud> {
  /** Its name in the contract. */
  readonly description: string;
  /** The rules of the models that the contract does not check. */
  readonly unsupportedRules: readonly UnsupportedRule[];
  /**
   * Runs the code against a mock that expects this request and responds with the example. If the test passes, the
   * interaction belongs to the contract.
   *
   * @returns what the code returns
   * @throws what the code throws; a test may expect it
   * @throws {HrTestingError} `contract-unmet` if the code did not send this request; `invalid-option` if `@hr/client`
   * rejects the example
   */
  readonly run: <Result>(code: (cloud: Cloud) => Result | Promise<Result>) => Promise<Result>;
}

/** A program that uses the HR Cloud. @sealed */
export interface Consumer {
  /**
   * An operation and its response: the request that the program sends, and the fields that it reads. The kit adds the
   * fields that `@hr/client` requires.
   *
   * @throws {HrTestingError} `invalid-option` for a request, state, status or value that the API does not have
   * @example
   * const { run } = hr.interaction('listAbsences', {
   *   given: ['an absence', { personId: '4711' }],
   *   request: { path: { personId: '4711' } },
   *   example: [{ startDate: '2026-02-02' }],
   * });
   */
  interaction<Id extends OperationId, Status extends 200 | ProblemStatus<Id> = 200>(
    operation: Id,
    expectation: ExpectationOf<Id, Status>,
  ): Interaction<ContractCloud>;

  /**
   * A list whose filter excludes all that exists: the response is `[]`. A provider that ignores the filter fails.
   *
   * @throws {HrTestingError} `invalid-option` as `interaction`; also without exactly one filter, or if the list is empty
   * even without it
   * @example
   * const { run } = hr.outside('listAbsences', {
   *   given: ['an absence', { personId: '4711', startDate: '2026-02-02', endDate: '2026-02-06' }],
   *   request: { path: { personId: '4711' }, query: { from: '2026-02-07' } },
   * });
   */
  outside<Id extends ListOperationId>(operation: Id, expectation: OutsideExpectation<Id>): Interaction<ContractCloud>;

  /**
   * An operation that fails, with an interaction for each status. The kit brings each about by a token or a provider
   * state. The contract has the `status` of each problem, and `Retry-After` of 429 and 503.
   *
   * @throws {HrTestingError} `invalid-option` for a status that the operation does not have, or that no state brings about
   * @example
   * test.each(hr.errors('listPersons', [401, 429]))('$description', async ({ run }) => {
   *   await expect(run(({ baseUrl, token }) => readPersons(baseUrl, token))).rejects.toThrow('listPersons');
   * });
   */
  errors<Id extends OperationId>(
    operation: Id,
    statuses: readonly ErrorStatus<Id>[],
    ...options: ErrorsArguments<Id>
  ): readonly Interaction<ContractCloud>[];

  /**
   * A request for a token, which succeeds or fails.
   *
   * @example
   * const { run } = hr.tokenRequest({ status: 401 });
   * await expect(run((endpoint) => logIn(endpoint))).rejects.toThrow('invalid-client');
   */
  tokenRequest(expectation?: TokenExpectation | TokenRefusal): Interaction<ContractTokenEndpoint>;
}

/**
 * A program that uses the HR Cloud. What its tests run becomes its contract, the file `NAME-hr-cloud.json`.
 *
 * @throws {HrTestingError} `invalid-option` for a name that is no file name
 * @example
 * const hr = consumer({ name: 'payroll-batch' });
 */
export function consumer({ name, dir = 'pacts' }: ConsumerOptions): Consumer {
  if (!/^\w[\w.-]*$/.test(name)) {
    throw new HrTestingError('invalid-option', 'name: not a file name. Use letters, digits, -, _ and dots.');
  }

  function interactionOf<Cloud>(exchange: Exchange, cloud: Omit<Cloud, 'baseUrl'>): Interaction<Cloud> {
    const folders = contractFolders();
    // An interaction that no test runs fails the run.
    if (folders) appendRecord(folders, newRecord(folders, { name, dir }, exchange));
    return {
      description: exchange.description,
      unsupportedRules: exchange.unsupportedRules,
      run: (code) => runExchange({ name, dir }, exchange, (baseUrl) => code({ baseUrl, ...cloud } as Cloud)),
    };
  }

  function operationInteraction(exchange: Exchange): Interaction<ContractCloud> {
    const { token = 'contract-token', response } = exchange;
    return interactionOf(exchange, { token, status: response.status });
  }

  return {
    interaction(operation, expectation) {
      checkOperation(operation);
      return operationInteraction(operationExchange(operation, expectation));
    },

    outside(operation, expectation) {
      checkOperation(operation);
      return operationInteraction(outsideExchange(operation, expectation));
    },

    errors(operation, statuses, ...[options]) {
      checkOperation(operation);
      if (statuses.length === 0) {
        throw new HrTestingError('invalid-option', 'statuses: empty, so that nothing is tested. Give at least one.');
      }
      const { request = {}, example } = (options ?? {}) as Details;
      return statuses.map((status) => {
        const kind = problemKindOf(operation, status, { forErrors: true });
        const own = example instanceof Object && { example: exampleOfKind(kind, example) };
        return operationInteraction(operationExchange(operation, { status, request, ...own }));
      });
    },

    tokenRequest(expectation = {}) {
      const { client, ...exchange } = tokenExchange(expectation);
      return interactionOf(exchange, { ...client, status: exchange.response.status });
    },
  };
}

function checkOperation(id: string): void {
  if (Object.hasOwn(operations, id)) return;
  const known = Object.keys(operations).join(', ');
  throw new HrTestingError('invalid-option', `operation: unknown operation "${id}". Use one of ${known}.`);
}
