import type { FastifyInstance } from 'fastify';
import type { Console } from '../server/console-server.ts';

/** Adds what the screen shows. */
export function addTimeRoutes(_app: FastifyInstance, _console: Console): void {}
