import { Fragment, type ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** Names with their values, one below the other. Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
