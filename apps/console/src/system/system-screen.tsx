import { Tabs } from '@mantine/core';
import { IconEye, IconKey, IconRefresh } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../web/locale.tsx';
import { Page } from '../web/page.tsx';
import { AuditSection } from './audit-section.tsx';
import { ClientsSection } from './clients-section.tsx';
import { messages } from './messages.ts';
import { SyncSection } from './sync-section.tsx';

/** What the address of the screen says. */
export interface SystemSearch {
  readonly tab?: 'clients' | 'audit';
  readonly actor?: string;
  readonly person?: string;
  readonly access?: string;
  readonly since?: string;
}

const sections = {
  sync: { Icon: IconRefresh, Section: SyncSection },
  clients: { Icon: IconKey, Section: ClientsSection },
  audit: { Icon: IconEye, Section: AuditSection },
} as const;
type SectionName = keyof typeof sections;

/** The local copy, the clients of the service, and who did what. */
export function SystemScreen(): ReactNode {
  const text = useMessages(messages);
  const { tab = 'sync' }: { readonly tab?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = tab in sections ? (tab as SectionName) : 'sync';
  const { Section } = sections[chosen];
  return (
    <Page title={text.title} description={text.descriptions[chosen]}>
      <Tabs
        value={chosen}
        onChange={(name) => void navigate({ to: '/system', search: name === 'sync' ? {} : { tab: name } })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {Object.entries(sections).map(([name, { Icon }]) => (
            <Tabs.Tab key={name} value={name} leftSection={<Icon size={16} aria-hidden />}>
              {text.tabs[name as SectionName]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.keys(sections).map((name) => (
          <Tabs.Panel key={name} value={name}>
            {name === chosen && <Section />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
