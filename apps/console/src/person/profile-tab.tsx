import { Button, Group, Stack, Switch, Text, Title, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { FieldSeen } from '@hr/client/mirror';
import type { CustomField, Person } from '@hr/client';
import { usePendingAddress } from '../edit/edit-draft.ts';
import { RevealBankDetails } from '../edit/reveal-bank-details.tsx';
import { countryName } from '../model/countries.ts';
import { StatusLabel } from '../components/status-label.tsx';
import { Facts } from '../components/facts.tsx';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { useRole, useSession } from '../shell/session.ts';
import { messages } from './messages.ts';
import { EmailLink, PersonLink } from './person-essentials.tsx';
import type { PersonScreen } from './person-routes.ts';
import classes from './person.module.css';

interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly seen: FieldSeen | undefined;
}

/** All fields of a person, in groups. */
export function ProfileTab({ data }: { readonly data: PersonScreen }): ReactNode {
  const text = useMessages(messages);
  const [showsOrigin, setShowsOrigin] = useState(false);
  const { identity, work, period, address, custom } = useFacts(data);
  const { sections } = text;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text c="dimmed">{text.currentAt(useFormat().shortInstant(useSession().health.currentAt))}</Text>
        <Switch
          size="xs"
          label={text.showOrigin}
          checked={showsOrigin}
          onChange={(event) => setShowsOrigin(event.currentTarget.checked)}
        />
      </Group>
      <div className={classes['sections']}>
        <Section title={sections.identity} facts={identity} showsOrigin={showsOrigin} />
        <Section title={sections.work} facts={work} showsOrigin={showsOrigin} />
        <Section title={sections.period} facts={period} showsOrigin={showsOrigin} />
        <Section
          title={sections.address}
          facts={address}
          empty={text.noAddress}
          showsOrigin={showsOrigin}
          action={<EditLink to="/people/$personId/address" personId={data.person.id} label={text.editAddress} />}
        />
        <Section
          title={sections.bank}
          facts={[]}
          empty={data.bankDetails ? '' : text.noBankDetails}
          showsOrigin={false}
          action={
            <EditLink to="/people/$personId/bank-details" personId={data.person.id} label={text.editBankDetails} />
          }
        >
          {data.bankDetails && (
            <Origin seen={data.seen['bankDetails']} isShown={showsOrigin}>
              <RevealBankDetails personId={data.person.id} masked={data.bankDetails} />
            </Origin>
          )}
        </Section>
        <Section title={sections.custom} facts={custom} empty={text.noCustomFields} showsOrigin={showsOrigin} />
      </div>
    </Stack>
  );
}

interface SectionProps {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly empty?: string;
  readonly showsOrigin: boolean;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

function Section({ title, facts, empty, showsOrigin, action, children }: SectionProps): ReactNode {
  return (
    <section className={`panel ${classes['section']}`}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {action}
      </Group>
      {children}
      {facts.length === 0 && empty && <Text c="dimmed">{empty}</Text>}
      {facts.length > 0 && (
        <Facts
          facts={facts.map(({ label, value, seen }) => [
            label,
            <Origin key={label} seen={seen} isShown={showsOrigin}>
              {value || DASH}
            </Origin>,
          ])}
        />
      )}
    </section>
  );
}

interface EditLinkProps {
  readonly to: '/people/$personId/address' | '/people/$personId/bank-details';
  readonly personId: string;
  readonly label: string;
}

/** Leads an editor to the form of a section. */
function EditLink({ to, personId, label }: EditLinkProps): ReactNode {
  const text = useMessages(messages);
  if (!useRole('editor')) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={label}
      renderRoot={(props) => <Link {...props} to={to} params={{ personId }} />}
    >
      {text.edit}
    </Button>
  );
}

