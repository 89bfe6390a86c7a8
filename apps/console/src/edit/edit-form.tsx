import { Button, Group, Input, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Field, Form } from '../components/form.tsx';
import { personTexts } from '../components/person-texts.ts';
import { countries, countryName } from '../model/countries.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { faultsOf, rejectedFields, warningsOf } from './check-fields.ts';
import { cleaned, formFields, isChanged } from './comparison.ts';
import { fieldLabel, messages } from './messages.ts';
import type { EditKind, EditScreen } from './stored-value.ts';
import type { EditDraft } from './use-save.tsx';

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
};

/** The fields of an address or of bank details. */
export function EditForm({ kind, limits, draft, change }: EditFormProps): ReactNode {
  const text = useMessages(messages);
  const labels = useMessages(personTexts);
  const byName: Readonly<Record<'faults' | 'formats' | 'hints', Readonly<Record<string, string>>>> = text;
  const { locale } = useLocale();
  // How often it was checked. From then on, faults show while the person types.
  const [checked, setChecked] = useState(0);
  const [isUnchanged, setUnchanged] = useState(false);
  // The button has the focus, and goes; so what replaces it takes the focus.
  const [takesFocus, setTakesFocus] = useState(false);
  const { start, input, problem } = draft;
  const faults = { ...rejectedFields(kind, input, problem).faults, ...(checked > 0 && faultsOf(kind, input, limits)) };
  const warnings = warningsOf(kind, start, input);
  const set = (changes: Partial<typeof input>): void => {
    setUnchanged(false);
    change({ input: { ...input, ...changes }, problem: undefined });
  };
  const keepIban = (keepsIban: boolean): void => {
    set({ keepsIban });
    setTakesFocus(true);
  };
  const review = (): void => {
    const isFaulty = Object.keys(faultsOf(kind, input, limits)).length > 0;
    const isSame = !isChanged(kind, start, input);
    setChecked(checked + 1);
    setUnchanged(!isFaulty && isSame);
    if (!isFaulty && !isSame) change({ step: 'review', problem: undefined });
  };

  return (
    <Form
      checked={checked || undefined}
      submit={review}
      submitLabel={text.form.review}
      status={<Text component="output">{isUnchanged && text.form.unchanged}</Text>}
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
        if (name === 'iban' && input.keepsIban) {
          return (
            <div key={name}>
              <Input.Label component="div">{text.form.storedIban}</Input.Label>
              <Group gap="sm">
                <Text>{start.fields['iban']}</Text>
                {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed */}
                <Button variant="default" size="xs" autoFocus={takesFocus} onClick={() => keepIban(false)}>
                  {text.form.changeIban}
                </Button>
              </Group>
            </div>
          );
        }
        const field = (
          <Field
            key={name}
            name={name}
            label={fieldLabel(labels, name)}
            value={value}
            set={(next) => set({ fields: { ...input.fields, [name]: next } })}
            fault={
              fault &&
              ((fault === 'wrong-format' && byName.formats[name]) || byName.faults[fault] || text.rejectedField)
            }
            warning={warning && text.warnings[warning]}
            hint={byName.hints[name]}
            maxLength={name === 'country' ? undefined : limits[name]?.maxLength}
            width={name === 'postOfficeBox' ? 3 : widths[name]}
            clean={(typed) => cleaned(name, typed)}
            input={{ autoFocus: name === 'iban' && takesFocus }}
          >
            {name === 'country'
              ? (props) => (
                  <NativeSelect
                    {...props}
                    data={['', ...(value === '' || countryName(value, locale) ? [] : [value]), ...countries(locale)]}
                    onChange={({ currentTarget }) => set({ fields: { ...input.fields, country: currentTarget.value } })}
                  />
                )
              : undefined}
          </Field>
        );
        if (name !== 'iban' || start.fields['iban'] === undefined) return field;
        return (
          <div key={name}>
            {field}
            <Button variant="default" size="xs" mt={8} onClick={() => keepIban(true)}>
              {text.form.keepIban}
            </Button>
          </div>
        );
      })}
    </Form>
  );
}
