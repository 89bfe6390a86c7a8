import { Skeleton, Stack, Tabs, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { Page, ScreenState } from '../components/page.tsx';
import { CallList } from './call-list.tsx';
import type { DescribedOperation } from './described-operations.ts';
import type { ExplorerScreen as Data } from './explorer-routes.ts';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import { OperationView } from './operation-view.tsx';

const tags = ['Persons', 'Payroll', 'Time', 'Changes'] as const;
const SKELETON_ROWS = 7;

interface Search {
  readonly view?: string;
  readonly operation?: string;
}

/** The operations of the API, and the last calls of the console. `/api?operation=listAbsences&personId=1` is a call. */
export function ExplorerScreen(): ReactNode {
  const text = useMessages(messages);
  const title = useMessages(shared).api;
  const query = useScreen<Data>('explorer', {}, { kinds: [] });
  const navigate = useNavigate();
  const { view }: Search = useSearch({ strict: false });
  return (
    <Page title={title} description={text.description}>
      <ScreenState query={query} skeleton={<Outline />}>
        {({ operations, calls }) => (
          <Tabs
            value={view === 'calls' ? 'calls' : 'operations'}
            onChange={(value) => void navigate({ to: '/api', search: value === 'calls' ? { view: 'calls' } : {} })}
            keepMounted={false}
          >
            <Tabs.List mb="md" aria-label={title}>
              <Tabs.Tab value="operations">{text.operations}</Tabs.Tab>
              <Tabs.Tab value="calls">{text.calls}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="operations">
              <Operations operations={operations} />
            </Tabs.Panel>
            <Tabs.Panel value="calls">
              <CallList calls={calls} />
            </Tabs.Panel>
          </Tabs>
        )}
      </ScreenState>
    </Page>
  );
}

function Operations({ operations }: { readonly operations: readonly DescribedOperation[] }): ReactNode {
  const text = useMessages(messages);
  const search: Search = useSearch({ strict: false });
  const current = operations.find(({ id }) => id === search.operation) ?? operations[0];
  return (
    <div className={classes['columns']}>
      <nav aria-label={text.operations} className={classes['operations']}>
        {tags.map((tag) => (
          <div key={tag}>
            <Title order={2} size="h3" c="dimmed">
              {text.tags[tag]}
            </Title>
            <ul>
              {operations
                .filter((operation) => operation.tag === tag)
                .map(({ id, method }) => (
                  <li key={id}>
                    <Link
                      to="/api"
                      search={{ operation: id }}
                      resetScroll={false}
                      className={classes['operation']}
                      activeProps={{ 'aria-current': undefined }}
                      aria-current={id === current?.id ? 'page' : undefined}
                    >
                      <span className={classes['method']}>{method}</span>
                      {id}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      {current && <OperationView key={current.id} operation={current} />}
    </div>
  );
}

function Outline(): ReactNode {
  return (
    <div className={classes['columns']}>
      <Stack gap={8}>
        {Array.from({ length: SKELETON_ROWS }, (_, row) => (
          <Skeleton key={row} h={30} />
        ))}
      </Stack>
      <Stack>
        <Skeleton h={60} maw={420} />
        <Skeleton h={140} />
        <Skeleton h={240} />
      </Stack>
    </div>
  );
}
