// oxlint-disable jsx-a11y/prefer-tag-over-role -- rows with positions of their own are no rows of a table
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { ListedPerson } from './directory.ts';
import type { SearchWords } from '../model/fold-text.ts';
import { Highlight } from '../components/highlight.tsx';
import { messages } from './messages.ts';
import { sortKeys, type SortKey } from './people-search.ts';
import classes from './people-grid.module.css';
import { StatusLabel } from '../components/status-label.tsx';

interface PeopleGridProps {
  readonly people: readonly ListedPerson[];
  readonly words: SearchWords;
  readonly sort: SortKey;
  readonly isDescending: boolean;
  /** Id of the person in the side panel. */
  readonly shownId: string | undefined;
  readonly onSort: (key: SortKey) => void;
  readonly onShow: (id: string) => void;
  readonly onOpen: (id: string) => void;
}

const ROW_HEIGHT = 40;
const CARD_HEIGHT = 64;
/** Height of the shell's header and of the column headings, which stay in place. */
const FIXED_HEIGHT = 52 + 36;
const OVERSCAN = 6;

/** The directory as a grid of rows that take the focus. Only the rows in view are in the page. */
export function PeopleGrid(props: PeopleGridProps): ReactNode {
  const { people, shownId, sort, isDescending, onSort, onShow, onOpen } = props;
  const text = useMessages(messages);
  const helpId = useId();
  const areCards = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [activeId, setActiveId] = useState(shownId);
  const takesFocus = useRef(false);
  const found = people.findIndex(({ id }) => id === activeId);
  const active = Math.max(0, found);

  // oxlint-disable-next-line react/incompatible-library -- nothing is memoized here
  const virtualizer = useWindowVirtualizer({
    count: people.length,
    estimateSize: () => (areCards ? CARD_HEIGHT : ROW_HEIGHT),
    overscan: OVERSCAN,
    scrollMargin: margin,
    scrollPaddingStart: FIXED_HEIGHT,
    getItemKey: (index) => people[index]?.id ?? index,
    // The row with the focus stays in the page.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), active])].toSorted((a, b) => a - b),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, areCards]);
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setMargin(Math.round(top));
  }, [areCards]);
  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const moveTo = (index: number): void => {
    const target = Math.min(Math.max(index, 0), people.length - 1);
    takesFocus.current = true;
    setActiveId(people[target]?.id);
    virtualizer.scrollToIndex(target);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const person = people[active];
    const page = Math.max(1, Math.floor((window.innerHeight - FIXED_HEIGHT) / ROW_HEIGHT) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: people.length - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) moveTo(move);
    else if (event.key === 'Enter' && person) onOpen(person.id);
    else if (event.key === ' ' && person) onShow(person.id);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <p id={helpId} hidden>
        {text.listHelp}
      </p>
      <div
        role="grid"
        aria-label={text.list}
        aria-describedby={helpId}
        aria-rowcount={people.length + 1}
        className={`panel ${classes['grid']}`}
      >
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['row']}>
            {sortKeys.map((key) => (
              <div
                key={key}
                role="columnheader"
                data-column={key}
                aria-sort={key === sort ? (isDescending ? 'descending' : 'ascending') : undefined}
              >
                <button type="button" onClick={() => onSort(key)}>
                  {text.columns[key]}
                  <span aria-hidden>{key === sort ? (isDescending ? '↓' : '↑') : ''}</span>
                </button>
              </div>
            ))}
          </div>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the row with the focus */}
        <div
          role="rowgroup"
          ref={body}
          className={classes['body']}
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
            const person = people[index];
            return (
              person && (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the body has them
                <div
                  key={key}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={person.id === shownId}
                  tabIndex={index === active ? 0 : -1}
                  className={classes['row']}
                  style={{ height: size, transform: `translateY(${start - margin}px)` }}
                  onFocus={() => setActiveId(person.id)}
                  onClick={(event) => showPerson(event, () => onShow(person.id))}
                  onDoubleClick={() => onOpen(person.id)}
                >
                  <Cells person={person} words={props.words} />
                </div>
              )
            );
          })}
        </div>
      </div>
    </>
  );
}

/** A link with a modifier key opens another tab, as everywhere. */
function showPerson(event: MouseEvent, show: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show();
}

function Cells({ person, words }: { readonly person: ListedPerson; readonly words: SearchWords }): ReactNode {
  const format = useFormat();
  return (
    <>
      <div role="gridcell" data-column="name">
        <Link to="/people/$personId" params={{ personId: person.id }} tabIndex={-1} preload={false}>
          <Highlight text={person.name} words={words} />
        </Link>
      </div>
      <div role="gridcell" data-column="number">
        <Highlight text={person.number} words={words} />
      </div>
      <div role="gridcell" data-column="job" title={person.job}>
        <Highlight text={person.job} words={words} />
      </div>
      <div role="gridcell" data-column="place" title={person.place}>
        {person.place}
      </div>
      <div role="gridcell" data-column="groups" title={person.groups.join(', ')}>
        {person.groups.join(', ')}
      </div>
      <div role="gridcell" data-column="status">
        <StatusLabel status={person.status} />
      </div>
      <div role="gridcell" data-column="entry">
        {person.entry && format.date(person.entry)}
      </div>
      <div role="gridcell" data-column="exit">
        {person.exit && format.date(person.exit)}
      </div>
    </>
  );
}
