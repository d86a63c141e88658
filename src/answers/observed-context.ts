import type { Collection, Document } from 'mongodb';
import type { Context } from '../context.ts';
import type { Collections } from '../store/collections.ts';
import type { NetworkCache } from '../store/network-cache.ts';
import { observedCollection, observeReads } from '../store/read-observer.ts';
import type { RoleCache } from '../store/role-cache.ts';
import type { Store } from '../store/store.ts';
import type { ReadLog } from './read-log.ts';

/**
 * What an execution may read of its context without making its answer irreproducible: what is `covered`, constants of the
 * process, the viewer, which is compared, reads that the log records, and the outcome, which only mutations write; and
 * what is `observed` below. An answer whose execution reads anything else is not kept.
 */
const MEMBERS: { readonly [Name in keyof Required<Context>]: 'covered' | 'observed' | 'uncovered' } = {
  viewer: 'covered',
  load: 'covered',
  reads: 'covered',
  config: 'covered',
  seal: 'covered',
  publicUrl: 'covered',
  outcome: 'covered',
  hasPassed: 'observed',
  store: 'observed',
  unseen: 'observed',
  files: 'uncovered',
  tokens: 'uncovered',
  now: 'uncovered',
  instanceId: 'uncovered',
  resolveHost: 'uncovered',
  events: 'uncovered',
  warn: 'uncovered',
  info: 'uncovered',
  rateLimits: 'uncovered',
  acceptsDocument: 'uncovered',
  openEventStream: 'uncovered',
  origin: 'uncovered',
  operation: 'uncovered',
  resolution: 'uncovered',
  credentials: 'uncovered',
  transaction: 'uncovered',
  afterCommit: 'uncovered',
  deadline: 'uncovered',
  idempotencyKey: 'uncovered',
  sessionCookies: 'uncovered',
  isReplay: 'uncovered',
};

/**
 * The context of an execution whose reads are recorded. Loaders and lists are recorded with their values; access to
 * anything else that may change, such as a collection, the time or the event log, is reported as uncovered.
 */
export function observedContext(context: Context, log: ReadLog): Context {
  observeReads(context.reads, log);
  const hasPassed = (time: Date): boolean => {
    const passed = context.hasPassed(time);
    log.reportComparison(time, passed);
    return passed;
  };
  let store: Store | undefined;
  return new Proxy(context, {
    get(target, name) {
      if (MEMBERS[name as keyof Context] === 'covered') return Reflect.get(target, name);
      if (name === 'hasPassed') return hasPassed;
      if (name === 'store') {
        store ??= observedStore(target.store, log);
        return store;
      }
      // Records of replayed writes only.
      if (name === 'unseen' && target.unseen === null) return null;
      log.reportUncovered(`context.${String(name)}`);
      return Reflect.get(target, name);
    },
  });
}

function observedStore(store: Store, log: ReadLog): Store {
  const parts: Partial<Store> = {};
  const create: { [Name in keyof Store]?: () => Store[Name] } = {
    collections: () => observedCollections(store.collections, log),
    networkCache: () => observedNetworkCache(store.networkCache, log),
    roleCache: () => observedRoleCache(store.roleCache, log),
  };
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const known = parts[name] ?? create[name]?.();
      if (known) {
        Object.assign(parts, { [name]: known });
        return known;
      }
      log.reportUncovered(`store.${name}`);
      return Reflect.get(target, name);
    },
  });
}

function observedCollections(collections: Collections, log: ReadLog): Collections {
  const handles = new Map<string, Collection<Document>>();
  return new Proxy(collections, {
    get(target, name: keyof Collections) {
      let handle = handles.get(name);
      if (!handle) {
        const collection = target[name] as unknown as Collection<Document>;
        handle = observedCollection(collection, (use) => log.reportUncovered(use));
        handles.set(name, handle);
      }
      return handle;
    },
  });
}

function observedNetworkCache(cache: NetworkCache, log: ReadLog): NetworkCache {
  return {
    settingsOf: (networkId) => log.cached('settings', networkId, cache.settingsOf(networkId)),
    contentRulesOf: (networkId) => log.cached('contentRules', networkId, cache.contentRulesOf(networkId)),
    invalidate: (networkId) => cache.invalidate(networkId),
  };
}

function observedRoleCache(cache: RoleCache, log: ReadLog): RoleCache {
  return {
    peekPermissions(networkId, roleIds) {
      log.reportUncovered('roles in memory');
      return cache.peekPermissions(networkId, roleIds);
    },
    rolesById(networkId, roleIds) {
      log.reportUncovered('roles by id');
      return cache.rolesById(networkId, roleIds);
    },
    rolesOf: (networkId) => log.cached('roles', networkId, cache.rolesOf(networkId)),
  };
}
