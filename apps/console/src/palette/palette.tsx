import { matches, searchableText, searchWords } from '@hr/client/search';
// oxlint-disable jsx-a11y/prefer-tag-over-role -- options with icons are no options of a select
import { Text, TextInput, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import {
  IconCash,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
  type Icon as IconType,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Highlight } from '../components/highlight.tsx';
import { filterPeople } from '../people/directory.ts';
import { SEARCH_FRAGMENT } from '../people/people-search.ts';
import { usePeople } from '../people/use-people.ts';
import { useDestinations } from '../shell/destinations.ts';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { signOut, useRole, useSees } from '../shell/session.ts';
import { messages } from './messages.ts';
import classes from './palette.module.css';

/** A person, page or action that the palette offers. */
interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Of its label, if it is not that of the page. */
  readonly lang?: string;
  readonly detail?: string;
  readonly Icon: IconType;
  readonly run: () => void;
}

const MAX_PEOPLE = 7;

/** The palette that ⌘K or Ctrl-K opens. It reads the directory when it opens first. */
export function Palette(): ReactNode {
  const label = useMessages(shared).search;
  return (
    <Spotlight.Root
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': label } }}
    >
      <PaletteSearch />
    </Spotlight.Root>
  );
}

/** The field and the results of the palette: a combobox, whose focus stays in the field. */
function PaletteSearch(): ReactNode {
  const text = useMessages(messages);
  const names = useMessages(shared);
  const format = useFormat();
  const id = useId();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState(0);
  const directory = usePeople();
  const actions = useActions();

  const words = useMemo(() => searchWords(query), [query]);
  const found = useMemo(() => {
    if (words.length === 0 || !directory.data) return [];
    return filterPeople(directory.data.rows, { q: query }, format.compare);
  }, [words, query, directory.data, format]);
  const people = found.slice(0, MAX_PEOPLE).map(({ id: personId, fullName, number, job }): PaletteItem => ({
    id: `person ${personId}`,
    label: fullName,
    detail: [number, job].filter(Boolean).join(' · '),
    Icon: IconUser,
    run: () => void navigate({ to: '/people/$personId', params: { personId } }),
  }));
  if (found.length > MAX_PEOPLE) {
    people.push({
      id: 'more-people',
      label: text.allPeople(format.number(found.length)),
      Icon: IconSearch,
      run: () => void navigate({ to: '/people', search: { q: query } }),
    });
  }
  const pages = useDestinations().map(({ path, name, Icon }) => {
    return { id: path, label: names[name], Icon, run: () => void navigate({ to: path }) };
  });
  const matching = (items: readonly PaletteItem[]): readonly PaletteItem[] =>
    query.trim() === '' || words.length > 0 ? items.filter(({ label }) => matches(searchableText(label), words)) : [];
  const groups = [
    { label: names.people, items: people },
    { label: names.pages, items: matching(pages) },
    { label: names.actions, items: matching(actions) },
  ].filter((group) => group.items.length > 0);
  const items = groups.flatMap((group) => group.items);
  const current = Math.min(selected, items.length - 1);

  const select = (index: number): void => {
    const next = (index + items.length) % Math.max(1, items.length);
    setSelected(next);
    document.querySelector(`#${CSS.escape(`${id}-${next}`)}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The Enter that ends a composition chooses a letter.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') select(current + 1);
    else if (event.key === 'ArrowUp') select(current - 1);
    else if (event.key === 'Enter' && items[current]) run(items[current]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <TextInput
        data-autofocus
        size="lg"
        variant="unstyled"
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={items.length > 0 ? `${id}-${current}` : undefined}
        aria-label={names.search}
        placeholder={names.search}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={text.results} className={classes['list']}>
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={classes['group']} aria-hidden>
              {group.label}
            </div>
            {group.items.map((item) => {
              const index = items.indexOf(item);
              const { label, lang, detail, Icon } = item;
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
                <div
                  key={item.id}
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === current}
                  className={classes['option']}
                  onMouseMove={() => setSelected(index)}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => run(item)}
                >
                  <Icon size={18} className={classes['icon']} aria-hidden />
                  <span lang={lang} className={classes['label']}>
                    <Highlight text={label} words={words} />
                  </span>
                  {detail && (
                    <span className={classes['detail']}>
                      <Highlight text={detail} words={words} />
                    </span>
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && directory.data && (
        <Text c="dimmed" ta="center" p="lg">
          {names.nothingFound}
        </Text>
      )}
      <div className={classes['foot']}>
        <output>
          {directory.isPending && text.loading}
          {directory.error && text.failed}
          {directory.data && words.length > 0 && text.found(found.length, matching([...pages, ...actions]).length)}
        </output>
        <span className={classes['help']}>{text.help}</span>
      </div>
    </>
  );
}

function run(item: PaletteItem): void {
  spotlight.close();
  item.run();
}

function useActions(): PaletteItem[] {
  const text = useMessages(messages);
  const { signOut: signOutText } = useMessages(shared);
  const navigate = useNavigate();
  const { locale, setLocale } = useLocale();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme() === 'dark';
  const otherLocale = locale === 'de' ? 'en' : 'de';
  const maySubmit = [useRole('editor'), useSees('pay')].every(Boolean);
  const submitPayment: PaletteItem = {
    id: 'submit-payment',
    label: text.submitPayment,
    Icon: IconCash,
    run: () => void navigate({ to: '/payments', search: { view: 'submit' } }),
  };
  return [
    ...(maySubmit ? [submitPayment] : []),
    {
      id: 'new-search',
      label: text.newSearch,
      Icon: IconSearch,
      run: () => void navigate({ to: '/people', search: {}, hash: SEARCH_FRAGMENT }),
    },
    {
      id: 'language',
      label: text.language,
      lang: otherLocale,
      Icon: IconLanguage,
      run: () => setLocale(otherLocale),
    },
    {
      id: 'theme',
      label: isDark ? text.light : text.dark,
      Icon: isDark ? IconSun : IconMoon,
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    { id: 'sign-out', label: signOutText, Icon: IconLogout, run: () => void signOut() },
  ];
}
