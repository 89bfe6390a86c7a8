import { matches, searchableText, searchWords } from '@hr/client/search';
import { Autocomplete, Button, Fieldset, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { Failure } from '../components/page.tsx';
import type { Check } from './check-payments.ts';
import type { FoundContract } from './contract-persons.ts';
import { DecimalQuestion } from './decimal-question.tsx';
import { useKeptInput } from './kept-input.ts';
import { messages } from './messages.ts';
import { submitMessages } from './submit-messages.ts';
import type { CellName, Cells, DecimalSign } from './payment-cells.ts';
import { valueNames } from './payment-columns.tsx';

const MAX_OPTIONS = 50;

interface PaymentFormProps {
  readonly review: (check: Check) => void;
}

/** A form for one payment. The backend checks it, as it checks a table. */
export function PaymentForm({ review }: PaymentFormProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells: names, values } = useMessages(messages);
  const [cells, setCells] = useKeptInput<Cells>('form', {});
  const check = useMutation<Check, BffError, DecimalSign | undefined>({
    mutationFn: (decimalSign) => bff.post('payments/check', { rows: [cells], decimalSign, compare: true }),
    onSuccess: (checked) => {
      if (checked.rows[0]?.row) review(checked);
    },
  });
  const { keysOf, nameOf } = useLabels();
  const { compensationComponentId: component = '' } = cells;
  const words = searchWords(component);
  const components = keysOf('compensationComponent').filter((key) =>
    matches(searchableText([key, nameOf('compensationComponent', key)]), words),
  );
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (check.data) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [check.data]);
  const faults = check.data?.rows[0]?.faults ?? [];
  const faultOf = (name: CellName): string | undefined => {
    const fault = faults.find(({ cell }) => cell === name);
    return fault && (text.faults[fault.code] ?? text.otherFault);
  };
  const set = (name: CellName, value: string): void => setCells((before) => ({ ...before, [name]: value }));
  const isValueMissing = faults.some(({ cell, code }) => cell === undefined && code === 'rule');

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate(undefined);
      }}
    >
      <Stack gap="lg" maw={720}>
        <ContractInput
          value={cells.contractId ?? ''}
          set={(value) => set('contractId', value)}
          error={faultOf('contractId')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
          {(['billingPeriod', 'correctionPeriod'] as const).map((name) => (
            <TextInput
              key={name}
              type="month"
              label={names[name]}
              required={name === 'billingPeriod'}
              {...(name === 'correctionPeriod' && { description: text.defaultPeriod })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={cells[name] ?? ''}
              error={faultOf(name)}
              onChange={({ currentTarget }) => set(name, currentTarget.value)}
            />
          ))}
          <Autocomplete
            label={names.compensationComponentId}
            description={nameOf('compensationComponent', component.trim(), '')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            value={component}
            error={faultOf('compensationComponentId')}
            onChange={(value) => set('compensationComponentId', value)}
            data={components.slice(0, MAX_OPTIONS)}
            filter={({ options }) => options}
            renderOption={({ option }) => <LabelText kind="compensationComponent" id={option.value} />}
          />
        </SimpleGrid>
        <Fieldset legend={values} mx={0}>
          <Text c="dimmed" mb="sm">
            {text.formHint}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }}>
            {valueNames.map((name) => (
              <TextInput
                key={name}
                inputMode="decimal"
                label={names[name]}
                value={cells[name] ?? ''}
                error={faultOf(name)}
                onChange={({ currentTarget }) => set(name, currentTarget.value)}
              />
            ))}
          </SimpleGrid>
          {isValueMissing && (
            <Text c="error" role="alert" mt="sm">
              {text.faults['rule']}
            </Text>
          )}
        </Fieldset>
        {check.data?.question && <DecimalQuestion question={check.data.question} answer={check.mutate} />}
        {check.error && <Failure error={check.error} />}
        <div>
          <Button type="submit" loading={check.isPending}>
            {text.review}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface ContractInputProps {
  readonly value: string;
  readonly set: (value: string) => void;
  readonly error: string | undefined;
}

/** Takes the id of a contract, and finds it by the name of its person. */
function ContractInput({ value, set, error }: ContractInputProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells } = useMessages(messages);
  const name = value.trim();
  const { data: found = [] } = useQuery({
    queryKey: ['payment-contracts', name],
    queryFn: () => bff.get<FoundContract[]>('payments/contracts', { name }),
    enabled: name !== '',
    placeholderData: (before: FoundContract[] | undefined) => before,
  });
  const people = new Map(found.map(({ contractId, person }) => [contractId, person.name]));
  return (
    <Autocomplete
      label={cells.contractId}
      description={people.get(value) ?? text.contractHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      value={value}
      onChange={set}
      error={error}
      data={found.map(({ contractId }) => contractId)}
      // The backend has filtered them by name.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          <Text>{people.get(option.value)}</Text>
          <Text c="dimmed" fz="xs">
            {option.value}
          </Text>
        </div>
      )}
    />
  );
}
