import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { useRole } from '../shell/session.ts';
import { Card, Nothing, PartOf } from './card.tsx';
import { messages } from './messages.ts';
import type { TodayScreen } from './today-routes.ts';
import classes from './today.module.css';

/** Payments that wait for their approval. */
export function PaymentsCard({ payments }: { readonly payments: TodayScreen['payments'] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const isApprover = useRole('approver');
  const isWaiting = 'value' in payments && payments.value.count > 0;
  return (
    <Card
      title={text.payments}
      footer={
        isWaiting && isApprover ? (
          <Button size="xs" renderRoot={(props) => <Link to="/payments" {...props} />}>
            {text.decide}
          </Button>
        ) : (
          <Link to="/payments">{text.showPayments}</Link>
        )
      }
    >
      <PartOf part={payments}>
        {({ count, oldest }) =>
          count === 0 ? (
            <Nothing icon={<IconCircleCheck size={22} />} title={text.paymentsNone} />
          ) : (
            <div className={classes['figure']}>
              <strong>{format.number(count)}</strong> <span>{text.paymentsWaiting(count)}</span>
              <small>{text.paymentsSince(format.instant(oldest))}</small>
            </div>
          )
        }
      </PartOf>
    </Card>
  );
}
