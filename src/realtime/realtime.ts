import type { Services } from '../context.ts';
import type { LiveEvent } from '../events/log.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createLiveSessions, type LiveSessions } from './subscribers/live-sessions.ts';
import { createUserQuota, type UserQuota } from './subscribers/user-quota.ts';
import { createMemberships, type Memberships } from './visibility/memberships.ts';

/**
 * Realtime delivery, shared by all transports of one process. An *event* is read from the log (`src/events`). Its
 * *visibility* decides which subscribers may see it (`visibility/`). A *rendering* is its text, shared by subscribers
 * with equal rights (`rendering/`). Each group of *subscribers* receives renderings through an ordered queue
 * (`subscribers/`). The fan-out connects the four.
 */
export interface Realtime {
  fanOut: FanOut;
  sessions: LiveSessions;
  memberships: Memberships;
  /** Open sockets, streams and long polls. */
  connectionQuota: UserQuota;
  /** Subscriptions on sockets. */
  subscriptionQuota: UserQuota;
  /** Topics of MQTT connections. */
  topicQuota: UserQuota;
  close(): void;
}

export interface RealtimeOptions {
  services: Services;
  /** Connections that one user may hold open to this process. */
  perUser: number;
  /** Subscriptions that one user may have on all sockets to this process. */
  subscriptionsPerUser: number;
  /** Topics that one user may listen to on all MQTT connections to this process. */
  topicsPerUser: number;
  /** Called for an event that cannot be rendered for some subscribers. */
  onError(error: unknown, live: LiveEvent): void;
}

export function createRealtime({
  services,
  perUser,
  subscriptionsPerUser,
  topicsPerUser,
  onError,
}: RealtimeOptions): Realtime {
  const memberships = createMemberships(services.events, services.store, services.now);
  const sessions = createLiveSessions(services.events, services, memberships.forget);
  return {
    fanOut: createFanOut({ services, hub: services.events, memberships, onError }),
    sessions,
    memberships,
    connectionQuota: createUserQuota(perUser, 'connections'),
    subscriptionQuota: createUserQuota(subscriptionsPerUser, 'subscriptions'),
    topicQuota: createUserQuota(topicsPerUser, 'topics'),
    close() {
      memberships.close();
      sessions.close();
    },
  };
}
