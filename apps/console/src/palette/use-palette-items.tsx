import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconCash, IconLanguage, IconLogout, IconMoon, IconSearch, IconSun, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedPerson } from '../people/directory.ts';
import { SEARCH_FRAGMENT } from '../people/people-search.ts';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as sharedMessages } from '../shell/messages.ts';
import { signOut, useRole } from '../shell/session.ts';
import { destinations } from '../shell/destinations.ts';
import { messages } from './messages.ts';

/** A person, page or action that the palette offers. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Of its label, if it is not that of the page. */
  readonly lang?: string;
  readonly detail?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

interface PaletteItems {
  readonly pages: readonly PaletteItem[];
  readonly actions: readonly PaletteItem[];
  readonly personItem: (person: ListedPerson) => PaletteItem;
  /** Leads to all persons that match. */
  readonly morePeople: (query: string, count: number) => PaletteItem;
}

const ICON_SIZE = 18;

export function usePaletteItems(): PaletteItems {
  const text = useMessages(messages);
  const names = useMessages(sharedMessages);
  const format = useFormat();
  const navigate = useNavigate();
  const { locale, setLocale } = useLocale();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme() === 'dark';
  const isEditor = useRole('editor');
  const submitPayment: PaletteItem = {
    id: 'submit-payment',
    label: text.submitPayment,
    icon: <IconCash size={ICON_SIZE} />,
    run: () => void navigate({ to: '/payments', search: { view: 'submit' } }),
  };
  return {
    pages: destinations.map(({ path, name, Icon }) => ({
      id: path,
      label: names[name],
      icon: <Icon size={ICON_SIZE} />,
      run: () => void navigate({ to: path }),
    })),
    actions: [
      ...(isEditor ? [submitPayment] : []),
      {
        id: 'new-search',
        label: text.newSearch,
        icon: <IconSearch size={ICON_SIZE} />,
        run: () => void navigate({ to: '/people', search: {}, hash: SEARCH_FRAGMENT }),
      },
      {
        id: 'language',
        label: text.language,
        lang: text.languageOf,
        icon: <IconLanguage size={ICON_SIZE} />,
        run: () => setLocale(locale === 'de' ? 'en' : 'de'),
      },
      {
        id: 'theme',
        label: isDark ? text.light : text.dark,
        icon: isDark ? <IconSun size={ICON_SIZE} /> : <IconMoon size={ICON_SIZE} />,
        run: () => setColorScheme(isDark ? 'light' : 'dark'),
      },
      { id: 'sign-out', label: text.signOut, icon: <IconLogout size={ICON_SIZE} />, run: signOut },
    ],
    personItem: ({ id, fullName, number, job }) => ({
      id: `person ${id}`,
      label: fullName,
      detail: [number, job].filter(Boolean).join(' · '),
      icon: <IconUser size={ICON_SIZE} />,
      run: () => void navigate({ to: '/people/$personId', params: { personId: id } }),
    }),
    morePeople: (query, count) => ({
      id: 'more-people',
      label: text.allPeople(format.number(count)),
      icon: <IconSearch size={ICON_SIZE} />,
      run: () => void navigate({ to: '/people', search: { q: query } }),
    }),
  };
}
