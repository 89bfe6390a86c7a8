import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import { messages } from './messages.ts';
import type { PersonScreen } from './person-routes.ts';
import { ScrollTable } from '../components/scroll-table.tsx';

/** The payroll contracts of a person, and those that payroll does not know. */
export function ContractsTab({ person }: { readonly person: PersonScreen['person'] }): ReactNode {
  const { contracts: text, yes, no } = useMessages(messages);
  const format = useFormat();
  const employments = person.employments ?? [];
  const known = new Set(employments.map(({ payrollContractId }) => payrollContractId));
  // oxlint-disable-next-line typescript/no-deprecated -- only it has the ids that payroll does not know
  const unknown = (person.payrollContractIds ?? []).filter((id) => !known.has(id));
  const answer = (value: boolean | null | undefined): string =>
    typeof value === 'boolean' ? (value ? yes : no) : DASH;
  return (
    <Stack gap="md">
      {employments.length === 0 ? (
        <Empty icon={<IconFileOff size={32} />} title={text.empty}>
          {text.emptyHelp}
        </Empty>
      ) : (
        <ScrollTable
          caption={text.caption}
          minWidth={860}
          rows={employments}
          keyOf={({ payrollContractId }) => payrollContractId}
          columns={[
            {
              header: text.contract,
              render: ({ payrollContractId: contractId }) => (
                <Anchor
                  inherit
                  renderRoot={(props) => <Link {...props} to="/contracts/$contractId" params={{ contractId }} />}
                >
                  {contractId}
                </Anchor>
              ),
            },
            { header: text.start, render: ({ start }) => format.date(start) },
            { header: text.end, render: ({ end }) => format.date(end) },
            { header: text.fixedTermEnd, render: ({ fixedTermEndDate }) => format.date(fixedTermEndDate) },
            { header: text.extent, render: ({ fullTime }) => answer(fullTime) },
            { header: text.permanent, render: ({ permanent }) => answer(permanent) },
            {
              header: text.hours,
              render: ({ workingHours: hours }) =>
                [hours?.daily, hours?.weekly, hours?.monthly]
                  .map((value) => format.number(value ?? undefined))
                  .join(' / '),
            },
            {
              header: text.group,
              render: ({ personGroupCode: code }) => (code ? <LabelText kind="personGroup" id={code} /> : DASH),
            },
            {
              header: text.paymentTime,
              render: ({ paymentTime: time }) =>
                time ? (text.paymentTimes[time as keyof typeof text.paymentTimes] ?? time) : DASH,
            },
          ]}
        />
      )}
      {unknown.length > 0 && (
        <Alert variant="outline" color="gray" title={`${text.unknown}: ${unknown.join(', ')}`}>
          <Text>{text.unknownHelp}</Text>
        </Alert>
      )}
    </Stack>
  );
}
