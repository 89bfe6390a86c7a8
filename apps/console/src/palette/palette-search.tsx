import { matches, searchableText, searchWords } from '@hr/client/search';
// oxlint-disable jsx-a11y/prefer-tag-over-role -- options with icons are no options of a select
import { Text, TextInput } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { directoryOf, filterPeople } from '../people/directory.ts';
import { Highlight } from '../components/highlight.tsx';
import { usePeople } from '../people/use-people.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import classes from './palette.module.css';
import { usePaletteItems, type PaletteItem } from './use-palette-items.tsx';

const MAX_PEOPLE = 7;

/** The field and the results of the palette: a combobox, whose focus stays in the field. */
export function PaletteSearch(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const id = useId();
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState(0);
  const directory = usePeople();
  const { pages, actions, personItem, morePeople } = usePaletteItems();

  const words = useMemo(() => searchWords(query), [query]);
  const found = useMemo(() => {
    if (words.length === 0 || !directory.data) return [];
    return filterPeople(directoryOf(directory.data.rows), { q: query }, format.compare);
  }, [words, query, directory.data, format]);
  const matching = (items: readonly PaletteItem[]): readonly PaletteItem[] =>
    query.trim() === '' || words.length > 0 ? items.filter(({ label }) => matches(searchableText(label), words)) : [];
  const people = found.slice(0, MAX_PEOPLE).map(personItem);
  const others = [
    { label: text.pages, items: matching(pages) },
    { label: text.actions, items: matching(actions) },
  ];
  const groups = [
    { label: text.people, items: found.length > MAX_PEOPLE ? [...people, morePeople(query, found.length)] : people },
    ...others,
  ].filter(({ items }) => items.length > 0);
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
    else if (event.key === 'Enter') run(items[current]);
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
        aria-label={text.dialog}
        placeholder={text.placeholder}
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
              return (
                <Option
                  key={item.id}
                  id={`${id}-${index}`}
                  item={item}
                  words={words}
                  isSelected={index === current}
                  onSelect={() => setSelected(index)}
                  onRun={() => run(item)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && directory.data && (
        <Text c="dimmed" ta="center" p="lg">
          {text.noMatch}
        </Text>
      )}
      <div className={classes['foot']}>
        <output>
          {directory.isPending && text.loading}
          {directory.error && text.failed}
          {directory.data &&
            words.length > 0 &&
            text.found(found.length, others.flatMap((group) => group.items).length)}
        </output>
        <span className={classes['help']}>{text.help}</span>
      </div>
    </>
  );
}

function run(item: PaletteItem | undefined): void {
  if (item === undefined) return;
  spotlight.close();
  item.run();
}

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly words: ReturnType<typeof searchWords>;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onRun: () => void;
}

function Option({ id, item, words, isSelected, onSelect, onRun }: OptionProps): ReactNode {
  const { label, lang, detail, icon } = item;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className={classes['option']}
      onMouseMove={onSelect}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <span className={classes['icon']} aria-hidden>
        {icon}
      </span>
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
}
