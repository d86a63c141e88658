import type { Services } from '../context.ts';
import type { LiveEvent } from '../events/log.ts';
import { createLoaders, type Loaders } from '../store/loaders.ts';
import type { Scene } from './scene.ts';
import { sceneOf } from './scenes.ts';

/** What is known of an event; the scene is read when first asked for. */
export interface Reading {
  readonly load: Loaders;
  scene(): Promise<Scene | null>;
  /** Reads anew from now on: what failed would be remembered as having failed. */
  forget(): void;
}

export function createReading(services: Services, { event }: LiveEvent): Reading {
  const newLoad = () => createLoaders(services.store.batchers, event.networkId, null);
  let load = newLoad();
  let scene: Promise<Scene | null> | undefined;
  return {
    get load() {
      return load;
    },
    scene() {
      scene ??= sceneOf({ services, load, event });
      return scene;
    },
    forget() {
      load = newLoad();
      scene = undefined;
    },
  };
}
