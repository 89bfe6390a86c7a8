import type { Subject } from '../database/json-answer.ts';

/** What the parameter of a path identifies, and as what the audit names it. */
const parameters: Readonly<Record<string, readonly [name: string, subject: keyof Subject]>> = {
  id: ['person', 'personId'],
  personId: ['person', 'personId'],
  contractId: ['payroll contract', 'payrollContractId'],
  paymentId: ['variable payment', 'objectId'],
  clientId: ['client', 'objectId'],
  importId: ['import', 'objectId'],
};

/** What the parameter of a path identifies, in words. */
export function identifiedBy(path: string): string {
  const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
  return parameters[parameter]?.[0] ?? parameter;
}

/** Whom a request is about, by the parameters of its path. */
export function pathSubject(path: object): Subject {
  return Object.fromEntries(
    Object.entries(path).flatMap(([name, value]: [string, string]) => {
      const [, subject] = parameters[name] ?? [];
      return subject ? [[subject, value]] : [];
    }),
  );
}
