import { being, made } from './member-changes.ts';
import { atEach, type MemberChange, type Mutation, type Mutations } from './mutation.ts';

const oneOf = (name: string): readonly string[] => [name, `*.${name}`];
const more: MemberChange = made((value: number) => value + 1);
const nextMonth: MemberChange = made((month: string) =>
  month.endsWith('-01') ? `${month.slice(0, -1)}2` : `${month.slice(0, -2)}01`,
);
const nextDay: MemberChange = made(
  (day: string | null) => day && (day.endsWith('5') ? `${day.slice(0, -1)}6` : `${day.slice(0, -1)}5`),
);

/** Another value of the same form. Whoever reads a value that the request or a state names notices. */
function another(paths: readonly string[], change: MemberChange): Mutation {
  return {
    change: atEach(paths, change).change,
    isNoticed({ status, body }, { providerStates, request }) {
      const given = JSON.stringify([providerStates, request.body?.content, request.query]);
      const isNamed = (example: unknown, [name = '', ...rest]: readonly string[]): boolean => {
        if (Array.isArray(example)) return name === '*' && example.some((each) => isNamed(each, rest));
        const value = (example as Readonly<Record<string, unknown>> | undefined)?.[name];
        if (value === undefined || rest.length > 0) return value !== undefined && isNamed(value, rest);
        // A query has lists of values.
        return [value, [value]].some((each) => given.includes(JSON.stringify({ [name]: each }).slice(1, -1)));
      };
      return status === 200 && paths.some((path) => isNamed(body?.content, path.split('.')));
    },
  };
}

/** What only the value tells. */
export const valueMutations: Mutations = {
  'another last name': another(oneOf('lastName'), being('Öztürk 😀')),
  'another first name': another(oneOf('firstName'), being('Zoë')),
  'another job': another(oneOf('jobTitle'), being('Bäcker')),
  'the other status': another(
    ['*.status'],
    made((status: string) => (status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE')),
  ),
  'another IBAN': another(oneOf('bankDetails.iban'), being('DE00X')),
  'another city': another(oneOf('address.city'), being('Köln')),
  'another amount': another(oneOf('amount'), more),
  'other hours': another(oneOf('hours'), more),
  'another component': another(oneOf('compensationComponentId'), being('OTHER')),
  'another billing period': another(oneOf('billingPeriod'), nextMonth),
  'another salary': another(['*.totalSalary'], more),
  'the month before': another(
    ['*.month'],
    made((month: number) => (month === 1 ? 12 : month - 1)),
  ),
  'another year': another(['*.year'], more),
  'another first day': another(['*.startDate'], nextDay),
  'another last day': another(['*.endDate'], nextDay),
  'another day': another(['*.days.*.date'], nextDay),
  'another target time': another(['*.days.*.targetTime'], more),
};
