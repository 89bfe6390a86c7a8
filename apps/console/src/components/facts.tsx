import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  /** By default they are one below the other. */
  readonly className?: string | undefined;
}

/** Names with their values. Facts without a value are left out. */
export function Facts({ facts, className = 'facts' }: FactsProps): ReactNode {
  return (
    <dl className={className}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
