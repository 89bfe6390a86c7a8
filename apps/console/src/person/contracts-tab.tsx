import { Alert, Anchor, Stack, Table, Text } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
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
          columns={[
            text.contract,
            text.start,
            text.end,
            text.fixedTermEnd,
            text.extent,
            text.permanent,
            text.hours,
            text.group,
            text.paymentTime,
          ]}
        >
          {employments.map(({ payrollContractId: contractId, workingHours: hours, paymentTime, ...employment }) => (
            <Table.Tr key={contractId}>
              <Table.Th scope="row" fw={500}>
                <Anchor
                  inherit
                  renderRoot={(props) => <Link {...props} to="/contracts/$contractId" params={{ contractId }} />}
                >
                  {contractId}
                </Anchor>
              </Table.Th>
              <Table.Td>{format.date(employment.start)}</Table.Td>
              <Table.Td>{format.date(employment.end)}</Table.Td>
              <Table.Td>{format.date(employment.fixedTermEndDate)}</Table.Td>
              <Table.Td>{answer(employment.fullTime)}</Table.Td>
              <Table.Td>{answer(employment.permanent)}</Table.Td>
              <Table.Td>
                {[hours?.daily, hours?.weekly, hours?.monthly]
                  .map((value) => format.number(value ?? undefined))
                  .join(' / ')}
              </Table.Td>
              <Table.Td>{employment.personGroupCode ?? DASH}</Table.Td>
              <Table.Td>
                {paymentTime ? (text.paymentTimes[paymentTime as keyof typeof text.paymentTimes] ?? paymentTime) : DASH}
              </Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
      {unknown.length > 0 && (
        <Alert variant="outline" color="gray" title={`${text.unknown}: ${unknown.join(', ')}`}>
          <Text>{text.unknownHelp}</Text>
        </Alert>
      )}
    </Stack>
  );
}
