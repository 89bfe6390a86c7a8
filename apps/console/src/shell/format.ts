import { useMemo } from 'react';
import { useLabels } from './labels.tsx';
import { useLocale, type Locale } from './locale.tsx';

/** Formats values for people. */
export interface Format {
  /** A date `YYYY-MM-DD`, such as `31 Oct 2026` or `31.10.2026`. Absent values show as a dash. */
  date(date: string | null | undefined): string;
  /** A date with its day of the week. */
  weekday(date: string): string;
  /** The day of the week of a date, such as `Mon` or `Mo`. */
  dayOfWeek(date: string): string;
  /** A month `YYYY-MM`. */
  month(month: string): string;
  /** An ISO 8601 instant in the time zone of the browser. */
  instant(instant: string | undefined): string;
  /** The time of an instant, or its date if it is not today. */
  shortInstant(instant: string | undefined): string;
  /** As a short instant, without seconds. */
  moment(instant: string): string;
  /** A number without a unit. */
  number(value: number | undefined): string;
  /** An amount of money. The API states no currency, but the dictionary may. */
  amount(value: number | undefined): string;
  /** Minutes as hours and minutes, such as `7:30`. */
  minutes(minutes: number): string;
  /** A list of names, such as `a, b and c`. */
  list(names: readonly string[]): string;
  readonly compare: (one: string, other: string) => number;
}

export const DASH = '–';
/** `Intl` writes a hyphen. */
const MINUS = '−';
const tags: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de-DE' };
const MINUTES_AN_HOUR = 60;

export function useFormat(): Format {
  const { locale } = useLocale();
  const { currency } = useLabels();
  return useMemo(() => formatOf(locale, currency), [locale, currency]);
}

function formatOf(locale: Locale, currency: string | undefined): Format {
  const tag = tags[locale];
  const german = locale === 'de';
  // A date has no zone; UTC keeps it from moving.
  const day = new Intl.DateTimeFormat(tag, {
    day: german ? '2-digit' : 'numeric',
    month: german ? '2-digit' : 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const weekday = new Intl.DateTimeFormat(tag, {
    weekday: 'short',
    day: german ? '2-digit' : 'numeric',
    month: german ? '2-digit' : 'short',
    timeZone: 'UTC',
  });
  const dayOfWeek = new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(tag, { month: german ? 'long' : 'short', year: 'numeric', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' });
  const minute = new Intl.DateTimeFormat(tag, { timeStyle: 'short' });
  const short = (value: string, ofToday: Intl.DateTimeFormat): string => {
    const date = new Date(value);
    return (date.toDateString() === new Date().toDateString() ? ofToday : instant).format(date);
  };
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 10 });
  const amount = new Intl.NumberFormat(tag, {
    ...(currency === undefined ? { minimumFractionDigits: 2 } : { style: 'currency', currency }),
    maximumFractionDigits: 10,
  });
  const list = new Intl.ListFormat(tag);
  const collator = new Intl.Collator(tag, { numeric: true });
  return {
    date: (date) => (date ? day.format(new Date(`${date}T00:00Z`)) : DASH),
    weekday: (date) => weekday.format(new Date(`${date}T00:00Z`)),
    dayOfWeek: (date) => dayOfWeek.format(new Date(`${date}T00:00Z`)),
    month: (value) => month.format(new Date(`${value}-01T00:00Z`)),
    instant: (value) => (value === undefined ? DASH : instant.format(new Date(value))),
    shortInstant: (value) => (value === undefined ? DASH : short(value, time)),
    moment: (value) => short(value, minute),
    number: (value) => (value === undefined ? DASH : number.format(value).replace('-', MINUS)),
    amount: (value) => (value === undefined ? DASH : amount.format(value).replace('-', MINUS)),
    minutes: (value) => {
      const [hours, rest] = [Math.floor(Math.abs(value) / MINUTES_AN_HOUR), Math.abs(value) % MINUTES_AN_HOUR];
      return `${value < 0 ? MINUS : ''}${hours}:${String(rest).padStart(2, '0')}`;
    },
    list: (names) => list.format(names),
    compare: (one, other) => collator.compare(one, other),
  };
}
