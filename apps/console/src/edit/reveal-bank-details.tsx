import { groupedIban } from '@hr/text/iban';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { Facts } from '../components/facts.tsx';
import { personTexts } from '../components/person-texts.ts';
import { DASH } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Failure } from '../components/page.tsx';
import type { RevealedBankDetails } from './edit-routes.ts';
import type { MaskedBankDetails } from '../model/masked-bank-details.ts';
import { messages } from './messages.ts';

const SHOWN_MS = 60_000;

interface RevealBankDetailsProps {
  readonly personId: string;
  readonly masked: MaskedBankDetails;
  /** Whether the person who looks can reveal the IBAN. */
  readonly mayReveal: boolean;
}

/** Shows masked bank details. Editors can reveal the IBAN for a minute, which the backend records. */
export function RevealBankDetails(props: RevealBankDetailsProps): ReactNode {
  const { personId, masked } = props;
  // What was revealed belongs to this person and to what is stored now.
  return <BankDetails key={JSON.stringify([personId, masked])} {...props} />;
}

function BankDetails({ personId, masked: { iban, bic, payee }, mayReveal }: RevealBankDetailsProps): ReactNode {
  const { reveal: text } = useMessages(messages);
  const labels = useMessages(personTexts).bankDetails;
  const reveal = useMutation<RevealedBankDetails, BffError>({
    mutationFn: () => bff.post(`people/${encodeURIComponent(personId)}/bank-details/reveal`),
    gcTime: 0,
  });
  const { data: revealed, reset: hide } = reveal;
  useEffect(() => {
    if (revealed === undefined) return undefined;
    const timer = setTimeout(hide, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [revealed, hide]);

  if (!iban && !bic && !payee) return <Text c="dimmed">{text.none}</Text>;
  const shown = revealed?.iban ? groupedIban(revealed.iban) : iban;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [
            labels.iban,
            <span key="iban" aria-live="polite">
              {shown || DASH}
            </span>,
          ],
          [labels.bic, bic || DASH],
          [labels.payee, payee],
        ]}
      />
      {mayReveal && iban && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            loading={reveal.isPending}
            leftSection={revealed ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
            onClick={() => (revealed ? hide() : reveal.mutate())}
          >
            {revealed ? text.hide : text.show}
          </Button>
          <Text c="dimmed" size="xs">
            {revealed ? text.hidesAgain : text.isRecorded}
          </Text>
        </Group>
      )}
      {reveal.error && <Failure error={reveal.error} isRead />}
    </Stack>
  );
}
