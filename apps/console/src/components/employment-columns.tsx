import type { Employment } from '@hr/client';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { personTexts } from './person-texts.ts';
import type { TableColumn } from './scroll-table.tsx';

/** What the service states of an employment. What it does not state is undefined. */
export function useEmploymentColumns(): readonly (TableColumn<Employment> & { readonly header: string })[] {
  const { employments: names, hours, paymentTimes, yes, no } = useMessages(personTexts);
  const format = useFormat();
  const date = (name: 'start' | 'end' | 'fixedTermEndDate') => ({
    header: names[name],
    render: ({ [name]: value }: Employment) => (value ? format.date(value) : undefined),
  });
  const answer = (name: 'fullTime' | 'permanent') => ({
    header: names[name],
    render: ({ [name]: value }: Employment) => (typeof value === 'boolean' ? (value ? yes : no) : undefined),
  });
  return [
    date('start'),
    date('end'),
    date('fixedTermEndDate'),
    answer('fullTime'),
    answer('permanent'),
    {
      header: hours,
      render: ({ workingHours }) =>
        workingHours &&
        [workingHours.daily, workingHours.weekly, workingHours.monthly]
          .map((value) => format.number(value ?? undefined))
          .join(' / '),
    },
    {
      header: names.personGroupCode,
      render: ({ personGroupCode: code }) => code && <LabelText kind="personGroup" id={code} />,
    },
    {
      header: names.paymentTime,
      render: ({ paymentTime: time }) => time && (paymentTimes[time as keyof typeof paymentTimes] ?? time),
    },
  ];
}
