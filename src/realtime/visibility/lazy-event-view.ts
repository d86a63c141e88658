import type { Services } from '../../context.ts';
import type { LiveEvent } from '../../events/log.ts';
import { createLoaders, type Loaders } from '../../store/loaders.ts';
import type { EventView } from './event-view.ts';
import { loadEventView } from './load-event-view.ts';

/** What is known of an event; the view is read when first asked for. */
export interface LazyEventView {
  readonly load: Loaders;
  view(): Promise<EventView | null>;
  /** Reads anew from now on: what failed would be remembered as having failed. */
  reset(): void;
}

export function createLazyEventView(services: Services, { event }: LiveEvent): LazyEventView {
  const newLoad = () => createLoaders(services.store.batchers, event.networkId, null);
  let load = newLoad();
  let view: Promise<EventView | null> | undefined;
  return {
    get load() {
      return load;
    },
    view() {
      view ??= loadEventView({ services, load, event });
      return view;
    },
    reset() {
      load = newLoad();
      view = undefined;
    },
  };
}
