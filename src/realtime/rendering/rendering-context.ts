import { type Context, createContext, type Services, type Viewer } from '../../context.ts';
import { createReadBudget } from '../../limits/read-budget.ts';
import type { Loaders } from '../../store/loaders.ts';

export interface RenderingContext {
  context: Context;
  /** Whether what was made in the context depends on who its viewer is, rather than on their rights in the network alone. */
  isPersonal(): boolean;
}

/** What tells a viewer from others of the same rights. */
const PERSONAL_FIELDS = [
  'userId',
  'userInternalId',
  'sessionId',
  'sessionInternalId',
  'expiresAt',
] as const satisfies Array<keyof Viewer>;

/**
 * The context in which an event is written for whoever has the viewer's rights. It notes whether anything asked who the
 * viewer is: such an answer is given to nobody else. Nothing has to be declared, so nothing can be forgotten.
 */
export function createRenderingContext(services: Services, viewer: Viewer, load: Loaders): RenderingContext {
  let isPersonal = false;
  const watched = { ...viewer };
  for (const name of PERSONAL_FIELDS) {
    Object.defineProperty(watched, name, {
      enumerable: true,
      get() {
        isPersonal = true;
        return viewer[name];
      },
    });
  }
  const deadline = performance.now() + services.config.DATABASE_TIMEOUT_MS;
  const reads = createReadBudget('event');
  const context = { ...createContext(services, watched, undefined, deadline, reads), load };
  return { context, isPersonal: () => isPersonal };
}
