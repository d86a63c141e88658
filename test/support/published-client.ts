type Row = { [field: string]: unknown };

/** Keys of `data` that the published clients require, see docs/interface.md#what-clients-read. */
const KEYS: { [event: string]: readonly string[] } = {
  'post.addReaction': ['posts', 'reactor'],
  'community.userChanged': ['communities', 'communityUsers', 'users'],
  'channel.deleted': ['channels', 'channelUsers', 'users'],
  'user.flagCleared': ['users', 'files'],
};

/** Fields of records that the published clients read without checking that they exist. */
const UNGUARDED: { [array: string]: readonly string[] } = {
  users: ['path', '_id'],
  channels: ['channelInternalId', 'type'],
  messages: ['channelPublicId', 'creatorPublicId'],
  messageFeeds: ['creatorPublicId'],
  comments: ['children'],
  stories: ['storyId'],
  communityUsers: ['permissions', 'communityMembership'],
  channelUsers: ['membership'],
};

/** The reasons why a published client would fail on an envelope. It reads only `eventType` and `data`. */
export function clientProblems(text: string, handlers: ReadonlySet<string>): string[] {
  const { eventType, data } = JSON.parse(text) as { eventType?: unknown; data?: Row };
  if (typeof eventType !== 'string' || !handlers.has(eventType)) return [`no handler for ${String(eventType)}`];
  if (typeof data !== 'object' || data === null) return ['data is missing'];
  const missing = (KEYS[eventType] ?? []).filter((key) => data[key] === undefined || data[key] === null);
  const unread = Object.entries(UNGUARDED).flatMap(([array, fields]) =>
    ((data[array] as Row[] | undefined) ?? []).flatMap((row) =>
      fields.filter((field) => row[field] === undefined || row[field] === null).map((field) => `${array}.${field}`),
    ),
  );
  return [...missing, ...unread].map((place) => `${place} is missing`);
}
