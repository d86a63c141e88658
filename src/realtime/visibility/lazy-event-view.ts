import type { Services } from '../../context.ts';
import type { LiveEvent } from '../../events/log.ts';
import { createLoaders, type Loaders } from '../../store/loaders.ts';
import type { EventView } from './event-view.ts';
import { loadEventView } from './load-event-view.ts';

/** Loads an event's view on first use; later calls share it. */
export interface LazyEventView {
  readonly load: Loaders;
  /** @returns null when the event's records no longer exist */
  get(): Promise<EventView | null>;
  /** Discards the view and the loaders, which also cache failures, so that a retry reads again. */
  reset(): void;
}

export function createLazyEventView(services: Services, { event }: LiveEvent): LazyEventView {
  const newLoad = () => createLoaders(services.store.batchers, event.networkId, null, null, services.now);
  let load = newLoad();
  let view: Promise<EventView | null> | undefined;
  return {
    get load() {
      return load;
    },
    get() {
      view ??= loadEventView({ services, load, event });
      return view;
    },
    reset() {
      load = newLoad();
      view = undefined;
    },
  };
}
