import { compareCodePoints } from '../compare-code-points.ts';
import type { Dated } from '../store.ts';
import type { Handler } from './handler.ts';

export const listTimeBookings: Handler<'listTimeBookings'> = ({
  store,
  query: { from = '', to, changedSince = '' },
}) => {
  const accounts = [...store.persons].flatMap(([personId, { timeDays }]) => {
    const days = [...timeDays.values()]
      .filter(({ content: { date }, changedOn }) => {
        return date >= from && date <= (to ?? date) && changedOn >= changedSince;
      })
      .map(contentOf)
      .toSorted((one, other) => compareCodePoints(one.date, other.date));
    return days.length > 0 ? [{ personId, days }] : [];
  });
  return accounts.toSorted((one, other) => compareCodePoints(one.personId, other.personId));
};

function contentOf<Content>({ content }: Dated<Content>): Content {
  return content;
}
