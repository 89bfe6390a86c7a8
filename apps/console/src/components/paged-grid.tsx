import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { BffError } from '../shell/bff.ts';
import { Grid } from './grid.tsx';
import { Failure } from './page.tsx';

interface PagedGridProps<Page, Row> extends Omit<ComponentProps<typeof Grid<Row, string>>, 'rows' | 'onEnd'> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>, BffError>;
  readonly rowsOf: (page: Page) => readonly Row[];
}

/** A grid that reads the next page when the end of its rows is near. */
export function PagedGrid<Page, Row>({ query, rowsOf, count = 0, ...grid }: PagedGridProps<Page, Row>): ReactNode {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  const rows = data?.pages.flatMap(rowsOf) ?? [];
  const readMore = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  return (
    <>
      <Grid
        {...grid}
        rows={rows}
        // The number was read with the first page, and may be another one by now.
        count={hasNextPage ? Math.max(count, rows.length + 1) : rows.length}
        onEnd={readMore}
      />
      {isFetchNextPageError && <Failure error={error} retry={readMore} />}
    </>
  );
}
