import { deletedAbsence, deletedTimeBookingDay } from '@hr/schemas/rules';
import type { ProviderState } from '@hr/testing/states';
import { having, ok, problem } from './case.ts';
import type { Case, Cases } from './case.ts';

const day = (personId: string, date: string): ProviderState => ['a day of time bookings', { personId, date }];
const deletedDay = (personId: string, date: string): ProviderState => [
  'a deleted day of time bookings',
  { personId, date },
];
const booked: readonly ProviderState[] = [
  day('b', '2026-03-03'),
  day('b', '2026-03-02'),
  day('B', '2026-02-27'),
  ['a person', { id: 'c' }],
  day('B', '2026-03-02'),
];

/** What is shown of each person: the days. */
function bookings(query: string, shown: Readonly<Record<string, readonly string[]>>, states = booked): Case {
  const told = ok(
    Object.entries(shown).map(([personId, dates]) => ({ personId, days: dates.map((date) => having({ date })) })),
  );
  return { given: states, asks: [`GET /api/v1/time-bookings${query}`], told };
}

/** The time bookings (section 4.4). */
export const bookingCases: Cases = {
  'are by person and day': bookings('', { B: ['2026-02-27', '2026-03-02'], b: ['2026-03-02', '2026-03-03'] }),
  'from a day on': bookings('?startDate=2026-03-01', { B: ['2026-03-02'], b: ['2026-03-02', '2026-03-03'] }),
  'up to a day leave out who has none': bookings('?endDate=2026-02-28', { B: ['2026-02-27'] }),
  'of one day': bookings('?startDate=2026-03-03&endDate=2026-03-03', { b: ['2026-03-03'] }),
  'of days without any': bookings('?startDate=2030-01-01', {}),
  'of nobody': bookings('', {}, []),
  'that changed': bookings('?changedSince=2026-03-05', { B: ['2026-02-27', '2026-03-02'] }, [
    ...booked,
    ['a person who changed', { id: 'b', systems: ['time'], since: '2026-03-04' }],
    ['a person who changed', { id: 'B', systems: ['time'], since: '2026-03-05' }],
  ]),
  'that changed are filtered by day as well': bookings(
    '?changedSince=2026-03-04&endDate=2026-03-01',
    { B: ['2026-02-27'] },
    [
      ...booked,
      ['a person who changed', { id: 'B', systems: ['master'], since: '2026-03-05' }],
      ['a person who changed', { id: 'B', systems: ['time'], since: '2026-03-05' }],
    ],
  ),
  'of a change of other systems are none': bookings('?changedSince=2026-03-05', {}, [
    day('b', '2026-03-02'),
    ['a person who changed', { id: 'b', systems: ['master', 'payroll'], since: '2026-03-05' }],
  ]),
  'that were deleted are told so': {
    given: [...booked, deletedDay('b', '2026-03-02'), deletedDay('B', '2026-03-03')],
    asks: ['GET /api/v1/time-bookings?changedSince=2026-03-05&startDate=2026-03-02'],
    told: ok([
      { personId: 'B', days: [having({ date: '2026-03-02' }), deletedTimeBookingDay('2026-03-03')] },
      { personId: 'b', days: [deletedTimeBookingDay('2026-03-02'), having({ date: '2026-03-03' })] },
    ]),
  },
  'that were deleted show in no whole list': bookings('', { b: ['2026-03-03'] }, [
    day('b', '2026-03-03'),
    deletedDay('b', '2026-03-02'),
    deletedDay('c', '2026-03-02'),
  ]),
  'that change in the future are none': bookings('?changedSince=2999-01-01', {}),
  'of somebody who was deleted are none': bookings('', {}, [day('b', '2026-03-02'), ['a deleted person', { id: 'b' }]]),
  'of somebody who was erased are none': bookings('', {}, [day('b', '2026-03-02'), ['an erased person', { id: 'b' }]]),
  'of somebody who was deleted are told as deleted': {
    given: [...booked, ['a deleted person', { id: 'b' }]],
    asks: ['GET /api/v1/time-bookings?changedSince=2026-03-05&startDate=2026-03-03'],
    told: ok([{ personId: 'b', days: [deletedTimeBookingDay('2026-03-03')] }]),
  },
  'of somebody who was erased are told as deleted': {
    given: [day('b', '2026-03-02'), ['an erased person', { id: 'b' }]],
    asks: ['GET /api/v1/time-bookings?changedSince=2026-03-05'],
    told: ok([{ personId: 'b', days: [deletedTimeBookingDay('2026-03-02')] }]),
  },
  'of a period that ends before it begins': {
    asks: ['GET /api/v1/time-bookings?startDate=2026-03-02&endDate=2026-03-01'],
    told: problem('invalid-request', '/startDate rule'),
  },
  'by the names of other lists': {
    asks: ['GET /api/v1/time-bookings?from=2026-03-02&to=2026-03-02'],
    told: problem('invalid-request', '/from unknown-name', '/to unknown-name'),
  },
  'of days that do not exist': {
    asks: ['GET /api/v1/time-bookings?startDate=2026-02-30&endDate=x&changedSince=26-01-01'],
    told: problem('invalid-request', '/startDate wrong-format', '/endDate wrong-format', '/changedSince wrong-format'),
  },
  'need a time component that is new enough': {
    given: [...booked, ['an outdated time component', { version: '63.11.9' }]],
    asks: ['GET /api/v1/time-bookings'],
    told: { ...problem('time-component-version'), body: having({ installed: '63.11.9', required: '63.11.20' }) },
  },
  'are checked before the time component is': {
    given: [['an outdated time component']],
    asks: ['GET /api/v1/time-bookings?x=1'],
    told: problem('invalid-request', '/x unknown-name'),
  },
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

function absences(query: string, ...ids: readonly string[]): Case {
  return {
    given: away,
    asks: [`GET /api/v1/persons/1/absences${query}`],
    told: ok(ids.map((id) => having({ id, personId: '1' }))),
  };
}

/** The absences of a person (section 4.6). */
export const absenceCases: Cases = {
  'are by start, then id': absences('', 'a-5', 'A-1', 'a-2', 'a-3', 'a-4'),
  'from a day are those that run on it': absences('?from=2026-03-01', 'a-5', 'A-1', 'a-2'),
  'from their last day': absences('?from=2026-03-10', 'a-5', 'A-1'),
  'up to a day have begun': absences('?to=2026-03-11', 'a-5', 'A-1', 'a-2', 'a-3'),
  'of a window touch it': absences('?from=2026-03-05&to=2026-03-11', 'a-5', 'A-1', 'a-3'),
  'of a window of a day': absences('?from=2026-03-20&to=2026-03-20', 'a-5', 'a-3'),
  'of a window without any but those without end': absences('?from=2030-01-01&to=2030-01-31', 'a-5', 'a-4'),
  'of long ago': absences('?from=2000-01-01'),
  'that changed': {
    given: [...away, ['a person who changed', { id: '1', systems: ['time'], since: '2026-03-04' }]],
    asks: ['GET /api/v1/persons/1/absences?changedSince=2026-03-04&to=2026-02-28'],
    told: ok([having({ id: 'a-5' })]),
  },
  'that were deleted are told so, whatever the window': {
    given: [...away, ['a deleted absence', { personId: '1', id: 'a-9' }]],
    asks: ['GET /api/v1/persons/1/absences?changedSince=2026-03-04&to=2025-01-01'],
    told: ok([deletedAbsence('a-9', '1'), having({ id: 'a-5' })]),
  },
  'that were deleted show in no whole list': {
    given: [absence('a-1', '2026-03-01', null), ['a deleted absence', { personId: '1', id: 'a-9' }]],
    asks: ['GET /api/v1/persons/1/absences'],
    told: ok([having({ id: 'a-1' })]),
  },
  'that changed before are left out': {
    given: [...away, ['a person who changed', { id: '1', systems: ['time'], since: '2026-03-04' }]],
    asks: ['GET /api/v1/persons/1/absences?changedSince=2026-03-05'],
    told: ok([]),
  },
  'of a change of other systems are none': {
    given: [...away, ['a person who changed', { id: '1', systems: ['master'], since: '2026-03-04' }]],
    asks: ['GET /api/v1/persons/1/absences?changedSince=2026-03-04'],
    told: ok([]),
  },
  'of somebody without any': {
    given: [['a person', { id: '1' }]],
    asks: ['GET /api/v1/persons/1/absences'],
    told: ok([]),
  },
  'of somebody unknown': { asks: ['GET /api/v1/persons/1/absences'], told: problem('not-found') },
  'of somebody who was deleted': {
    given: [...away, ['a deleted person', { id: '1' }]],
    asks: ['GET /api/v1/persons/1/absences'],
    told: problem('not-found'),
  },
  'of somebody who was erased': {
    given: [...away, ['an erased person', { id: '1' }]],
    asks: ['GET /api/v1/persons/1/absences'],
    told: problem('not-found'),
  },
  ...Object.fromEntries(
    (['a deleted person', 'an erased person'] as const).map((state): [string, Case] => [
      `that are gone with ${state} are told as deleted, whatever the window`,
      {
        given: [absence('a-1', '2026-03-01', null), absence('a-2', '2026-02-01', null), [state, { id: '1' }]],
        asks: ['GET /api/v1/persons/1/absences?changedSince=2026-03-05&to=2020-01-01'],
        told: ok([deletedAbsence('a-1', '1'), deletedAbsence('a-2', '1')]),
      },
    ]),
  ),
  'of somebody who is gone since before': {
    given: [...away, ['a deleted person', { id: '1' }]],
    asks: ['GET /api/v1/persons/1/absences?changedSince=2999-01-01'],
    told: problem('not-found'),
  },
  'of a window that ends before it begins': {
    asks: ['GET /api/v1/persons/1/absences?from=2026-03-02&to=2026-03-01'],
    told: problem('invalid-request', '/from rule'),
  },
  'by the names of other lists': {
    asks: ['GET /api/v1/persons/1/absences?startDate=2026-03-01'],
    told: problem('invalid-request', '/startDate unknown-name'),
  },
  'of somebody unknown need a time component that is new enough': {
    given: [['an outdated time component']],
    asks: ['GET /api/v1/persons/1/absences'],
    told: problem('time-component-version'),
  },
};
