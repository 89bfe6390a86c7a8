import { useId, type ReactNode } from 'react';

const COLORS = 6;
const SIZE = 8;
/** Lines over the colour, so that components differ without it. More components than both repeat. */
const hatches = [
  undefined,
  'M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6',
  'M0 2 H8 M0 6 H8',
  'M2 0 V8 M6 0 V8',
  'M-2 6 L2 10 M0 0 L8 8 M6 -2 L10 2',
  'M0 4 H8 M4 0 V8',
  'M2 2 h1.5 v1.5 h-1.5 z M6 6 h1.5 v1.5 h-1.5 z',
] as const;

/** The pattern of the n-th component. It belongs into `defs`; fill with `url(#id)`. */
export function ComponentPattern({ id, index }: { readonly id: string; readonly index: number }): ReactNode {
  const hatch = hatches[index % hatches.length];
  return (
    <pattern id={id} width={SIZE} height={SIZE} patternUnits="userSpaceOnUse">
      <rect width={SIZE} height={SIZE} fill={`var(--component-${index}, var(--series-${index % COLORS}))`} />
      {hatch !== undefined && (
        <path d={hatch} fill="none" stroke="var(--mantine-color-body)" strokeWidth={1.6} strokeOpacity={0.8} />
      )}
    </pattern>
  );
}

/** A sample of the pattern beside the name of the component. */
export function ComponentSwatch({ index }: { readonly index: number }): ReactNode {
  const id = useId();
  return (
    <svg width={14} height={14} aria-hidden style={{ flexShrink: 0 }}>
      <defs>
        <ComponentPattern id={id} index={index} />
      </defs>
      <rect width={14} height={14} rx={3} fill={`url(#${id})`} />
    </svg>
  );
}
