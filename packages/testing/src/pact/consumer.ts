import { operations, type ListOperationId, type Operation, type OperationId } from '@hr/schemas';
import type { ExampleToken } from '../contract/example-tokens.ts';
import type { UnsupportedRule } from '../contract/matchers/matchers-of.ts';
import { checkNames } from '../fixtures/options.ts';
import { invalidOption } from '../hr-testing-error.ts';
import type { ExampleClient, Exchange } from './exchange.ts';
import type {
  ErrorStatus,
  ErrorsArguments,
  ExpectationOf,
  EmptyListExpectation,
  ProblemStatus,
} from './expectation.ts';
import { recordDeclaration, type ConsumerOptions } from './interaction-records.ts';
import { operationExchange, type Details } from './operation-exchange.ts';
import { emptyListExchange } from './empty-list.ts';
import { exampleOfKind, problemKindOf } from './problems.ts';
import { Run, runExchange } from './run-exchange.ts';
import { tokenExchange, type TokenExpectation, type TokenErrorExpectation } from './token-exchange.ts';

/** The mock for the code of a consumer. @sealed */
export interface ContractCloud {
  readonly baseUrl: string;
  /** The token to send. The mock accepts any bearer token. */
  readonly token: ExampleToken;
  /** The status of the response. */
  readonly status: number;
}

/** The mock of the token endpoint, and the client to send. @sealed */
export interface ContractTokenEndpoint extends ExampleClient {
  readonly baseUrl: string;
  readonly status: number;
}

/** A request and its response, for the code of a consumer. @sealed */
export interface Interaction<Cloud> {
  /** The description in the contract. */
  readonly description: string;
  /** The rules of the models that the contract does not check. */
  readonly unsupportedRules: readonly UnsupportedRule[];
  /**
   * Runs the code against a mock that expects this request and responds with the example. If the test passes, the
   * interaction belongs to the contract.
   *
   * @returns the result of the code
   * @throws the error of the code; a test may expect it
   * @throws {HrTestingError} `contract-unmet` if the code did not send this request; `invalid-option` if `@hr/client`
   * rejects the example
   */
  readonly run: <Result>(code: (cloud: Cloud) => Result | Promise<Result>) => Promise<Result>;
}

/** A program that uses the HR Cloud. @sealed */
export interface Consumer {
  /**
   * Declares an operation: the request that the program sends, and the fields of the response that it reads. The kit
   * adds the fields that `@hr/client` requires.
   *
   * @throws {HrTestingError} `invalid-option` if the API does not have the request, state, status or value
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
   * Declares a list whose filter excludes all existing elements: the response is `[]`. A provider that ignores the
   * filter fails. The contract also has the list without the filter, which has an element, so a provider that ignores
   * the states fails, too. With both `from` and `to`, each has to exclude an element that the other does not.
   *
   * @throws {HrTestingError} `invalid-option` like `interaction`; also without a filter, if a provider may ignore one of
   * the filters, or if the list is empty without them
   * @example
   * const { run } = hr.emptyList('listAbsences', {
   *   given: ['an absence', { personId: '4711', startDate: '2026-02-02', endDate: '2026-02-06' }],
   *   request: { path: { personId: '4711' }, query: { from: '2026-02-07' } },
   * });
   */
  emptyList<Id extends ListOperationId>(
    operation: Id,
    expectation: EmptyListExpectation<Id>,
  ): Interaction<ContractCloud>;

  /**
   * Declares failures of an operation, one interaction for each status. The kit causes each by a token or a provider
   * state. The contract has the `status` of each problem, and `Retry-After` for 429 and 503.
   *
   * @throws {HrTestingError} `invalid-option` if the operation does not have the status, or no state causes it
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
   * Declares a token request that succeeds or fails.
   *
   * @example
   * const { run } = hr.tokenRequest({ status: 401 });
   * await expect(run((endpoint) => logIn(endpoint))).rejects.toThrow('invalid-client');
   */
  tokenRequest(expectation?: TokenExpectation | TokenErrorExpectation): Interaction<ContractTokenEndpoint>;
}

/**
 * Creates a consumer: a program that uses the HR Cloud. The interactions that its tests run become its contract, the
 * file `NAME-hr-cloud.json`.
 *
 * @throws {HrTestingError} `invalid-option` if the name is not a valid file name
 * @example
 * const hr = consumer({ name: 'payroll-batch' });
 */
export function consumer(owner: ConsumerOptions): Consumer {
  const { name, contact } = checkedOptions('consumer', owner, ['name', 'contact', 'dir']);
  if (typeof name !== 'string' || !/^\w[\w.-]*$/.test(name)) {
    throw invalidOption('name: not a file name. Use letters, digits, -, _ and dots.');
  }
  if (contact !== undefined && !/^\P{C}*\S\P{C}*$/u.test(contact)) {
    throw invalidOption('contact: empty, or not one line. Name a team and how to reach it.');
  }

  function interactionOf<Cloud>(exchange: Exchange): Interaction<Cloud> {
    recordDeclaration(owner, exchange);
    const { description, unsupportedRules, credentials, response } = exchange;
    const cloud = { ...credentials, status: response.status };
    const run: Interaction<Cloud>['run'] = (code) =>
      Run.begin((id) => runExchange(id, owner, exchange, (baseUrl) => code({ baseUrl, ...cloud } as Cloud)));
    return { description, unsupportedRules, run };
  }

  /** Records a failure, so that the run fails if a test swallows the error. */
  function declared<Result>(operation: string, declare: () => Result): Result {
    try {
      return declare();
    } catch (error) {
      const { message } = error as Error;
      recordDeclaration(owner, { description: operation, comment: message }, message);
      throw error;
    }
  }

  return {
    interaction: (operation, expectation) =>
      declared(operation, () => {
        const id = checked(operation);
        const { cursor, list }: Operation = operations[id];
        const known = ['given', 'request', 'status', 'example', 'description', ...(cursor && list ? ['cursor'] : [])];
        return interactionOf(operationExchange(id, checkedOptions(id, expectation, known)));
      }),

    emptyList: (operation, expectation) =>
      declared(operation, () => {
        const known = ['given', 'request', 'description'];
        return interactionOf(emptyListExchange(checked(operation), checkedOptions(operation, expectation, known)));
      }),

    errors: (operation, statuses, ...[options = {}]) =>
      declared(operation, () => {
        checkedOptions(checked(operation), options, ['request', 'example']);
        if (!Array.isArray(statuses) || statuses.length === 0) {
          throw invalidOption('statuses: not a list, or empty, so that nothing is tested. Give at least one.');
        }
        const { request = {}, example } = options as Details;
        return statuses.map((status) => {
          const kind = problemKindOf(operation, status, { forErrors: true });
          const own = example instanceof Object && { example: exampleOfKind(kind, example) };
          return interactionOf(operationExchange(operation, { status, request, ...own }));
        });
      }),

    tokenRequest: (expectation = {}) => declared('requestToken', () => interactionOf(tokenExchange(expectation))),
  };
}

function checkedOptions<Options>(call: string, options: Options, known: readonly string[]): Options {
  if (!(options instanceof Object)) throw invalidOption(`${call}: no options. Pass ${known.join(', ')}.`);
  checkNames(call, options, known);
  return options;
}

function checked<Id extends string>(id: Id): Id {
  if (Object.hasOwn(operations, id)) return id;
  const known = Object.keys(operations).join(', ');
  throw invalidOption(`operation: unknown operation "${id}". Use one of ${known}.`);
}
