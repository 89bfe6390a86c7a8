import fastify from 'fastify';
import { addDrafts } from '../src/backend/draft-routes.ts';
import { addEvents } from '../src/backend/events.ts';
import { addSessions } from '../src/backend/sessions.ts';
import { features } from '../src/features.ts';
import type { TestConsole } from './start-test-console.ts';

export interface Route {
  readonly method: string;
  /** With the names of its parameters, such as `/bff/people/:id`. */
  readonly url: string;
  /** With a value for each parameter. */
  readonly path: string;
  readonly role: string | undefined;
}

/** The routes of the backend. */
export async function routesOf(context: TestConsole): Promise<Route[]> {
  const routes: Route[] = [];
  await using app = fastify();
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat()) {
      if (name !== 'HEAD') routes.push({ method: name, url, path: url.replaceAll(/:\w+/g, '1'), role: config?.role });
    }
  });
  addSessions(app, context);
  addEvents(app, context);
  addDrafts(app, context);
  for (const feature of features) feature(app, context);
  return routes;
}
