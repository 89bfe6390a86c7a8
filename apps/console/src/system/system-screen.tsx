import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { Page } from '../components/page.tsx';
import { useSession } from '../shell/session.ts';
import { SectionTabs } from '../components/section-tabs.tsx';
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

/** The local copy, the clients of the service, the names of keys, and who did what. */
export function SystemScreen(): ReactNode {
  const text = useMessages(messages);
  const { seesEveryone } = useSession().user;
  // All else may be about any person.
  const titles = seesEveryone ? text.tabs : { labels: text.tabs.labels };
  const { tab: asked = 'sync' } = useSearch({ from: '/system' });
  const tab = seesEveryone ? asked : 'labels';
  const navigate = useNavigate();
  const Section = sections[tab];
  return (
    <Page title={text.title} description={text.descriptions[tab]}>
      <SectionTabs
        label={text.title}
        titles={titles}
        chosen={tab}
        choose={(name) => void navigate({ to: '/system', search: systemSearch({ tab: name }) })}
      >
        <Section />
      </SectionTabs>
    </Page>
  );
}
