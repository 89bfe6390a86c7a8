import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StatusLabel } from '../people/status-label.tsx';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import { messages } from './messages.ts';
import type { PersonScreen } from './person-routes.ts';
import classes from './person.module.css';

interface PersonEssentialsProps {
  readonly data: PersonScreen;
  /** Whether the facts are beside one another, as in the header of the screen. */
  readonly isInline?: boolean;
}

/** What a clerk asks about a person most. Missing facts are left out. */
export function PersonEssentials({ data: { person, manager }, isInline = false }: PersonEssentialsProps): ReactNode {
  const { fields, contractsCount } = useMessages(messages);
  const format = useFormat();
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [fields.status, <StatusLabel key="status" status={person.status} />],
    [fields.jobTitle, person.jobTitle],
    [fields.employeeNumber, person.employeeNumber],
    [fields.groups, person.groups?.map(({ id }) => id).join(', ')],
    [fields.usualPlaceOfWork, person.usualPlaceOfWork],
    [fields.businessEmail, person.businessEmail && <EmailLink key="email" email={person.businessEmail} />],
    [fields.managerId, manager && <PersonLink key="manager" {...manager} />],
    [fields.groupEntryDate, person.groupEntryDate && format.date(person.groupEntryDate)],
    [fields.groupExitDate, person.groupExitDate && format.date(person.groupExitDate)],
    [contractsCount, isInline ? undefined : person.employments?.map((one) => one.payrollContractId).join(', ')],
  ];
  return (
    <dl className={isInline ? classes['inlineFacts'] : classes['facts']}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** An address that is more than a mailbox could add recipients or a text, so its characters are encoded. */
export function EmailLink({ email }: { readonly email: string }): ReactNode {
  return (
    <Anchor inherit href={`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`}>
      {email}
    </Anchor>
  );
}

export function PersonLink({ id, name }: { readonly id: string; readonly name: string | undefined }): ReactNode {
  const text = useMessages(messages);
  // A person of whom the console has no data.
  if (name === undefined) return text.unknownPerson(id);
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId: id }} />}>
      {name}
    </Anchor>
  );
}
