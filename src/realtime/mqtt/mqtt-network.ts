import { createContext, type Services, type Viewer } from '../../context.ts';
import { unavailability } from '../../database-errors.ts';
import { channelIdsOfMember, MAX_JOINED } from '../../domain/channel/lists/member-channel-ids.ts';
import { REALTIME_NAMES } from '../../events/catalogue.ts';
import type { LiveEvent } from '../../events/log.ts';
import type { FanOut } from '../fan-out.ts';
import type { Listener, Subscription, SubscriptionSpec } from '../subscription-spec.ts';
import type { LazyEventView } from '../visibility/lazy-event-view.ts';
import type { Membership, Memberships } from '../visibility/memberships.ts';
import { type ChannelMembers, createChannelMembers, type ListeningUser } from './channel-members.ts';
import { isOwnFilter, isPublicReceiptFilter, type OwnTopic, ownFilter, ownTopicOf, topicsOf } from './event-topics.ts';
import { filtersOf } from './match-topics.ts';
import { createTopicIndex } from './topic-index.ts';

/** One MQTT connection, as a receiver of events. */
export interface MqttListener {
  session: Listener['session'];
  /** Sends an event under a topic; must not block. */
  publish(topic: string, text: string): void;
  /** Called with the event that banned or deleted the user, whose session has ended. */
  onAccountEnded(live: LiveEvent, topic: string): void;
  /** Called when events were missed: the connection must end. */
  onLost: Listener['onLost'];
}

/** The subscriptions of one MQTT connection. */
export interface MqttSubscriber {
  /** Starts to receive the events of a topic filter; resolves when none that is committed from now on is missed. */
  add(filter: string): Promise<void>;
  remove(filter: string): void;
  close(): void;
}

export interface MqttNetworkOptions {
  services: Services;
  fanOut: FanOut;
  memberships: Memberships;
  render: SubscriptionSpec['render'];
}

/** The MQTT connections to one network. They share one subscription spec, and therefore renderings. */
export interface MqttNetwork {
  spec: SubscriptionSpec;
  join(listener: MqttListener): MqttSubscriber;
}

interface User extends ListeningUser {
  /** Connections and their own filters that need the user's channels. */
  references: number;
  loading: Promise<void>;
}

/** Events that end the sessions of their user. */
const ACCOUNT_END_EVENTS = new Set(['user.didGlobalBan', 'user.deleted']);
/** Members up to which those of a new channel are read from the channel, instead of once for each listening user. */
const FEW_MEMBERS = 500;

/**
 * Routes the events of a network to MQTT connections: by topic filters, then by the channels of the users who listen to
 * their own. A connection that several topics match receives an event once. Visibility is evaluated afterwards, by the
 * renderer.
 */
