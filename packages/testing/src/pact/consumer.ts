import { operations } from '@hr/schemas';
import type { OperationId, Problem } from '@hr/schemas';
import { HrTestingError } from '../hr-testing-error.ts';
import { answerExchange } from './answer-exchange.ts';
import type { Example } from './example.ts';
import type { ExampleToken } from '../contract/example-tokens.ts';
import type { Exchange, OperationExchange } from './exchange.ts';
import type { ErrorsArguments, Expectation, ExpectationOf, ProblemExpectation, ProblemStatus } from './expectation.ts';
import type { Interaction, Interactions } from './interaction.ts';
import type { SentParts } from './operation-request.ts';
import { ownProblem, problemExchange } from './problem-exchange.ts';
import { recordMade } from './record-contract-part.ts';
import { runExchange } from './run-exchange.ts';
import type { DerivedStatus } from './situations.ts';
import { tokenExchange } from './token-exchange.ts';
import type { ExampleClient, TokenExpectation, TokenRefusal } from './token-exchange.ts';

/** Whose contract it is, and where it is kept. */
export interface ConsumerOptions {
  /** The program's name in its contract and in the name of the file, such as `payroll-batch`. */
  readonly name: string;
  /**
   * Folder of the contract's file, from the root of the tests' project.
   *
   * @default 'pacts'
   */
  readonly dir?: string;
}

/**
 * The HR cloud that a consumer's code talks to, and with what.
 *
 * @sealed
 */
export interface ContractCloud {
  readonly baseUrl: string;
  /** The token for the code to send. Any other bearer token is taken, too: the contract holds that there is one. */
  readonly token: ExampleToken;
  /** What is answered. */
  readonly status: number;
}

/**
 * The token endpoint that a consumer's code talks to, and as whom.
 *
 * @sealed
 */
export interface ContractTokenEndpoint extends ExampleClient {
  readonly baseUrl: string;
  readonly status: number;
}

/**
 * What a program relies on of the HR cloud.
 *
 * @sealed
 */
export interface Consumer {
  /**
   * An operation with its answer: the request that the program sends, and the keys of the answer that it reads.
   *
   * @throws {HrTestingError} `invalid-option` when a value is none that the API takes or answers
   * @example
   * const { run } = hr.interaction('listAbsences', {
   *   given: ['an absence', { personId: '4711' }],
   *   request: { path: { personId: '4711' } },
   *   example: [{ id: '1', startDate: '2026-02-02' }],
   * });
   */
  interaction<Id extends OperationId, Status extends 200 | ProblemStatus<Id> = 200>(
    operation: Id,
    expectation: ExpectationOf<Id, Status>,
  ): Interaction<ContractCloud>;

  /**
   * An operation that is answered with problems, one interaction each. What has to be there for each is known: an
   * unknown token for 401, one without the scope for 403, nothing at that path for 404, an old time component for 409,
   * a key of another payment for 422, a used-up limit for 429 and a service that is not available for 503.
   *
   * Of the problem, the contract holds its status, and of 429 and 503 when to ask again; an `example` has the keys that
   * the program reads besides.
   *
   * @example
   * test.each([...hr.errors('listPersons', [401, 429])])('$description', async ({ run }) => {
   *   await expect(run(({ baseUrl, token }) => readPersons(baseUrl, token))).rejects.toThrow('listPersons');
   * });
   */
  errors<Id extends OperationId>(
    operation: Id,
    statuses: readonly DerivedStatus<Id>[],
    ...options: ErrorsArguments<Id>
  ): Interactions<ContractCloud>;

  /**
   * A request for a token: answered with one, or refused.
   *
   * @example
   * const { run } = hr.tokenRequest({ status: 401 });
   * await expect(run((endpoint) => logIn(endpoint))).rejects.toThrow('invalid-client');
   */
  tokenRequest(expectation?: TokenExpectation | TokenRefusal): Interaction<ContractTokenEndpoint>;
}

/**
 * A program that uses the HR cloud. What its tests run becomes its contract, the file `NAME-hr-cloud.json`.
 *
 * @example
 * const hr = consumer({ name: 'payroll-batch' });
 */
export function consumer({ name, dir = 'pacts' }: ConsumerOptions): Consumer {
  if (!/^\w[\w.-]*$/.test(name)) {
    throw new HrTestingError('invalid-option', 'name: the name of a consumer has only letters, digits, -, _ and dots.');
  }

  function interactionOf<Cloud>(exchange: Exchange, cloudOf: (baseUrl: string) => Cloud): Interaction<Cloud> {
    const { description, notExpressed } = exchange;
    recordMade({ name, dir }, exchange);
    return {
      description,
      notExpressed,
      run: (code) => runExchange({ name, dir }, exchange, (baseUrl) => code(cloudOf(baseUrl))),
    };
  }

  function operationInteraction(exchange: OperationExchange): Interaction<ContractCloud> {
    const { token, response } = exchange;
    return interactionOf(exchange, (baseUrl) => ({ baseUrl, token, status: response.status }));
  }

  return {
    interaction(operation, expectation) {
      checkOperation(operation);
      return operationInteraction(exchangeOf(operation, expectation));
    },

    errors(operation, statuses, ...[options]) {
      checkOperation(operation);
      const { request, example } = (options ?? {}) as { request?: SentParts; example?: Example<Problem> };
      const interactions = statuses.map((status) => {
        const own = example && ownProblem(operation, status, example);
        return operationInteraction(
          problemExchange(operation, { status, ...(request && { request }), ...(own && { example: own }) }),
        );
      });
      return {
        [Symbol.iterator]: () => interactions.values(),
        async run(code) {
          const results = [];
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          for (const { run } of interactions) results.push(await run(code));
          return results;
        },
      };
    },

    tokenRequest(expectation = {}) {
      const exchange = tokenExchange(expectation);
      const { client, response } = exchange;
      return interactionOf(exchange, (baseUrl) => ({ baseUrl, ...client, status: response.status }));
    },
  };
}

function exchangeOf<Id extends OperationId>(
  operation: Id,
  expectation: Expectation<Id> | ProblemExpectation<Id>,
): OperationExchange {
  const { status = 200 } = expectation;
  return status === 200
    ? answerExchange(operation, expectation as Expectation<Id>)
    : problemExchange(operation, expectation as ProblemExpectation<Id>);
}

function checkOperation(id: string): void {
  if (Object.hasOwn(operations, id)) return;
  const known = Object.keys(operations).join(', ');
  throw new HrTestingError('invalid-option', `There is no operation "${id}"; there are: ${known}.`);
}
