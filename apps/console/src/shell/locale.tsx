import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Messages } from '../model/in-both.ts';

export type Locale = 'en' | 'de';

interface LocaleContext {
  readonly locale: Locale;
  readonly setLocale: (locale: Locale) => void;
}

const STORAGE_KEY = 'hr-console-locale';
const Context = createContext<LocaleContext>({ locale: 'en', setLocale: () => undefined });

function initialLocale(): Locale {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (stored === 'de' || stored === 'en') return stored;
  return navigator.languages.find((language) => /^(?:de|en)\b/.test(language))?.startsWith('de') ? 'de' : 'en';
}

/** Keeps the language that a person chose; at first it is that of the browser. */
export function LocaleProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [locale, setState] = useState(initialLocale);
  useEffect(() => document.documentElement.setAttribute('lang', locale), [locale]);
  const context = useMemo(
    () => ({
      locale,
      setLocale: (chosen: Locale) => {
        localStorage.setItem(STORAGE_KEY, chosen);
        setState(chosen);
      },
    }),
    [locale],
  );
  return <Context value={context}>{children}</Context>;
}

export function useLocale(): LocaleContext {
  return use(Context);
}

/** Returns the texts in the language of the person. */
export function useMessages<T>(messages: Messages<T>): T {
  return messages[useLocale().locale];
}
