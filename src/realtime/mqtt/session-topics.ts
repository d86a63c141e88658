import type { Context } from '../../context.ts';
import { changeMqttTopics, type MqttConnectionKey } from '../../domain/mqtt-session/mqtt-session.ts';
import { LIVE_LIMITS } from '../../limits/limits.ts';
import { canSubscribe } from './match-topics.ts';
import type { MqttSubscriber } from './mqtt-network.ts';

/** The topics of one connection, which its stored session keeps. */
export interface SessionTopics {
  /** Continues with a topic of an earlier connection. Beyond the user's limit it is left out. */
  restore(topic: string): Promise<void>;
  /** Adds the topics that the viewer can subscribe to, within the limits. @returns those granted, once they are stored */
  grant(topics: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes topics; resolves once they are removed from the stored session. */
  revoke(topics: readonly string[]): Promise<void>;
  close(): void;
}

export interface SessionTopicsOptions {
  networkId: string;
  /** Null for a clean session, whose topics are not stored. */
  connection: MqttConnectionKey | null;
  subscriber: MqttSubscriber;
  contextOf(): Context;
  /** Acquires the quota of the user's topics. @throws {OperationError} RATE_LIMITED */
  acquire(): () => void;
  withDeadline<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createSessionTopics({
  networkId,
  connection,
  subscriber,
  contextOf,
  acquire,
  withDeadline,
}: SessionTopicsOptions): SessionTopics {
  /** Granted topics with the release of their quota, oldest first. */
  const topics = new Map<string, () => void>();
  /** Topics of earlier connections that this one has not requested, oldest first. */
  const restored = new Set<string>();
  let isClosed = false;

  /** Starts to deliver a topic's events. @returns false beyond the user's limit */
  async function add(topic: string): Promise<boolean> {
    if (topics.has(topic)) return true;
    try {
      topics.set(topic, acquire());
    } catch {
      return false;
    }
    try {
      await withDeadline(() => subscriber.add(topic));
    } catch (error) {
      remove(topic);
      throw error;
    }
    return true;
  }

  function remove(topic: string): void {
    topics.get(topic)?.();
    topics.delete(topic);
    restored.delete(topic);
    subscriber.remove(topic);
  }

  /** Removes the oldest topic of an earlier connection, which its client may have forgotten. */
  function removeOldest(): string | null {
    const [oldest] = restored;
    if (oldest !== undefined) remove(oldest);
    return oldest ?? null;
  }

  async function store(added: readonly string[], removed: readonly string[]): Promise<void> {
    if (connection === null || added.length + removed.length === 0) return;
    await withDeadline(() => changeMqttTopics(contextOf(), connection, { added, removed }));
  }

  async function allowed(requested: readonly string[]): Promise<string[]> {
    const unique = [...new Set(requested)].slice(0, LIVE_LIMITS.mqttTopics);
    const context = contextOf();
    const results = await withDeadline(() =>
      Promise.all(unique.map((topic) => canSubscribe(context, networkId, topic))),
    );
    return unique.filter((_, index) => results[index]);
  }

  return {
    async restore(topic) {
      if (!isClosed && topics.size < LIVE_LIMITS.mqttTopics && (await add(topic))) restored.add(topic);
    },
    async grant(requested) {
      const granted = new Set<string>();
      const added: string[] = [];
      const removed: string[] = [];
      try {
        for (const topic of await allowed(requested)) {
          if (isClosed) return granted;
          const isNew = !topics.has(topic);
          if (isNew && topics.size >= LIVE_LIMITS.mqttTopics) {
            const oldest = removeOldest();
            if (oldest === null) continue;
            removed.push(oldest);
          }
          if (!(await add(topic))) continue;
          restored.delete(topic);
          granted.add(topic);
          if (isNew) added.push(topic);
        }
        await store(added, removed);
        return granted;
      } catch (error) {
        for (const topic of added) remove(topic);
        throw error;
      }
    },
    async revoke(given) {
      const removed = given.filter((topic) => topics.has(topic));
      for (const topic of removed) remove(topic);
      await store([], removed);
    },
    close() {
      isClosed = true;
      for (const release of topics.values()) release();
      topics.clear();
    },
  };
}
