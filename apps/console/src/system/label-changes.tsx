import type { Label } from '@hr/text/labels';
import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LabelChange } from '../model/labels.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { labelsMessages } from './labels-messages.ts';

/** Changes of the dictionary: which key, and its names and colour before and after. */
export function LabelChanges({
  changes,
  max,
}: {
  readonly changes: readonly LabelChange[];
  readonly max: number;
}): ReactNode {
  const text = useMessages(labelsMessages);
  const lines = changes.map(({ before, after }) => {
    // One of them is there.
    const { kind, key } = (after ?? before) as Label;
    const texts = [before, after].map((label) => label && [label.en, label.de, label.color].filter(Boolean).join(', '));
    const entry = `${text.kinds[kind]} ${key}: ${texts.filter((each) => each !== null).join(' → ')}`;
    return text[!before ? 'added' : after ? 'changed' : 'removed'](entry);
  });
  return <Lines lines={lines} max={max} />;
}

/** The first lines of a list, and the number of the others. */
export function Lines({ lines, max }: { readonly lines: readonly string[]; readonly max: number }): ReactNode {
  const text = useMessages(labelsMessages);
  const format = useFormat();
  return (
    <>
      <List>
        {lines.slice(0, max).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {lines.length > max && <Text>{text.rest(format.number(lines.length - max))}</Text>}
    </>
  );
}
