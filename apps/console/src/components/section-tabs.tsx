import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionTabsProps<Name extends string> {
  readonly label: string;
  /** The titles of the sections that there are. */
  readonly titles: Readonly<Partial<Record<Name, string>>>;
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
  /** The chosen section. */
  readonly children: ReactNode;
}

/** The sections of a screen, one of which is shown. */
export function SectionTabs<Name extends string>(props: SectionTabsProps<Name>): ReactNode {
  const { label, titles, chosen, choose, children } = props;
  const names = Object.keys(titles) as Name[];
  return (
    <Tabs value={chosen} onChange={(name) => choose(name as Name)} keepMounted={false}>
      <Tabs.List mb="lg" aria-label={label}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} px={{ base: 8, sm: 'md' }}>
            {titles[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name === chosen && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
