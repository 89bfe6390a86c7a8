import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconHelpHexagon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../web/format.ts';
import { useMessages } from '../web/locale.tsx';
import type { Check } from './check-payments.ts';
import { messages } from './messages.ts';
import type { DecimalSign } from './payment-cells.ts';

interface DecimalQuestionProps {
  readonly question: NonNullable<Check['question']>;
  readonly answer: (sign: DecimalSign) => void;
}

/** Asks what a number such as `1.234` means. */
export function DecimalQuestion({ question, answer }: DecimalQuestionProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Alert
      role="alert"
      variant="outline"
      color="orange"
      icon={<IconHelpHexagon aria-hidden />}
      title={text.question(question.text)}
    >
      <Stack gap="sm">
        <Text>{text.questionText}</Text>
        <Group gap="xs">
          {(['point', 'comma'] as const).map((sign) => (
            <Button key={sign} variant="default" onClick={() => answer(sign)}>
              {format.amount(question[sign])}
            </Button>
          ))}
        </Group>
      </Stack>
    </Alert>
  );
}
