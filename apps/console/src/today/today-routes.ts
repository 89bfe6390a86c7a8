import type { FastifyInstance } from 'fastify';
import type { Console } from '../server/console-server.ts';
import type { SyncHealth } from '../server/live.ts';

export interface TodayScreen {
  readonly persons: number;
  readonly waitingPayments: number;
  readonly health: SyncHealth;
}

/** Adds what the screen Today shows. */
export function addTodayRoutes(app: FastifyInstance, { cloud, live }: Console): void {
  app.get('/bff/today', async (): Promise<TodayScreen> => {
    const waiting = await cloud.operator.payments('submitted');
    return { persons: cloud.mirror.countPersons(), waitingPayments: waiting.length, health: live.health };
  });
}
