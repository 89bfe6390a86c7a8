import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts, type Fact } from '../components/facts.tsx';
import { PersonLink } from '../components/link.tsx';
import { StatusLabel } from '../components/status-label.tsx';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { PersonScreen } from './person-routes.ts';
import classes from './person.module.css';

interface PersonEssentialsProps {
  readonly data: PersonScreen;
  /** Whether only the main facts are shown, beside one another, as in the header of the screen. */
  readonly isInline?: boolean;
}

/** What a clerk asks about a person most. Missing facts are left out. */
export function PersonEssentials({ data: { person, manager }, isInline = false }: PersonEssentialsProps): ReactNode {
  const { fields, tabs } = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const { status, jobTitle, employeeNumber, groupEntryDate, groupExitDate, businessEmail } = person;
  const main: readonly Fact[] = [
    [fields.status, status && <StatusLabel key="status" status={status} />],
    [fields.jobTitle, jobTitle],
    [fields.employeeNumber, employeeNumber],
    [fields.groupEntryDate, groupEntryDate && format.date(groupEntryDate)],
    [fields.groupExitDate, groupExitDate && format.date(groupExitDate)],
  ];
  const more: readonly Fact[] = [
    [fields.groups, person.groups?.map(({ id }) => nameOf('group', id)).join(', ')],
    [fields.usualPlaceOfWork, person.usualPlaceOfWork],
    [fields.businessEmail, businessEmail && <EmailLink key="email" email={businessEmail} />],
    [fields.managerId, manager && <ManagerLink key="manager" {...manager} />],
    [tabs.contracts, person.employments?.map((one) => one.payrollContractId).join(', ')],
  ];
  return isInline ? <Facts className={classes['inlineFacts']} facts={main} /> : <Facts facts={[...main, ...more]} />;
}

/** An address that is more than a mailbox could add recipients or a text, so its characters are encoded. */
export function EmailLink({ email }: { readonly email: string }): ReactNode {
  const [mailbox, ...domain] = email.split('@');
  return (
    <Anchor inherit href={`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`}>
      {mailbox}
      <wbr />
      {domain.map((part) => `@${part}`)}
    </Anchor>
  );
}

export function ManagerLink({ id, name }: NonNullable<PersonScreen['manager']>): ReactNode {
  const text = useMessages(messages);
  // A person of whom the console has no data.
  return name === undefined ? text.unknownPerson(id) : <PersonLink id={id}>{name}</PersonLink>;
}
