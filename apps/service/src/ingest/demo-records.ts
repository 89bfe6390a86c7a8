import type { Member } from '@hr/testing/fixtures';

/** A member of a made company as records of a feed. */
export function demoRecords(member: Member): object[] {
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
