import { collectDefaultMetrics, Registry } from '@prometheus-io/client';

let collected: Registry | undefined;

/** Node's own metrics: CPU, memory, event loop, garbage collection. They are the process's, and cannot be stopped: collected once, from the first call on. */
export function processMetrics(): Registry {
  if (!collected) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
