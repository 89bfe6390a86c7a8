import { Button, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Field, Form } from '../components/form.tsx';
import { personTexts } from '../components/person-texts.ts';
import { countries, countryName } from '../model/countries.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { faultsOf, rejectedFields, warningsOf } from './check-fields.ts';
import { cleaned, formFields, isChanged, isMasked } from './comparison.ts';
import { fieldLabel, messages } from './messages.ts';
import type { EditKind, EditScreen } from './stored-value.ts';
import type { EditDraft } from './edit-draft.ts';

interface EditFormProps {
  readonly kind: EditKind;
  readonly limits: EditScreen['limits'];
  readonly draft: EditDraft;
  readonly change: (changes: Partial<EditDraft>) => void;
}

const widths: Readonly<Record<string, 2 | 3 | 4>> = {
  street: 4,
  houseNumber: 2,
  zipCode: 2,
  city: 4,
  country: 3,
  stateCode: 3,
  bic: 3,
  postOfficeBox: 3,
};

/** The fields of an address or of bank details. */
export function EditForm({ kind, limits, draft, change }: EditFormProps): ReactNode {
  const text = useMessages(messages);
  const labels = useMessages(personTexts);
  const byName: Readonly<Record<'faults' | 'formats' | 'hints', Readonly<Record<string, string>>>> = text;
  const { locale } = useLocale();
  // How often it was checked. From then on, faults show while the person types.
  const [checked, setChecked] = useState(0);
  const { start, input } = draft;
  const own = faultsOf(kind, input, limits);
  const isFaulty = Object.keys(own).length > 0;
  const isSame = !isChanged(kind, start, input);
  const faults = { ...rejectedFields(kind, draft).faults, ...(checked > 0 && own) };
  const warnings = warningsOf(kind, start, input);
  const set = (changes: Partial<typeof input>): void => change({ input: { ...input, ...changes }, problem: undefined });
  const setField = (name: string, value: string): void => set({ fields: { ...input.fields, [name]: value } });
  const review = (): void => {
    setChecked(checked + 1);
    if (!isFaulty && !isSame) change({ step: 'review', problem: undefined });
  };

  return (
    <Form
      checked={checked || undefined}
      submit={review}
      submitLabel={text.form.review}
      status={<Text component="output">{checked > 0 && !isFaulty && isSame && text.form.unchanged}</Text>}
    >
      {kind === 'address' && (
        <div>
          <SegmentedControl
            aria-label={text.form.kind}
            value={input.isBox ? 'box' : 'street'}
            onChange={(value) => set({ isBox: value === 'box' })}
            data={[
              { value: 'street', label: text.form.street },
              { value: 'box', label: text.form.box },
            ]}
          />
        </div>
      )}
      {formFields(kind, input).map((name) => {
        const value = input.fields[name] ?? '';
        const [fault, warning] = [faults[name], warnings[name]];
        const isKept = name === 'iban' && isMasked(value);
        const field = (
          <Field
            key={name}
            name={name}
            label={fieldLabel(labels, name)}
            value={value}
            set={(next) => setField(name, next)}
            fault={
              fault &&
              ((fault === 'wrong-format' && byName.formats[name]) || byName.faults[fault] || text.rejectedField)
            }
            warning={warning && text.warnings[warning]}
            hint={byName.hints[name]}
            maxLength={name === 'country' ? undefined : limits[name]?.maxLength}
            width={widths[name]}
            clean={(typed) => cleaned(name, typed)}
            input={{ readOnly: isKept, variant: isKept ? 'filled' : 'default' }}
          >
            {name === 'country'
              ? (props) => (
                  <NativeSelect
                    {...props}
                    data={['', ...(value === '' || countryName(value, locale) ? [] : [value]), ...countries(locale)]}
                    onChange={({ currentTarget }) => setField(name, currentTarget.value)}
                  />
                )
              : undefined}
          </Field>
        );
        const stored = start.fields['iban'];
        if (name !== 'iban' || stored === undefined) return field;
        return (
          <div key={name}>
            {field}
            <Button
              variant="default"
              size="xs"
              mt={8}
              onClick={({ currentTarget }) => {
                setField(name, isKept ? '' : stored);
                currentTarget.parentElement?.querySelector('input')?.focus();
              }}
            >
              {isKept ? text.form.changeIban : text.form.keepIban}
            </Button>
          </div>
        );
      })}
    </Form>
  );
}
