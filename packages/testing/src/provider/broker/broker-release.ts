import type { Release } from '../deploy/release.ts';
import type { Broker } from './broker-from-environment.ts';

/** A release, and the broker that knows of it. */
export interface BrokerRelease extends Release {
  readonly broker: Broker;
}
