import { EJSON } from 'bson';
import { ObjectId } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { sampleFiles } from '../../src/sample/pictures.ts';
import { buildSampleNetwork } from '../../src/sample/sample-network.ts';

const options = { networkId: 'garden', now: new Date('2026-11-21T12:00:00Z') };
const network = buildSampleNetwork(options);

/** Whether a value is not null, empty, zero or false. */
function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === false) return false;
  if (value instanceof Date || value instanceof ObjectId) return true;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Every path through plain objects and arrays; array elements are written `[]`. */
function filledPaths(value: unknown, path = ''): Array<[path: string, filled: boolean]> {
  const here: Array<[string, boolean]> = path ? [[path, isFilled(value)]] : [];
  if (Array.isArray(value)) return [...here, ...value.flatMap((element) => filledPaths(element, `${path}[]`))];
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof ObjectId) return here;
  if (/(^|\.)(metadata|reactions|exif|gps)$/.test(path) && !path.startsWith('attributes')) return here;
  return [
    ...here,
    ...Object.entries(value).flatMap(([key, field]) => filledPaths(field, path ? `${path}.${key}` : key)),
  ];
}

describe('the sample network', () => {
  test('is the same every time', () => {
    expect(EJSON.stringify(buildSampleNetwork(options))).toBe(EJSON.stringify(network));
  });

  test('shares no internal id with the sample of another network', () => {
    const other = buildSampleNetwork({ ...options, networkId: 'allotment' });
    const idsOf = (one: typeof network) =>
      Object.values(one).flatMap((records) => records.map((record) => String(record._id)));
    const ids = new Set(idsOf(network));
    expect(idsOf(other).filter((id) => ids.has(id))).toEqual([]);
  });

  test.each(Object.entries(network))('fills every field of %s in at least one record', (_, records) => {
    expect(records.length).toBeGreaterThan(0);
    const filled = new Map<string, boolean>();
    for (const record of records) {
      for (const [path, isHere] of filledPaths(record)) filled.set(path, isHere || (filled.get(path) ?? false));
    }
    const empty = [...filled].filter(([, isHere]) => !isHere).map(([path]) => path);
    expect(empty).toEqual([]);
  });

  test('fills every optional part of the data of posts and stories', () => {
    const postKeys = new Set(network.posts.flatMap((post) => Object.keys(post.data)));
    for (const key of ['title', 'text', 'fileId', 'thumbnailFileId', 'streamId', 'videoFileId', 'pollId', 'roomId']) {
      expect(postKeys).toContain(key);
    }
    const storyKeys = new Set(network.stories.flatMap((story) => Object.keys(story.data)));
    for (const key of ['text', 'fileId', 'thumbnailFileId', 'imageDisplayMode', 'videoFileId']) {
      expect(storyKeys).toContain(key);
    }
    const sizes = {
      original: expect.any(String),
      low: expect.any(String),
      medium: expect.any(String),
      high: expect.any(String),
    };
    expect(network.posts.find((post) => post.data.videoFileId)?.data.videoFileId).toEqual(sizes);
    expect(network.stories.find((story) => story.data.videoFileId)?.data.videoFileId).toEqual(sizes);
  });

  test('has the users that the documentation names', () => {
    const user = (userId: string) => network.users.find((one) => one.userId === userId);
    const membership = (userId: string) =>
      network.communityUsers.find((one) => one.communityId === 'gardeners' && one.userId === userId);
    expect(user('admin')).toMatchObject({ roles: ['global-admin'] });
    expect(membership('alice')).toMatchObject({
      communityMembership: 'member',
      roles: ['member', 'community-moderator'],
    });
    expect(membership('bob')).toMatchObject({ communityMembership: 'member', roles: ['member'] });
    expect(membership('carol')).toMatchObject({ communityMembership: 'member', roles: ['member'] });
    expect(membership('dave')).toMatchObject({ communityMembership: 'banned', isBanned: true });
    expect(user('erin')).toBeDefined();
    expect(membership('erin')).toBeUndefined();
  });

  test('has a post with exactly ten comments by ten users', () => {
    const comments = network.comments.filter((comment) => comment.referenceId === 'seedlings');
    expect(comments).toHaveLength(10);
    expect(new Set(comments.map((comment) => comment.userId)).size).toBe(10);
    const post = network.posts.find(({ postId }) => postId === 'seedlings');
    expect(post).toMatchObject({ commentsCount: 10, comments: comments.map(({ commentId }) => commentId) });
  });

  test('has stories, mutes and an open poll that end after the time of creation', () => {
    const live = network.stories.filter((story) => !story.isDeleted && story.expiresAt > options.now);
    expect(new Set(live.map((story) => story.targetId)).size).toBeGreaterThanOrEqual(3);
    expect(
      network.polls.filter((poll) => poll.status === 'open' && !poll.isDeleted && poll.closedAt > options.now),
    ).not.toEqual([]);
    for (const poll of network.polls) expect(poll.closedAt.getTime() - poll.createdAt.getTime()).toBe(poll.closedIn);
    const muted = [...network.channels, ...network.channelUsers].filter((one) => one.isMuted);
    for (const one of muted) expect(one.muteTimeout?.getTime()).toBeGreaterThan(options.now.getTime());
  });

  test('dates every record after the records it refers to, and before the time of creation', () => {
    const begun = new Map<string, Date>([
      ...network.users.map((user) => [`user/${user.userId}`, user.createdAt] as const),
      ...network.posts.map((post) => [`post/${post.postId}`, post.createdAt] as const),
      ...network.comments.map((comment) => [`comment/${comment.commentId}`, comment.createdAt] as const),
      ...network.stories.map((story) => [`story/${story.storyId}`, story.createdAt] as const),
      ...network.messages.map((message) => [`message/${message.messageId}`, message.createdAt] as const),
      ...network.channels.map((channel) => [`channel/${channel.channelId}`, channel.createdAt] as const),
    ]);
    const follows = [
      ...[...network.reactions, ...network.flags, ...network.comments].map((record) => ({
        createdAt: record.createdAt,
        after: `${record.referenceType}/${record.referenceId}`,
      })),
      ...network.posts.map((post) => ({ createdAt: post.createdAt, after: `user/${post.postedUserId}` })),
      ...network.pins.map((pin) => ({ createdAt: pin.pinnedAt, after: `post/${pin.referenceId}` })),
      ...network.messages.map((message) => ({ createdAt: message.createdAt, after: `channel/${message.channelId}` })),
    ];
    for (const { createdAt, after } of follows) {
      expect(createdAt.getTime(), after).toBeGreaterThanOrEqual(begun.get(after)?.getTime() ?? Number.NaN);
    }
    for (const record of Object.values(network).flat()) {
      expect(record.updatedAt.getTime()).toBeGreaterThanOrEqual(record.createdAt.getTime());
      expect(record.updatedAt.getTime()).toBeLessThanOrEqual(options.now.getTime());
    }
  });

  test('uses ids that are valid for clients', () => {
    const publicIds = Object.values(network).flatMap((records: object[]) =>
      records.flatMap((record) =>
        Object.entries(record).filter(([key, value]) => /Id$/.test(key) && typeof value === 'string'),
      ),
    );
    for (const [key, id] of publicIds) expect(id.length, `${key} ${id}`).toBeLessThanOrEqual(50);
    for (const message of network.messages) expect(message.messageId).toBe(message._id.toHexString());
    for (const feed of network.messageFeeds) expect(feed.messageFeedId).toBe(feed._id.toHexString());
    expect(publicIds.length).toBeGreaterThan(100);
  });

  test('has the paths from which topics are derived', () => {
    const net = 'garden';
    const [user] = network.users;
    expect(user?.path).toBe(`${net}/user/${user?._id}`);
    const [community] = network.communities;
    expect(community?.path).toBe(`${net}/social/community/${community?._id}`);
    for (const channel of network.channels) expect(channel.path).toBe(`${net}/chat/${channel._id}`);
    for (const message of network.messages) {
      expect(message.path).toBe(
        `${net}/chat/${message.channelInternalId}/${message.messageFeedId}/${message.messageId}`,
      );
    }
    for (const post of network.posts) {
      expect(post.path).toBe(`${net}/social/${post.targetType}/${post.targetInternalId}/post/${post.postId}`);
    }
    for (const story of network.stories) {
      expect(story.path).toBe(`${net}/social/${story.targetType}/${story.targetId}/story/${story.storyId}`);
    }
    const places = new Map([
      ...network.posts.map((post) => [post.postId, post.path] as const),
      ...network.stories.map((story) => [story.storyId, story.path] as const),
    ]);
    for (const comment of network.comments) {
      expect(comment.path).toBe(`${places.get(comment.referenceId)}/comment/${comment.commentId}`);
    }
  });

  test('describes its files correctly', () => {
    const files = new Map(sampleFiles().map((file) => [file.fileId, file]));
    expect(network.files).toHaveLength(files.size);
    for (const record of network.files) {
      const file = files.get(record.fileId);
      expect(record.attributes).toMatchObject({
        size: file?.content.length,
        mimeType: file?.mimeType,
        metadata: { width: file?.width, height: file?.height },
      });
    }
  });
});
