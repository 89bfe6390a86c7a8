/** What an import may weigh, and what may come along with it. */
export interface Budget {
  /** An entry point of a published package. */
  readonly from: string;
  /** One of its exports; all of them where it is not given. */
  readonly name?: string;
  /** The most that it may weigh, in kB: minified, compressed by brotli, with all that it depends on but optional peers. */
  readonly kB: number;
  /** The modules that may come along, as globs. */
  readonly brings: readonly string[];
}

const zod = 'zod/**';
const node = 'node:{*,*/*}';
const text = '@hr/schemas/{is-local-date,lenient,local-date,minutes,rule,text,value-rules}';
const models = '@hr/schemas/*';
const rules = '@hr/schemas/{*,generated/checks,rules/*}';
const checks =
  '@hr/schemas/{checks,endpoints,generated/checks,is-local-date,issue-report,issues,minutes,problem-kinds,renames,value-rules,wire-names}';
const provider = '@hr/schemas/{*,provider/*,rules/component-version}';
const fixtures = '@hr/testing/{hr-testing-error,fixtures/*,model/leaf}';
const states = '@hr/testing/states/*';
const fake = '@hr/testing/{fake/**,contract/example-tokens}';
const ofPerson =
  '@hr/schemas/{address,bank-details,custom-field,decimal,employment,identifier,minutes,open-enum,person}';

/** The budgets, about 5 % above what it is. The READMEs tell them; a change is made here and there, by hand. */
export const budgets: readonly Budget[] = [
  { from: '@hr/schemas', kB: 30, brings: [models, zod] },
  { from: '@hr/schemas', name: 'Person', kB: 24.2, brings: [ofPerson, text, zod] },
  { from: '@hr/schemas', name: 'LocalDate', kB: 18, brings: [text, zod] },
  { from: '@hr/schemas', name: 'toMinutes', kB: 0.25, brings: ['@hr/schemas/minutes'] },
  { from: '@hr/schemas/checks', kB: 6, brings: [checks] },
  { from: '@hr/schemas/models', kB: 0.001, brings: [] },
  { from: '@hr/schemas/rules', kB: 1.1, brings: [checks, '@hr/schemas/rules/*'] },
  { from: '@hr/schemas/provider', kB: 22.8, brings: [provider, zod] },
  { from: '@hr/schemas/openapi', kB: 33, brings: ['@hr/schemas/**', zod] },

  { from: '@hr/auth', kB: 7.6, brings: ['@hr/auth/*', 'oauth4webapi/**'] },
  { from: '@hr/auth', name: 'isAuthError', kB: 0.12, brings: ['@hr/auth/auth-error'] },
  { from: '@hr/auth', name: 'staticToken', kB: 0.4, brings: ['@hr/auth/{access-token,auth-error,static-token}'] },

  { from: '@hr/client', kB: 15, brings: ['@hr/client/*', checks, '@hr/schemas/rules/absence-filter', 'ky/**'] },
  {
    from: '@hr/client/mirror',
    kB: 10.5,
    brings: ['@hr/client/{hr-error,mirror/*}', '@hr/schemas/{is-local-date,rules/*}', node],
  },
  { from: '@hr/client', name: 'isHrError', kB: 0.12, brings: ['@hr/client/hr-error'] },

  { from: '@hr/testing/fixtures', kB: 44, brings: [fixtures, rules, zod] },
  { from: '@hr/testing/states', kB: 44, brings: [states, fixtures, rules, zod] },
  { from: '@hr/testing/fake', kB: 54.5, brings: [fake, states, fixtures, rules, provider, zod, node] },
  {
    from: '@hr/testing/msw',
    kB: 54.5,
    brings: ['@hr/testing/{http-url,msw/*}', 'msw/http', fake, states, fixtures, rules, provider, zod],
  },
  { from: '@hr/testing/pact', kB: 52, brings: ['@hr/testing/**', 'vitest', rules, zod, node] },
  {
    from: '@hr/testing/pact/vitest',
    kB: 3.2,
    brings: ['@hr/testing/{contract/provider-name,hr-testing-error,pact/vitest/*}', 'vitest/config', node],
  },
  {
    from: '@hr/testing/provider',
    kB: 61.5,
    brings: ['@hr/testing/**', '@hr/schemas/**', zod, node],
  },
];
