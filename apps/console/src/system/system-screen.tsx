import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { Page } from '../components/page.tsx';
import { AuditSection } from './audit-section.tsx';
import { ClientsSection } from './clients-section.tsx';
import { LabelsSection } from './labels-section.tsx';
import { messages } from './messages.ts';
import { systemSearch } from './system-search.ts';
import { SyncSection } from './sync-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const sections = {
  sync: SyncSection,
  clients: ClientsSection,
  webhooks: WebhooksSection,
  labels: LabelsSection,
  audit: AuditSection,
} as const;
type SectionName = keyof typeof sections;

/** The local copy, the clients of the service, the names of keys, and who did what. */
export function SystemScreen(): ReactNode {
  const text = useMessages(messages);
  const { tab: chosen = 'sync' } = useSearch({ from: '/system' });
  const navigate = useNavigate();
  const Section = sections[chosen];
  return (
    <Page title={text.title} description={text.descriptions[chosen]}>
      <Tabs
        value={chosen}
        onChange={(name) => void navigate({ to: '/system', search: systemSearch({ tab: name }) })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label={text.title}>
          {Object.keys(sections).map((name) => (
            <Tabs.Tab key={name} value={name} px={{ base: 8, sm: 'md' }}>
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
