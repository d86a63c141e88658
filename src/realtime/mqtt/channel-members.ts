/** A user with MQTT connections to this process who listens to the events of their channels. */
export interface ListeningUser {
  userId: string;
  userInternalId: string;
}

/**
 * The channels of the listening users of one network. It selects candidates for an event, whose
 * membership the caller checks: it may contain users who have left, but never misses a member.
 */
export interface ChannelMembers<User extends ListeningUser> {
  readonly users: ReadonlyMap<string, User>;
  /** Starts to track a user. Until {@link add} has been called with all their channels, some may be missing. */
  track(user: User): void;
  /** @param hasMore whether they are members of further channels */
  add(user: User, channelIds: Iterable<string>, hasMore?: boolean): void;
  /** Adds users who may have become members. */
  addMembers(channelId: string, userIds: Iterable<string>): void;
  untrack(user: User): void;
  /** Users who may be members of the channel. */
  usersOf(channelId: string): Iterable<User>;
}

interface Channel<User> {
  id: string;
  users: Set<User>;
}

export function createChannelMembers<User extends ListeningUser>(): ChannelMembers<User> {
  const users = new Map<string, User>();
  const channels = new Map<string, Channel<User>>();
  /** Shares the id between all members. */
  const channelsOf = new Map<User, Set<Channel<User>>>();
  const withMore = new Set<User>();

  function addTo(channelId: string, user: User): void {
    const joined = channelsOf.get(user);
    if (!joined) return;
    let channel = channels.get(channelId);
    if (!channel) {
      channel = { id: channelId, users: new Set() };
      channels.set(channelId, channel);
    }
    channel.users.add(user);
    joined.add(channel);
  }

  return {
    users,
    track(user) {
      users.set(user.userId, user);
      channelsOf.set(user, new Set());
    },
    add(user, channelIds, hasMore = false) {
      if (!channelsOf.has(user)) return;
      for (const channelId of channelIds) addTo(channelId, user);
      if (hasMore) withMore.add(user);
    },
    addMembers(channelId, userIds) {
      for (const userId of userIds) {
        const user = users.get(userId);
        if (user) addTo(channelId, user);
      }
    },
    untrack(user) {
      for (const channel of channelsOf.get(user) ?? []) {
        channel.users.delete(user);
        if (channel.users.size === 0) channels.delete(channel.id);
      }
      channelsOf.delete(user);
      withMore.delete(user);
      if (users.get(user.userId) === user) users.delete(user.userId);
    },
    *usersOf(channelId) {
      const members = channels.get(channelId)?.users;
      if (members) yield* members;
      for (const user of withMore) if (!members?.has(user)) yield user;
    },
  };
}
