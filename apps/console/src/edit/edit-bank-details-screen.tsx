import { Button, Group, Input, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { withoutSpaces } from './comparison.ts';
import { EditFlow } from './edit-flow.tsx';
import classes from './edit.module.css';
import { FieldInput, type FormProps } from './field-input.tsx';
import { messages } from './messages.ts';

export function EditBankDetailsScreen(): ReactNode {
  return <EditFlow kind="bankDetails" Form={BankDetailsForm} />;
}

function BankDetailsForm(props: FormProps): ReactNode {
  const { form: text } = useMessages(messages);
  const { screen, input, setInput, hadSpaces } = props;
  // The button has the focus, and goes; so the field takes it.
  const [takesFocus, setTakesFocus] = useState(false);
  const storedIban = screen.stored.fields['iban'];
  const keep = (keepsIban: boolean): void => {
    setInput({ ...input, keepsIban });
    setTakesFocus(true);
  };
  return (
    <div className={classes['form']}>
      {input.keepsIban ? (
        <div>
          <Input.Label component="div">{text.storedIban}</Input.Label>
          <Group gap="sm">
            <Text>{storedIban}</Text>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed */}
            <Button variant="default" size="xs" autoFocus={takesFocus} onClick={() => keep(false)}>
              {text.changeIban}
            </Button>
          </Group>
        </div>
      ) : (
        <div>
          <FieldInput
            {...props}
            name="iban"
            takesFocus={takesFocus}
            hint={hadSpaces ? text.spacesRemoved : undefined}
            onBlur={() => {
              const next = withoutSpaces(input);
              if (next !== input) setInput(next, true);
            }}
          />
          {storedIban !== undefined && (
            <Button variant="default" size="xs" mt={8} onClick={() => keep(true)}>
              {text.keepIban}
            </Button>
          )}
        </div>
      )}
      <FieldInput {...props} name="bic" width={3} />
      <FieldInput {...props} name="payee" />
    </div>
  );
}
