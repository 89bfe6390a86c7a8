import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { countryName } from './check-fields.ts';
import { EditFlow } from './edit-flow.tsx';
import classes from './edit.module.css';
import { FieldInput, type FormProps } from './field-input.tsx';
import { messages } from './messages.ts';

export function EditAddressScreen(): ReactNode {
  return <EditFlow kind="address" Form={AddressForm} />;
}

function AddressForm(props: FormProps): ReactNode {
  const { form: text } = useMessages(messages);
  const { locale } = useLocale();
  const { input, setInput } = props;
  return (
    <div className={classes['form']}>
      <div>
        <SegmentedControl
          aria-label={text.kind}
          value={input.isBox ? 'box' : 'street'}
          onChange={(value) => setInput({ ...input, isBox: value === 'box' })}
          data={[
            { value: 'street', label: text.street },
            { value: 'box', label: text.box },
          ]}
        />
      </div>
      {input.isBox ? (
        <FieldInput {...props} name="postOfficeBox" width={3} />
      ) : (
        <>
          <FieldInput {...props} name="street" width={4} stacks />
          <FieldInput {...props} name="houseNumber" width={2} stacks />
        </>
      )}
      <FieldInput {...props} name="additionalAddressInfo" />
      <FieldInput {...props} name="zipCode" width={2} stacks />
      <FieldInput {...props} name="city" width={4} stacks />
      <FieldInput {...props} name="country" width={3} hint={countryName(input.fields['country'] ?? '', locale)} />
      <FieldInput {...props} name="stateCode" width={3} hint={text.stateHint} />
    </div>
  );
}
