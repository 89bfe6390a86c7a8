import { deletedAbsence, deletedTimeBookingDay } from '@hr/schemas/rules';
import type { ProviderState } from '../states/provider-states.ts';
import { casesOf, decided, having, notFound, ok, problem, when, type Case, type Cases } from './behaviour-case.ts';
import { changed, deletions } from './given.ts';

const booked = (personId: string, date: string): ProviderState => ['a day of time bookings', { personId, date }];
const unbooked = (personId: string, date: string): ProviderState => [
  'a deleted day of time bookings',
  { personId, date },
];

const days: readonly ProviderState[] = [
  booked('b', '2026-03-03'),
  booked('b', '2026-03-02'),
  booked('B', '2026-02-27'),
  ['a person', { id: 'c' }],
  booked('B', '2026-03-02'),
];
const list = 'GET /api/v1/time-bookings';

/** The list has these persons, each with its days of 2026. */
function bookings(query: string, shown: string, given = days): Case {
  const persons = Array.from(shown.matchAll(/(\w) ([-\d ]+)/g), ([, personId, dates = '']) => {
    return {
      personId,
      days: dates
        .trim()
        .split(' ')
        .map((date) => having({ date: `2026-${date}` })),
    };
  });
  return when(given, ok(persons), list + query);
}
const allBookings = bookings('', 'B 02-27 03-02, b 03-02 03-03');

/** The time bookings (section 4.4). */
export const bookingCases: Cases = {
  'the time bookings have all days of each person': allBookings,
  'time bookings can begin with a day': bookings('?startDate=2026-03-01', 'B 03-02, b 03-02 03-03'),
  'time bookings can end with a day': bookings('?endDate=2026-02-28', 'B 02-27'),
  'time bookings can be of one day': bookings('?startDate=2026-03-03&endDate=2026-03-03', 'b 03-03'),
  'time bookings of days without any are empty': bookings('?startDate=2030-01-01', ''),
  'time bookings are empty if there are none': bookings('', '', []),
  'changed time bookings are those since the date': bookings('?changedSince=2026-03-05', 'B 02-27 03-02', [
    ...days,
    changed(['time'], 'b', '2026-03-04'),
    changed(['time'], 'B', '2026-03-05'),
  ]),
  'changed time bookings can be filtered by day': bookings('?changedSince=2026-03-04&endDate=2026-03-01', 'B 02-27', [
    ...days,
    changed(['master'], 'B', '2026-03-05'),
    changed(['time'], 'B', '2026-03-05'),
  ]),
  'time bookings are unchanged by changes of other systems': bookings('?changedSince=2026-03-05', '', [
    booked('b', '2026-03-02'),
    changed(['master', 'payroll'], 'b', '2026-03-05'),
  ]),
  'changed time bookings since a future date are empty': bookings('?changedSince=2999-01-01', ''),
  'the list of time bookings has no deleted day': bookings('', 'b 03-03', [
    booked('b', '2026-03-03'),
    unbooked('b', '2026-03-02'),
    unbooked('c', '2026-03-02'),
  ]),
  ...casesOf(deletions('b'), ({ name, state }) => [
    `the list of time bookings has no days of ${name}`,
    bookings('', '', [booked('b', '2026-03-02'), state]),
  ]),
  ...decided({
    'time bookings are sorted by person and day': allBookings,
    'changed time bookings have deleted days': when(
      [...days, unbooked('b', '2026-03-02'), unbooked('B', '2026-03-03')],
      ok([
        { personId: 'B', days: [having({ date: '2026-03-02' }), deletedTimeBookingDay('2026-03-03')] },
        { personId: 'b', days: [deletedTimeBookingDay('2026-03-02'), having({ date: '2026-03-03' })] },
      ]),
      `${list}?changedSince=2026-03-05&startDate=2026-03-02`,
    ),
    ...casesOf(deletions('b'), ({ name, state }) => [
      `changed time bookings have the days of ${name} as deleted`,
      when(
        [...days, state],
        ok([{ personId: 'b', days: [deletedTimeBookingDay('2026-03-03')] }]),
        `${list}?changedSince=2026-03-05&startDate=2026-03-03`,
      ),
    ]),
    'time bookings need a new enough time-recording component': when(
      [...days, ['an outdated time component', { version: '63.11.9' }]],
      { ...problem('time-component-version'), body: having({ installed: '63.11.9', required: '63.11.20' }) },
      list,
    ),
    'the query of time bookings is checked before the version of the component': when(
      [['an outdated time component']],
      problem('invalid-request', '/x unknown-name'),
      `${list}?x=1`,
    ),
  }),
};

const absence = (id: string, startDate: string, endDate: string | null, personId = '1'): ProviderState => [
  'an absence',
  { personId, id, startDate, endDate },
];
const away: readonly ProviderState[] = [
  absence('a-4', '2026-04-01', null),
  absence('a-3', '2026-03-11', '2026-03-20'),
  absence('a-2', '2026-03-01', '2026-03-01'),
  absence('A-1', '2026-03-01', '2026-03-10'),
  absence('a-5', '2025-01-01', null),
  absence('other', '2026-03-01', null, '2'),
];
const changedAway = [...away, changed(['time'], '1', '2026-03-04')];
const deletedOne: ProviderState = ['a deleted absence', { personId: '1', id: 'a-9' }];
const ofPerson = 'GET /api/v1/persons/1/absences';
const open = absence('a-1', '2026-03-01', null);

