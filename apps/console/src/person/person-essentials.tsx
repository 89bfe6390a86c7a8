import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StatusLabel } from '../components/status-label.tsx';
import { Facts, type Fact } from '../components/facts.tsx';
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
    [fields.managerId, manager && <PersonLink key="manager" {...manager} />],
    [tabs.contracts, person.employments?.map((one) => one.payrollContractId).join(', ')],
  ];
  if (!isInline) return <Facts facts={[...main, ...more]} />;
  return (
    <dl className={classes['inlineFacts']}>
      {main.map(
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
  const [mailbox, ...domain] = email.split('@');
  return (
    <Anchor inherit href={`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`}>
      {mailbox}
      <wbr />
      {domain.map((part) => `@${part}`)}
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
