import { collectDefaultMetrics, Registry } from '@prometheus-io/client';

let collected: Registry | undefined;

/**
 * Node's own metrics: CPU, memory, event loop, garbage collection. They are collected from the first call on, and once:
 * they are those of the process, and nothing ends their collection.
 */
export function processMetrics(): Registry {
  if (!collected) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
