import { Button, Group, Stack, Text } from '@mantine/core';
import type { DecimalSign } from '@hr/text/decimal';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { Check } from './check-payments.ts';
import { submitMessages } from './submit-messages.ts';
import { Notice } from './payment-parts.tsx';

interface DecimalQuestionProps {
  readonly question: NonNullable<Check['question']>;
  readonly answer: (sign: DecimalSign) => void;
}

/** Asks what a number such as `1.234` means. */
export function DecimalQuestion({ question, answer }: DecimalQuestionProps): ReactNode {
  const text = useMessages(submitMessages);
  const format = useFormat();
  return (
    <Notice role="alert" isQuestion title={text.question(question.text)}>
      <Stack gap="sm">
        <Text>{text.questionText}</Text>
        <Group gap="xs">
          {(['point', 'comma'] as const).map((sign) => (
            <Button
              key={sign}
              styles={{ label: { overflowWrap: 'anywhere' } }}
              variant="default"
              onClick={() => answer(sign)}
            >
              {format.number(question[sign])} ({text.decimalSigns[sign]})
            </Button>
          ))}
        </Group>
      </Stack>
    </Notice>
  );
}
