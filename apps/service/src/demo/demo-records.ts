import type { Member } from '@hr/testing/fixtures';

/** The part of a member that a feed has. */
interface FeedMember extends Omit<Member, 'employments' | 'payments'> {
  readonly employments: readonly object[];
}

/** A member of a made company as records of a feed. */
export function demoRecords(member: FeedMember): object[] {
  const { bankDetails, keyNumber, ...person } = member.person;
  const personId = person.id;
  return [
    { kind: 'person', ...person },
    ...(bankDetails ? [{ kind: 'bankDetails', personId, ...bankDetails }] : []),
    ...(keyNumber === undefined ? [] : [{ kind: 'keyNumber', personId, keyNumber }]),
    ...member.payrollContractIds.map((payrollContractId) => ({ kind: 'mapping', personId, payrollContractId })),
    ...member.employments.map((employment) => ({ kind: 'employment', ...employment })),
    ...member.salaries.map((entry) => ({ kind: 'salary', ...entry })),
    ...member.timeDays.map((day) => ({ kind: 'timeDay', personId, ...day })),
    ...member.absences.map((absence) => ({ kind: 'absence', ...absence })),
  ];
}
