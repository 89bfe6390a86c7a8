import { matches, searchableText, searchWords } from '@hr/client/search';
import { Autocomplete, Fieldset, Text } from '@mantine/core';
import type { DecimalSign } from '@hr/text/decimal';
import type { PaymentCells, PaymentField } from '@hr/text/read-payment';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { DraftState, useDraft } from '../components/draft.tsx';
import { Field, FieldGrid, Form, type FieldProps } from '../components/form.tsx';
import { Failure } from '../components/page.tsx';
import { bff, type BffError } from '../shell/bff.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { Check } from './check-payments.ts';
import type { FoundContract } from '../backend/contract-persons.ts';
import { messages } from './messages.ts';
import type { FieldsProps } from './payment-grid.tsx';
import { DecimalQuestion, faultText } from './payment-parts.tsx';
import { valueNames } from './payment-table.tsx';

const MAX_OPTIONS = 50;

/** A form for one payment. The backend checks it, as it checks a table. */
export function PaymentForm({ name: draftName, review }: FieldsProps): ReactNode {
  const text = useMessages(messages);
  const draft = useDraft<PaymentCells>(draftName);
  const { content: cells = {} } = draft;
  const check = useMutation<Check, BffError, DecimalSign | undefined>({
    mutationFn: (decimalSign) => bff.post('payments/check', { rows: [cells], decimalSign, compare: true }),
    onSuccess: (checked) => {
      if (checked.rows[0]?.row) review(checked);
    },
  });
  const faults = check.data?.rows[0]?.faults ?? [];
  const isValueMissing = faults.some(({ field, code }) => field === undefined && code === 'rule');
  const fieldOf = (name: PaymentField): FieldProps => {
    const fault = faults.find(({ field }) => field === name);
    return {
      name,
      label: text.cells[name],
      value: cells[name] ?? '',
      set: (value) => {
        const next = { ...cells, [name]: value };
        draft.change(next, Object.values(next).some(Boolean));
      },
      fault: faultText(text, fault?.code),
      input: { required: name === 'billingPeriod' || name === 'compensationComponentId' || name === 'contractId' },
      width: 2,
    };
  };

  return (
    <Form
      checked={check.data}
      submit={() => check.mutate(undefined)}
      submitLabel={text.review}
      isBusy={check.isPending}
      status={<DraftState name={draftName} />}
      notes={
        <>
          {check.data?.question && <DecimalQuestion question={check.data.question} answer={check.mutate} />}
          {check.error && <Failure error={check.error} />}
        </>
      }
    >
      <ContractField {...fieldOf('contractId')} />
      {(['billingPeriod', 'correctionPeriod'] as const).map((name) => (
        <Field key={name} {...fieldOf(name)} {...(name === 'correctionPeriod' && { hint: text.defaultPeriod })}>
          {(input) => <DateInput kind="month" {...input} size="sm" w="auto" onChange={fieldOf(name).set} />}
        </Field>
      ))}
      <ComponentField {...fieldOf('compensationComponentId')} />
      <Fieldset legend={text.values} mx={0}>
        <Text c="dimmed" mb="sm">
          {text.formHint}
        </Text>
        <FieldGrid>
          {valueNames.map((name) => (
            <Field key={name} {...fieldOf(name)} input={{ inputMode: 'decimal' }} />
          ))}
        </FieldGrid>
        {isValueMissing && (
          <Text c="error" role="alert" mt="sm">
            {text.faults['rule']}
          </Text>
        )}
      </Fieldset>
    </Form>
  );
}

/** Takes the id of a contract, and finds it by the name of its person. */
function ContractField(field: FieldProps): ReactNode {
  const text = useMessages(messages);
  const name = field.value.trim();
  const { data: found = [] } = useQuery({
    queryKey: ['payment-contracts', name],
    queryFn: () => bff.get<FoundContract[]>('payments/contracts', { name }),
    enabled: name !== '',
    placeholderData: (before: FoundContract[] | undefined) => before,
  });
  const people = new Map(found.map(({ contractId, person }) => [contractId, person.name]));
  return (
    <Field {...field} hint={people.get(field.value) ?? text.contractHint} width={undefined}>
      {(input) => (
        <Autocomplete
          {...input}
          onChange={field.set}
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
      )}
    </Field>
  );
}

/** Takes the key of a compensation component, and finds it by its name. */
function ComponentField(field: FieldProps): ReactNode {
  const { keysOf, nameOf } = useLabels();
  const words = searchWords(field.value);
  const found = keysOf('compensationComponent').filter((key) =>
    matches(searchableText(`${key} ${nameOf('compensationComponent', key)}`), words),
  );
  return (
    <Field {...field} hint={nameOf('compensationComponent', field.value.trim(), '')}>
      {(input) => (
        <Autocomplete
          {...input}
          onChange={field.set}
          data={found.slice(0, MAX_OPTIONS)}
          filter={({ options }) => options}
          renderOption={({ option }) => <LabelText kind="compensationComponent" id={option.value} />}
        />
      )}
    </Field>
  );
}
