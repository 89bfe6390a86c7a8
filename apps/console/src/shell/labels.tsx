import type { Label, LabelKind } from '@hr/text/labels';
import { createContext, use, useMemo, type ReactNode } from 'react';
import { dictionaryOf, type Dictionary } from '../model/labels.ts';
import { useScreen } from './bff.ts';
import { useLocale } from './locale.tsx';

interface Labels extends Dictionary {
  /** Whether the dictionary is still loading. */
  readonly isPending: boolean;
}

const Context = createContext<Labels>({ ...dictionaryOf([], 'en'), isPending: false });

/** Loads the dictionary once for all screens. The stream of events keeps it current. */
export function LabelsProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { locale } = useLocale();
  const { data, isPending } = useScreen<readonly Label[]>('labels', {}, { kinds: ['labels'] });
  const labels = useMemo(() => ({ ...dictionaryOf(data ?? [], locale), isPending }), [data, locale, isPending]);
  return <Context value={labels}>{children}</Context>;
}

/** The names and colours that administrators gave to keys, in the language of the person. */
export function useLabels(): Labels {
  return use(Context);
}

interface LabelTextProps {
  readonly kind: LabelKind;
  readonly id: string;
  /** What stands for a key without a name. By default it is the key. */
  readonly unnamed?: string;
}

/** The name of a key behind a mark in its colour, and the key itself. */
export function LabelText({ kind, id, unnamed = id }: LabelTextProps): ReactNode {
  const { colorOf, nameOf } = useLabels();
  const background = colorOf(kind, id);
  const name = nameOf(kind, id, '');
  return (
    <>
      {background && <span className="label-mark" style={{ background }} aria-hidden />}
      <bdi>{name || unnamed}</bdi>
      {name && <span className="label-key"> {id}</span>}
    </>
  );
}