/** The list has these absences, given by id, or as deleted ones. */
function shows(given: readonly ProviderState[], query: string, ...elements: readonly (string | object)[]): Case {
  const shown = elements.map((each) => (typeof each === 'string' ? having({ id: each, personId: '1' }) : each));
  return when(given, ok(shown), ofPerson + query);
}

function absences(query: string, ...ids: readonly string[]): Case {
  return shows(away, query, ...ids);
}

const all = 'GET /api/v1/absences';
const ofAll = [...away, absence('B-1', '2027-01-01', null, 'B')];
const ofOne = ['a-5', 'A-1', 'a-2', 'a-3', 'a-4'];

/** The absences of all persons, by id. */
function everyone(query: string, ...ids: readonly string[]): Case {
  return when(ofAll, ok(ids.map((id) => having({ id }))), all + query);
}

/** The absences of a person, and of all (section 4.6). */
export const absenceCases: Cases = {
  'the list has all absences of the person': absences('', 'a-5', 'A-1', 'a-2', 'a-3', 'a-4'),
  'absences from a day are those that include it': absences('?from=2026-03-01', 'a-5', 'A-1', 'a-2'),
  'absences from a day include one that ends on it': absences('?from=2026-03-10', 'a-5', 'A-1'),
  'absences to a day have begun by then': absences('?to=2026-03-11', 'a-5', 'A-1', 'a-2', 'a-3'),
  'absences from a day long ago are none': absences('?from=2000-01-01'),
  'changed absences are those since the date': shows(changedAway, '?changedSince=2026-03-04&to=2026-02-28', 'a-5'),
  'changed absences leave out changes before the date': shows(changedAway, '?changedSince=2026-03-05'),
  'absences are unchanged by changes of other systems': shows(
    [...away, changed(['master'], '1', '2026-03-04')],
    '?changedSince=2026-03-04',
  ),
  'the list of absences has no deleted one': shows([open, deletedOne], '', 'a-1'),
  'the list of absences of a person without any is empty': shows([['a person', { id: '1' }]], ''),
  ...decided({
    'absences are sorted by start, then by id': absences('', 'a-5', 'A-1', 'a-2', 'a-3', 'a-4'),
    'absences of a window are those that touch it': absences('?from=2026-03-05&to=2026-03-11', 'a-5', 'A-1', 'a-3'),
    'absences of a window of one day include it': absences('?from=2026-03-20&to=2026-03-20', 'a-5', 'a-3'),
    'absences without an end touch each later window': absences('?from=2030-01-01&to=2030-01-31', 'a-5', 'a-4'),
    'changed absences have deleted ones, whatever the window': shows(
      [...away, deletedOne],
      '?changedSince=2026-03-04&to=2025-01-01',
      deletedAbsence('a-9', '1'),
      'a-5',
    ),
    'absences of an unknown person are not found': notFound([], ofPerson),
    ...casesOf(deletions('1'), ({ name, state }) => [
      `absences of ${name} are not found`,
      notFound([...away, state], ofPerson),
    ]),
    ...casesOf(deletions('1'), ({ name, state }) => [
      `changed absences have those of ${name} as deleted, whatever the window`,
      shows(
        [open, absence('a-2', '2026-02-01', null), state],
        '?changedSince=2026-03-05&to=2020-01-01',
        deletedAbsence('a-1', '1'),
        deletedAbsence('a-2', '1'),
      ),
    ]),
    'absences of a person that was deleted before the date are not found': notFound(
      [...away, ['a deleted person', { id: '1' }]],
      `${ofPerson}?changedSince=2999-01-01`,
    ),
    'the absences of all persons are sorted by person, start and id': everyone('', ...ofOne, 'other', 'B-1'),
    'the absences of all persons have the filters of one': everyone(
      '?from=2026-03-05&to=2026-03-11',
      'a-5',
      'A-1',
      'a-3',
      'other',
    ),
    'the absences of all persons are empty if there are none': when([['a person', { id: '1' }]], ok([]), all),
    'changed absences of all persons are those since the date': when(
      [
        ...ofAll,
        changed(['time'], '1', '2026-03-04'),
        changed(['time'], '2', '2026-03-03'),
        changed(['time'], 'B', '2026-03-03'),
      ],
      ok(ofOne.map((id) => having({ id, personId: '1' }))),
      `${all}?changedSince=2026-03-04`,
    ),
    'changed absences of all persons have deleted ones first of their person': when(
      [absence('b', '2026-03-01', null, '2'), ...away, deletedOne],
      ok([
        deletedAbsence('a-9', '1'),
        ...ofOne.map((id) => having({ id })),
        having({ id: 'b' }),
        having({ id: 'other' }),
      ]),
      `${all}?changedSince=2026-03-04`,
    ),
    ...casesOf(deletions('2'), ({ name, state }) => [
      `the absences of all persons leave out those of ${name}`,
      when([...away, state], ok(ofOne.map((id) => having({ id }))), all),
    ]),
    ...casesOf(deletions('1'), ({ name, state }) => [
      `changed absences of all persons have those of ${name} as deleted`,
      when(
        [open, absence('b', '2026-02-01', null, '2'), state],
        ok([deletedAbsence('a-1', '1'), having({ id: 'b' })]),
        `${all}?changedSince=2026-03-05`,
      ),
    ]),
    'the absences of all persons need a new enough time-recording component': when(
      [['an outdated time component']],
      problem('time-component-version'),
      all,
    ),
    'the version of the component is checked before the person': when(
      [['an outdated time component']],
      problem('time-component-version'),
      ofPerson,
    ),
  }),
};
