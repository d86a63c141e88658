import { type Context, createContext, type Services, type Viewer } from '../../context.ts';
import { createReadBudget } from '../../limits/read-budget.ts';
import type { Loaders } from '../../store/loaders.ts';

export interface RenderingContext {
  context: Context;
  /** Whether the result depends on the viewer's identity, rather than only on their rights in the network. */
  isPersonal(): boolean;
}

/** Fields in which viewers with equal rights differ. */
const PERSONAL_FIELDS = [
  'userId',
  'userInternalId',
  'sessionId',
  'sessionInternalId',
  'expiresAt',
] as const satisfies Array<keyof Viewer>;

/**
 * The context in which an event is rendered for all viewers with equal rights. It records every access to the viewer's
 * identity; such a rendering is not shared. Resolvers need no annotation, so none can be missing.
 */
export function createRenderingContext(services: Services, viewer: Viewer, load: Loaders): RenderingContext {
  let isPersonal = false;
  const recorded = { ...viewer };
  for (const name of PERSONAL_FIELDS) {
    Object.defineProperty(recorded, name, {
      enumerable: true,
      get() {
        isPersonal = true;
        return viewer[name];
      },
    });
  }
  const deadline = performance.now() + services.config.DATABASE_TIMEOUT_MS;
  const reads = createReadBudget('event');
  // Without a viewer: the context of a visitor would read their ids to create their record.
  const context = { ...createContext(services, null, undefined, deadline, reads), viewer: recorded, load };
  return { context, isPersonal: () => isPersonal };
}
