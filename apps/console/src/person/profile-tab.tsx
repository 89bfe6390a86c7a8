import type { CustomField } from '@hr/client';
import { Group, Stack, Switch, Text, Title, Tooltip } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Facts, type Fact } from '../components/facts.tsx';
import { ButtonLink } from '../components/link.tsx';
import { useCurrentAt } from '../components/page.tsx';
import { StatusLabel } from '../components/status-label.tsx';
import { usePendingAddress } from '../edit/edit-draft.ts';
import { RevealBankDetails } from '../edit/reveal-bank-details.tsx';
import { countryName } from '../model/countries.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { messages } from './messages.ts';
import { EmailLink, ManagerLink } from './person-essentials.tsx';
import type { PersonScreen } from './person-routes.ts';
import classes from './person.module.css';

/** All fields of a person, in groups. */
export function ProfileTab(data: PersonScreen): ReactNode {
  const text = useMessages(messages);
  const [showsOrigin, setShowsOrigin] = useState(false);
  const { address, custom, ...groups } = useFacts(data, showsOrigin);
  const { withheld: withheldTexts } = useMessages(shared);
  const { bankDetails, seen, mayEdit, withheld } = data;
  const edit = { params: { personId: data.person.id }, variant: 'default', size: 'compact-sm', children: text.edit };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text c="dimmed">{useCurrentAt()}</Text>
        <Switch
          size="xs"
          label={text.showOrigin}
          checked={showsOrigin}
          onChange={(event) => setShowsOrigin(event.currentTarget.checked)}
        />
      </Group>
      <div className={classes['sections']}>
        {(['identity', 'work', 'period'] as const).map((name) => (
          <Section key={name} title={text.sections[name]}>
            <Facts facts={groups[name]} />
            {name === 'identity' && withheld.includes('birth') && (
              <Text c="dimmed" mt="sm">
                {withheldTexts.birth}
              </Text>
            )}
          </Section>
        ))}
        <Section
          title={text.fields.address}
          action={
            mayEdit.address && <ButtonLink {...edit} to="/people/$personId/address" aria-label={text.editAddress} />
          }
        >
          {address.length > 0 ? <Facts facts={address} /> : text.noAddress}
        </Section>
        <Section
          title={text.fields.bankDetails}
          action={
            mayEdit.bankDetails && (
              <ButtonLink {...edit} to="/people/$personId/bank-details" aria-label={text.editBankDetails} />
            )
          }
        >
          {bankDetails ? (
            <Origin seen={seen['bankDetails']} isShown={showsOrigin}>
              <RevealBankDetails personId={data.person.id} masked={bankDetails} mayReveal={mayEdit.bankDetails} />
            </Origin>
          ) : (
            (data.hasBankDetails && `${text.hasBankDetails} ${withheldTexts.pay}`) || text.noBankDetails
          )}
        </Section>
        <Section title={text.fields.customFields}>
          {custom.length > 0 ? <Facts facts={custom} /> : text.noCustomFields}
        </Section>
      </div>
    </Stack>
  );
}

interface SectionProps {
  readonly title: string;
  readonly action?: ReactNode;
  /** A text says why there is nothing. */
  readonly children: ReactNode;
}

function Section({ title, action, children }: SectionProps): ReactNode {
  return (
    <section className={`panel ${classes['section']}`}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {action}
      </Group>
      {typeof children === 'string' ? <Text c="dimmed">{children}</Text> : children}
    </section>
  );
}

interface OriginProps {
  readonly seen: PersonScreen['seen'][string] | undefined;
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

function useFacts({ person, manager, seen, withheld }: PersonScreen, showsOrigin: boolean) {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { nameOf } = useLabels();
  type Field = keyof typeof text.fields & keyof typeof person;
  const withOrigin = (label: string, field: string, value: ReactNode): Fact => [
    label,
    <Origin key={label} seen={seen[field]} isShown={showsOrigin}>
      {value || DASH}
    </Origin>,
  ];
  const fact = (field: Field, value: ReactNode): Fact => withOrigin(text.fields[field], field, value);
  const texts = (...fields: Field[]): Fact[] => fields.map((field) => fact(field, person[field] as string | undefined));
  const dates = (...fields: Field[]): Fact[] =>
    fields.map((field) => fact(field, format.date(person[field] as string | undefined)));
  // Most people have none of these.
  const optional = (...fields: Field[]): Fact[] => texts(...fields.filter((field) => person[field]));
  const { gender, citizenship, businessEmail, legalEntity, exitReasonId } = person;
  // An address that is being saved shows at once.
  const address: typeof person.address = usePendingAddress(person.id) ?? person.address;
  const addressNames = Object.keys(text.address) as (keyof typeof text.address)[];
  return {
    identity: [
      ...optional('academicTitle'),
      ...texts('firstName'),
      ...optional('middleName', 'titleOfNobility', 'prefixToLastName'),
      ...texts('lastName'),
      ...optional('suffixToLastName', 'birthName'),
      ...(withheld.includes('birth')
        ? []
        : [
            ...dates('dateOfBirth'),
            fact('gender', gender && (text.genders[gender as keyof typeof text.genders] ?? gender)),
            fact('citizenship', countryText(citizenship, locale)),
          ]),
      ...texts('id'),
    ],
    work: [
      ...texts('employeeNumber', 'jobTitle'),
      fact('legalEntity', legalEntity && <LabelText kind="legalEntity" id={legalEntity.id} />),
      fact('groups', person.groups?.map(({ id }) => nameOf('group', id)).join(', ')),
      fact('managerId', manager && <ManagerLink {...manager} />),
      ...texts('usualPlaceOfWork'),
      fact('businessEmail', businessEmail && <EmailLink email={businessEmail} />),
      ...texts('keyNumber'),
    ],
    period: [
      fact('status', person.status && <StatusLabel status={person.status} />),
      ...dates('groupEntryDate', 'groupExitDate', ...(person.exitNoticeDate ? (['exitNoticeDate'] as const) : [])),
      ...(exitReasonId ? [fact('exitReasonId', <LabelText kind="exitReason" id={exitReasonId} />)] : []),
      ...(withheld.includes('birth') ? [] : dates('expectedStartOfPension')),
    ],
    address: addressNames.flatMap((name) => {
      const value = name === 'country' ? countryText(address?.country, locale) : address?.[name];
      return value ? [withOrigin(text.address[name], 'address', value)] : [];
    }),
    custom: (person.customFields ?? []).map((field) => withOrigin(field.name, 'customFields', customValue(field))),
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