interface OriginProps {
  readonly seen: FieldSeen | undefined;
  /** Whether it is below the value, and not only in a tooltip. */
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** A value, with the system that it is from, and when it was last seen there. */
function Origin({ seen, isShown, children }: OriginProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  if (seen === undefined) return children;
  const origin = text.seen(text.systems[seen.system], format.shortInstant(seen.at));
  if (!isShown) {
    return (
      <Tooltip label={origin} position="top-start" openDelay={400}>
        <div>{children}</div>
      </Tooltip>
    );
  }
  return (
    <>
      {children}
      <span className={classes['origin']}>{origin}</span>
    </>
  );
}

type FactGroups = Readonly<Record<'identity' | 'work' | 'period' | 'address' | 'custom', readonly Fact[]>>;

function useFacts({ person, manager, seen }: PersonScreen): FactGroups {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { nameOf } = useLabels();
  const fact = (field: keyof typeof text.fields & keyof Person, value: ReactNode): Fact => ({
    label: text.fields[field],
    value,
    seen: seen[field],
  });
  const texts = (...fields: (keyof typeof text.fields & keyof typeof person)[]): Fact[] =>
    fields.map((field) => fact(field, person[field] as string | undefined));
  const dates = (...fields: (keyof typeof text.fields & keyof typeof person)[]): Fact[] =>
    fields.map((field) => fact(field, format.date(person[field] as string | undefined)));
  // Most people have none of these.
  const optional = (...fields: (keyof typeof text.fields & keyof typeof person)[]): Fact[] =>
    texts(...fields.filter((field) => person[field]));
  const { gender, citizenship, businessEmail, legalEntity, exitReasonId } = person;
  // An address that is being saved shows at once.
  const pending: Person['address'] = usePendingAddress(person.id);
  const address = pending ?? person.address;
  const addressNames = Object.keys(text.address) as (keyof typeof text.address)[];
  return {
    identity: [
      ...optional('academicTitle'),
      ...texts('firstName'),
      ...optional('middleName', 'titleOfNobility', 'prefixToLastName'),
      ...texts('lastName'),
      ...optional('suffixToLastName', 'birthName'),
      ...dates('dateOfBirth'),
      fact('gender', gender && (text.genders[gender as keyof typeof text.genders] ?? gender)),
      fact('citizenship', countryText(citizenship, locale)),
      ...texts('id'),
    ],
    work: [
      ...texts('employeeNumber', 'jobTitle'),
      fact('legalEntity', legalEntity && <LabelText kind="legalEntity" id={legalEntity.id} />),
      fact('groups', person.groups?.map(({ id }) => nameOf('group', id)).join(', ')),
      fact('managerId', manager && <PersonLink {...manager} />),
      ...texts('usualPlaceOfWork'),
      fact('businessEmail', businessEmail && <EmailLink email={businessEmail} />),
      ...texts('keyNumber'),
    ],
    period: [
      fact('status', person.status && <StatusLabel status={person.status} />),
      ...dates('groupEntryDate', 'groupExitDate', ...(person.exitNoticeDate ? (['exitNoticeDate'] as const) : [])),
      ...(exitReasonId ? [fact('exitReasonId', <LabelText kind="exitReason" id={exitReasonId} />)] : []),
      ...dates('expectedStartOfPension'),
    ],
    address: addressNames.flatMap((name) =>
      address?.[name]
        ? {
            label: text.address[name],
            value: name === 'country' ? countryText(address[name], locale) : address[name],
            seen: seen['address'],
          }
        : [],
    ),
    custom: (person.customFields ?? []).map((field) => ({
      label: field.name,
      value: customValue(field),
      seen: seen['customFields'],
    })),
  };

  function customValue({ textValue, numberValue, booleanValue, dateValue, selection }: CustomField): string {
    const values = [
      textValue,
      numberValue === undefined || numberValue === null ? undefined : format.number(numberValue),
      booleanValue === undefined || booleanValue === null ? undefined : booleanValue ? text.yes : text.no,
      dateValue && format.date(dateValue),
      selection?.join(', '),
    ];
    return values.filter(Boolean).join(' · ');
  }
}

/** The name of a country with its code; only the code if it is unknown. */
function countryText(code: string | null | undefined, locale: string): string | undefined {
  const name = code && countryName(code, locale);
  return name ? `${name} (${code})` : (code ?? undefined);
}
