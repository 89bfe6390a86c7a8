import { deletedAbsence, deletedTimeBookingDay, type System } from '@hr/schemas/rules';
import type { ProviderState } from '../states/provider-states.ts';
import { decided, having, ok, problem, when, type Case, type Cases } from './behaviour-case.ts';

const day = (personId: string, date: string): ProviderState => ['a day of time bookings', { personId, date }];
const deletedDay = (personId: string, date: string): ProviderState => [
  'a deleted day of time bookings',
  { personId, date },
];
const changed = (id: string, since: string, ...systems: System[]): ProviderState => [
  'a person who changed',
  { id, systems: systems.length > 0 ? systems : ['time'], since },
];
const gone = (id: string): (readonly [adjective: string, ProviderState])[] => [
  ['a deleted', ['a deleted person', { id }]],
  ['an erased', ['an erased person', { id }]],
];

const booked: readonly ProviderState[] = [
  day('b', '2026-03-03'),
  day('b', '2026-03-02'),
  day('B', '2026-02-27'),
  ['a person', { id: 'c' }],
  day('B', '2026-03-02'),
];
const list = 'GET /api/v1/time-bookings';

/** The list has these days of each person. */
function bookings(query: string, days: Readonly<Record<string, readonly string[]>>, given = booked): Case {
  const persons = Object.entries(days).map(([personId, dates]) => ({
    personId,
    days: dates.map((date) => having({ date })),
  }));
  return when(given, ok(persons), list + query);
}
const allBookings = bookings('', { B: ['2026-02-27', '2026-03-02'], b: ['2026-03-02', '2026-03-03'] });

/** The time bookings (section 4.4). */
export const bookingCases: Cases = {
  'the time bookings have all days of each person': allBookings,
  'time bookings can begin with a day': bookings('?startDate=2026-03-01', {
    B: ['2026-03-02'],
    b: ['2026-03-02', '2026-03-03'],
  }),
  'time bookings can end with a day': bookings('?endDate=2026-02-28', { B: ['2026-02-27'] }),
  'time bookings can be of one day': bookings('?startDate=2026-03-03&endDate=2026-03-03', { b: ['2026-03-03'] }),
  'time bookings of days without any are empty': bookings('?startDate=2030-01-01', {}),
  'time bookings are empty if there are none': bookings('', {}, []),
  'changed time bookings are those since the date': bookings(
    '?changedSince=2026-03-05',
    { B: ['2026-02-27', '2026-03-02'] },
    [...booked, changed('b', '2026-03-04'), changed('B', '2026-03-05')],
  ),
  'changed time bookings can be filtered by day': bookings(
    '?changedSince=2026-03-04&endDate=2026-03-01',
    { B: ['2026-02-27'] },
    [...booked, changed('B', '2026-03-05', 'master'), changed('B', '2026-03-05')],
  ),
  'time bookings are unchanged by changes of other systems': bookings('?changedSince=2026-03-05', {}, [
    day('b', '2026-03-02'),
    changed('b', '2026-03-05', 'master', 'payroll'),
  ]),
  'changed time bookings since a future date are empty': bookings('?changedSince=2999-01-01', {}),
  'the list of time bookings has no deleted day': bookings('', { b: ['2026-03-03'] }, [
    day('b', '2026-03-03'),
    deletedDay('b', '2026-03-02'),
    deletedDay('c', '2026-03-02'),
  ]),
  ...Object.fromEntries(
    gone('b').map(([adjective, state]): [string, Case] => [
      `the list of time bookings has no days of ${adjective} person`,
      bookings('', {}, [day('b', '2026-03-02'), state]),
    ]),
  ),
  ...decided({
    'time bookings are sorted by person and day': allBookings,
    'changed time bookings have deleted days': when(
      [...booked, deletedDay('b', '2026-03-02'), deletedDay('B', '2026-03-03')],
      ok([
        { personId: 'B', days: [having({ date: '2026-03-02' }), deletedTimeBookingDay('2026-03-03')] },
        { personId: 'b', days: [deletedTimeBookingDay('2026-03-02'), having({ date: '2026-03-03' })] },
      ]),
      `${list}?changedSince=2026-03-05&startDate=2026-03-02`,
    ),
    ...Object.fromEntries(
      gone('b').map(([adjective, state]): [string, Case] => [
        `changed time bookings have the days of ${adjective} person as deleted`,
        when(
          [...booked, state],
          ok([{ personId: 'b', days: [deletedTimeBookingDay('2026-03-03')] }]),
          `${list}?changedSince=2026-03-05&startDate=2026-03-03`,
        ),
      ]),
    ),
    'time bookings need a new enough time-recording component': when(
      [...booked, ['an outdated time component', { version: '63.11.9' }]],
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
const deletedOne: ProviderState = ['a deleted absence', { personId: '1', id: 'a-9' }];
const absencesPath = 'GET /api/v1/persons/1/absences';
const open = absence('a-1', '2026-03-01', null);
const shown = (id: string): unknown => having({ id, personId: '1' });

function shows(given: readonly ProviderState[], query: string, ...elements: readonly unknown[]): Case {
  return when(given, ok(elements), absencesPath + query);
}

function absences(query: string, ...ids: readonly string[]): Case {
  return shows(away, query, ...ids.map(shown));
}

/** The absences of a person (section 4.6). */
export const absenceCases: Cases = {
  'the list has all absences of the person': absences('', 'a-5', 'A-1', 'a-2', 'a-3', 'a-4'),
  'absences from a day are those that include it': absences('?from=2026-03-01', 'a-5', 'A-1', 'a-2'),
  'absences from a day include one that ends on it': absences('?from=2026-03-10', 'a-5', 'A-1'),
  'absences to a day have begun by then': absences('?to=2026-03-11', 'a-5', 'A-1', 'a-2', 'a-3'),
  'absences from a day long ago are none': absences('?from=2000-01-01'),
  'changed absences are those since the date': shows(
    [...away, changed('1', '2026-03-04')],
    '?changedSince=2026-03-04&to=2026-02-28',
    shown('a-5'),
  ),
  'changed absences leave out changes before the date': shows(
    [...away, changed('1', '2026-03-04')],
    '?changedSince=2026-03-05',
  ),
  'absences are unchanged by changes of other systems': shows(
    [...away, changed('1', '2026-03-04', 'master')],
    '?changedSince=2026-03-04',
  ),
  'the list of absences has no deleted one': shows([open, deletedOne], '', shown('a-1')),
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
      shown('a-5'),
    ),
    'absences of an unknown person are not found': when([], problem('not-found'), absencesPath),
    ...Object.fromEntries(
      gone('1').flatMap(([adjective, state]): [string, Case][] => [
        [`absences of ${adjective} person are not found`, when([...away, state], problem('not-found'), absencesPath)],
        [
          `changed absences have those of ${adjective} person as deleted, whatever the window`,
          shows(
            [open, absence('a-2', '2026-02-01', null), state],
            '?changedSince=2026-03-05&to=2020-01-01',
            deletedAbsence('a-1', '1'),
            deletedAbsence('a-2', '1'),
          ),
        ],
      ]),
    ),
    'absences of a person that was deleted before the date are not found': when(
      [...away, ['a deleted person', { id: '1' }]],
      problem('not-found'),
      `${absencesPath}?changedSince=2999-01-01`,
    ),
    'the version of the component is checked before the person': when(
      [['an outdated time component']],
      problem('time-component-version'),
      absencesPath,
    ),
  }),
};