export function createMqttNetwork(
  networkId: string,
  { services, fanOut, memberships, render }: MqttNetworkOptions,
): MqttNetwork {
  const filters = createTopicIndex<Listener>();
  /** Filters of connections for which {@link isPublicReceiptFilter} is true. */
  let publicReceipts = 0;
  const members: ChannelMembers<User> = createChannelMembers();
  /** The listeners of each user, who may be banned or deleted. */
  const byUser = createTopicIndex<MqttListener>();
  /** The topics under which an event that is being delivered is sent. */
  const topics = new Map<LiveEvent, ReadonlyMap<Listener, string>>();
  /** New channels whose first members are being loaded; later events of such a channel wait. */
  const loadingMembers = new Map<string, Promise<void>>();

  const spec: SubscriptionSpec = {
    key: 'mqtt',
    types: new Set(REALTIME_NAMES),
    topic: null,
    render,
    async audience(live, lazyView) {
      // Synchronously, because later events may be routed before this one.
      followMemberships(live, lazyView);
      const audience = new Map<Listener, string>();
      for (const topic of await topicsOf(live, lazyView, { hasPublicReceipts: publicReceipts > 0 })) {
        for (const filter of filtersOf(live.event.type, topic)) {
          for (const listener of filters.listenersOf(filter))
            if (!audience.has(listener)) audience.set(listener, topic);
        }
      }
      if (members.users.size > 0) await addMembers(live, lazyView, audience);
      if (ACCOUNT_END_EVENTS.has(live.event.type)) notifyEndedUser(live, audience);
      topics.set(live, audience);
      return audience.keys();
    },
    // The log keeps thousands of events in memory, so their audiences must not be kept with them.
    onSettled: (live) => void topics.delete(live),
  };

  /** Delivers to the banned or deleted user apart from the audience: their sessions have ended, so they see no event. */
  function notifyEndedUser(live: LiveEvent, audience: Map<Listener, string>): void {
    const { userId } = live.event.data as { userId: string };
    for (const listener of audience.keys()) if (listener.session.viewer.userId === userId) audience.delete(listener);
    for (const listener of [...byUser.listenersOf(userId)]) listener.onAccountEnded(live, live.event.path);
  }

  /** Adds the listeners to their own channels. */
  async function addMembers(live: LiveEvent, lazyView: LazyEventView, audience: Map<Listener, string>): Promise<void> {
    const own = await ownTopicOf(live, lazyView);
    if (!own) return;
    await membersLoaded(own.channelId, lazyView);
    const candidates = [...members.usersOf(own.channelId)].filter((user) => hasListener(user, own));
    if (candidates.length === 0) return;
    const scope = { type: 'channel', id: own.channelId } as const;
    const known = await memberships.load(
      networkId,
      scope,
      candidates.map(({ userId }) => userId),
    );
    const named = new Set(namedUsers(live));
    for (const user of candidates) {
      if (!named.has(user.userId) && !isMember(known.get(user.userId) ?? null)) continue;
      const topic = ownFilter(networkId, user.userInternalId, own.leaf);
      for (const listener of filters.listenersOf(topic)) if (!audience.has(listener)) audience.set(listener, topic);
    }
  }

  function hasListener({ userInternalId }: User, { leaf }: OwnTopic): boolean {
    return filters.listenersOf(ownFilter(networkId, userInternalId, leaf)).size > 0;
  }

  /** Adds the users of an event about members, and starts to load the first members of a new channel. */
  function followMemberships(live: LiveEvent, lazyView: LazyEventView): void {
    if (members.users.size === 0 || !live.event.type.startsWith('channel.')) return;
    const { channelId } = live.event.data as { channelId: string };
    members.addMembers(channelId, namedUsers(live));
    if (live.event.type === 'channel.created') startLoading(channelId, lazyView);
  }

  function startLoading(channelId: string, lazyView: LazyEventView): Promise<void> {
    const loading = loadMembers(channelId, lazyView);
    const forget = () => {
      if (loadingMembers.get(channelId) === loading) loadingMembers.delete(channelId);
    };
    loadingMembers.set(channelId, loading);
    // While the database is unavailable, later events of the channel must not be routed without its members.
    loading.then(forget, (error: unknown) => unavailability(error) === null && forget());
    return loading;
  }

  /** Waits until the members of a new channel are known, and loads them again after a failure. */
  async function membersLoaded(channelId: string, lazyView: LazyEventView): Promise<void> {
    const loading = loadingMembers.get(channelId);
    if (!loading) return;
    await loading.catch(() => {
      const current = loadingMembers.get(channelId);
      // The event that created the channel may not be retried: all connections may have been closed meanwhile.
      return current === loading ? startLoading(channelId, lazyView) : current;
    });
  }

  async function loadMembers(channelId: string, lazyView: LazyEventView): Promise<void> {
    const channel = await lazyView.load.channels.load(channelId);
    if (channel && channel.memberCount <= FEW_MEMBERS) {
      const first = (await lazyView.load.channelMembers.load([channelId, 'member'])) ?? [];
      members.addMembers(
        channelId,
        first.map(({ userId }) => userId),
      );
      return;
    }
    const known = await memberships.load(networkId, { type: 'channel', id: channelId }, members.users.keys());
    members.addMembers(
      channelId,
      [...known].filter(([, membership]) => isMember(membership)).map(([userId]) => userId),
    );
  }

  async function loadChannels(user: User, viewer: Viewer): Promise<void> {
    const deadline = performance.now() + services.config.DATABASE_TIMEOUT_MS;
    const context = createContext(services, viewer, undefined, deadline);
    const channelIds = await channelIdsOfMember(context, user.userId);
    members.add(user, channelIds, channelIds.length >= MAX_JOINED);
  }

  function acquireUser(viewer: Viewer): User {
    let user = members.users.get(viewer.userId);
    if (!user) {
      const { userId, userInternalId } = viewer;
      user = { userId, userInternalId, references: 0, loading: Promise.resolve() };
      members.track(user);
      // Events that add the user to channels are followed from here on, so none is missed.
      user.loading = loadChannels(user, viewer);
    }
    user.references += 1;
    return user;
  }

  function releaseUser(user: User): void {
    user.references -= 1;
    if (user.references === 0) members.untrack(user);
  }

  function join(given: MqttListener): MqttSubscriber {
    const { viewer } = given.session;
    const added = new Map<string, User | null>();
    const listener: Listener = {
      session: given.session,
      deliver(text, live) {
        const topic = topics.get(live)?.get(listener);
        if (topic !== undefined) given.publish(topic, text);
      },
      // MQTT has no form for an event that cannot be delivered.
      onUndeliverable: () => undefined,
      onLost: given.onLost,
    };
    const subscription: Subscription = fanOut.subscribe(spec, listener);
    byUser.add(viewer.userId, given);
    function remove(filter: string): void {
      const user = added.get(filter);
      if (!added.delete(filter)) return;
      if (isPublicReceiptFilter(filter)) publicReceipts -= 1;
      filters.remove(filter, listener);
      if (user) releaseUser(user);
    }
    return {
      async add(filter) {
        if (added.has(filter)) return;
        filters.add(filter, listener);
        const user = isOwnFilter(networkId, filter) ? acquireUser(viewer) : null;
        added.set(filter, user);
        if (isPublicReceiptFilter(filter)) publicReceipts += 1;
        try {
          await user?.loading;
        } catch (error) {
          remove(filter);
          throw error;
        }
      },
      remove,
      close() {
        for (const filter of [...added.keys()]) remove(filter);
        byUser.remove(viewer.userId, given);
        subscription.close();
      },
    };
  }

  return { spec, join };
}

/** Users that an event about members names, who may have left. */
function namedUsers({ event }: LiveEvent): readonly string[] {
  return event.type.startsWith('channel.') ? ((event.data as { userIds?: readonly string[] }).userIds ?? []) : [];
}

function isMember(membership: Membership | null): boolean {
  return membership !== null && 'membership' in membership && membership.membership === 'member';
}
