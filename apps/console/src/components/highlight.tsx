import { matchingParts, type SearchWords } from '@hr/client/search';
import { memo, type ReactNode } from 'react';

/** A text in which the words that somebody searches for stand out. */
export const Highlight = memo(function Highlight({
  text,
  words,
}: {
  readonly text: string;
  readonly words: SearchWords;
}): ReactNode {
  if (words.length === 0) return text;
  return matchingParts(text, words).map(({ text: part, isMatch }, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other key
    isMatch ? <mark key={index}>{part}</mark> : part,
  );
});
