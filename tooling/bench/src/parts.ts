import type { Part } from './part.ts';
import { auditCost } from './parts/audit-cost.ts';
import { auditFilters } from './parts/audit-filters.ts';
import { client } from './parts/client.ts';
import { deltas } from './parts/deltas.ts';
import { demo } from './parts/demo.ts';
import { environments } from './parts/environments.ts';
import { growth } from './parts/growth.ts';
import { hostile } from './parts/hostile.ts';
import { imports } from './parts/import.ts';
import { latency } from './parts/latency.ts';
import { lists } from './parts/lists.ts';
import { memory } from './parts/memory.ts';
import { mirror } from './parts/mirror.ts';
import { neighbour } from './parts/neighbour.ts';
import { reads } from './parts/reads.ts';
import { waiting } from './parts/waiting.ts';
import { writes } from './parts/writes.ts';

/** All parts, in the order in which they run. Those that change the database come last. */
export const parts: readonly Part[] = [
  lists,
  memory,
  demo,
  latency,
  deltas,
  client,
  hostile,
  mirror,
  reads,
  auditCost,
  writes,
  neighbour,
  environments,
  waiting,
  imports,
  growth,
  auditFilters,
];
