import { Skeleton, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { Page, ScreenState } from '../components/page.tsx';
import { SectionTabs } from '../components/section-tabs.tsx';
import { CallList } from './call-list.tsx';
import type { DescribedOperation } from './described-operations.ts';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import { OperationView } from './operation-view.tsx';

const tags = ['Persons', 'Payroll', 'Time', 'Changes'] as const;

interface Search {
  readonly view?: string;
  readonly operation?: string;
}

/** The operations of the API, and the last calls of the console. `/api?operation=listAbsences&personId=1` is a call. */
export function ExplorerScreen(): ReactNode {
  const text = useMessages(messages);
  const title = useMessages(shared).api;
  const navigate = useNavigate();
  const { view }: Search = useSearch({ strict: false });
  return (
    <Page title={title} description={text.description}>
      <SectionTabs
        label={title}
        titles={text.tabs}
        chosen={view === 'calls' ? 'calls' : 'operations'}
        choose={(name) => void navigate({ to: '/api', search: name === 'calls' ? { view: name } : {} })}
      >
        {view === 'calls' ? <CallList /> : <Operations />}
      </SectionTabs>
    </Page>
  );
}

function Operations(): ReactNode {
  const text = useMessages(messages);
  const query = useScreen<readonly DescribedOperation[]>('explorer', {}, { kinds: [] });
  const search: Search = useSearch({ strict: false });
  const operations = query.data ?? [];
  const current = operations.find(({ id }) => id === search.operation) ?? operations[0];
  const outline = (
    <div className={classes['columns']}>
      <Skeleton h={320} />
      <Skeleton h={480} />
    </div>
  );
  return (
    <ScreenState query={query} skeleton={outline}>
      {() => (
        <div className={classes['columns']}>
          <nav aria-label={text.tabs.operations} className={classes['operations']}>
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
      )}
    </ScreenState>
  );
}
