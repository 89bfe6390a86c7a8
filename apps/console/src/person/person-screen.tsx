import { Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ChangeKind } from '../backend/operator-client.ts';
import { useScreen } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { DraftList } from '../components/draft.tsx';
import { Page, ScreenState } from '../components/page.tsx';
import { PersonMissing } from '../components/person-missing.tsx';
import { useSearchOf } from '../shell/search.ts';
import { messages } from './messages.ts';
import { PersonEssentials } from './person-essentials.tsx';
import type { PersonScreen as Data } from './person-routes.ts';
import classes from './person.module.css';
import { tabs, type Tab } from '../model/addresses.ts';
import type { PersonSearch } from './person-search.ts';
import { AbsencesTab, ContractsTab, HistoryTab, TimeTab } from './person-tabs.tsx';
import { ProfileTab } from './profile-tab.tsx';

interface TabParts {
  readonly Content: (data: Data) => ReactNode;
  readonly kinds?: readonly ChangeKind[];
  /** The call of the API that has what it shows. It reads no single person. */
  readonly operation?: 'listTimeBookings' | 'listAbsences';
}

const partsOf: Readonly<Record<Tab, TabParts>> = {
  profile: { Content: ProfileTab, kinds: ['persons'] },
  contracts: { Content: ContractsTab, kinds: ['persons'] },
  time: { Content: TimeTab, kinds: ['persons', 'timeBookings'], operation: 'listTimeBookings' },
  absences: { Content: AbsencesTab, kinds: ['persons', 'absences'], operation: 'listAbsences' },
  history: { Content: HistoryTab },
};

/** Everything that the console knows of a person. Each tab is one request, which also has what the header shows. */
export function PersonScreen(): ReactNode {
  const text = useMessages(messages);
  const { personId } = useParams({ from: '/people/$personId' });
  const [{ tab = 'profile' }, show] = useSearchOf<PersonSearch>();
  const path = `people/${encodeURIComponent(personId)}`;
  // The profile has no parameter, because it shares its request with the side panel of the directory.
  const { Content, kinds, operation = 'listPersons' } = partsOf[tab];
  const hasOwnRequest = tab !== 'profile' && tab !== 'contracts';
  const query = useScreen<Data>(path, hasOwnRequest ? { tab } : {}, { kinds });
  // The header stays while another tab is loaded.
  const others = useQueryClient().getQueriesData<Data>({ queryKey: [path] });
  const header = query.data ?? others.find(([, data]) => data !== undefined)?.[1];

  if (query.error?.problem.code === 'not-found') {
    return (
      <Page title={text.loading}>
        <PersonMissing id={personId} />
      </Page>
    );
  }
  return (
    <Page
      title={header?.name ?? text.loading}
      isProvisional={!header && !query.error}
      request={{ operation, ...(tab === 'absences' && { path: { personId } }) }}
    >
      {header && <PersonEssentials data={header} isInline />}
      {!header && query.isPending && <Skeleton h={14} maw={420} />}
      <DraftList of={(name) => name === `address/${personId}` || name === `bankDetails/${personId}`} />
      <Tabs value={tab} onChange={(next) => show({ tab: next === 'profile' ? undefined : (next as Tab) })}>
        <Tabs.List aria-label={text.tabList}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name} px={{ base: 6, sm: 'md' }}>
              {text.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((name) => (
          <Tabs.Panel key={name} value={name} pt="md">
            {name === tab && (
              <ScreenState
                query={query}
                skeleton={<TabSkeleton sections={tab === 'profile' ? [6, 8, 4, 6, 2] : [8]} />}
              >
                {(data) => <Content {...data} />}
              </ScreenState>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

/** @param sections - How many lines each of them has. */
function TabSkeleton({ sections }: { readonly sections: readonly number[] }): ReactNode {
  return (
    <div className={sections.length > 1 ? classes['sections'] : undefined}>
      {sections.map((lines, section) => (
        // oxlint-disable-next-line react/no-array-index-key -- sections stay where they are
        <Stack key={section} className={`panel ${classes['section']}`} display="flex" gap="lg">
          {Array.from({ length: lines }, (_, line) => (
            <Group key={line} gap="lg">
              <Skeleton h={10} w="30%" />
              <Skeleton h={10} w={`${20 + ((line * 17) % 30)}%`} />
            </Group>
          ))}
        </Stack>
      ))}
    </div>
  );
}
