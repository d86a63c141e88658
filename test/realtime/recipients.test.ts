import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit } from '../support/emit.ts';
import { ask } from '../support/mutate.ts';
import { messageEvent, overEveryTransport, reactionEvent, useRights } from './rights-fixtures.ts';

const rights = useRights();
const { mutate, subscribe, createUser, createCommunity, createPost, createMessage } = rights;

describe('delivers private events only to their users', () => {
  test('a post in review to its author and the moderators', async () => {
    const [author, member, moderator] = [await createUser(), await createUser(), await createUser()];
    const communityId = await createCommunity(moderator, [author, member], { needApprovalOnPostCreation: true });
    const watchers = await Promise.all([author, member, moderator].map((userId) => subscribe(userId, 'post.created')));
    const waiting = await createPost(author, communityId, 'secret');
    await createPost(await createUser(), null, 'open');
    for (const watcher of watchers)
      await expect
        .poll(() => Object.values(watcher.paths()).every((paths) => paths.length > 0), { timeout: 30_000 })
        .toBe(true);
    const path = (await rights.gateway.services.store.collections.posts.findOne({
      networkId: 'default',
      postId: waiting,
    }))!.path.replace('default/', '');
    await watchers[0]!.until(path);
    await watchers[2]!.until(path);
    expect(Object.values(watchers[1]!.paths()).flat()).not.toContain(path);
    expect(watchers[1]!.text()).not.toContain('secret');
  });

  test('a conversation to its members', async () => {
    const [one, other, stranger] = [await createUser(), await createUser(), await createUser()];
    const { channel } = await mutate(one, 'createConversation', { userIds: [other] }, 'channel { channelId }');
    const open = await mutate(one, 'createConversation', { userIds: [stranger] }, 'channel { channelId }');
    const event = messageEvent(await createMessage(one, channel.channelId));
    const visibleEvent = messageEvent(await createMessage(one, open.channel.channelId));
    const [member, outsider] = [
      await subscribe(other, 'message.updated'),
      await subscribe(stranger, 'message.updated'),
    ];
    await emit(rights.gateway, [event('a'), visibleEvent('b')]);
    await member.until('a');
    await outsider.until('b');
    expect(member.paths()).toEqual(overEveryTransport(['a']));
    expect(outsider.paths()).toEqual(overEveryTransport(['b']));
  });

  test('reactions of a blocked user on visible posts, as in lists of reactions', async () => {
    const [one, blocked] = [await createUser(), await createUser()];
    const postId = await createPost(await createUser(), null);
    await mutate(one, 'blockUser', { userId: blocked });
    const watcher = await subscribe(one, 'post.addReaction', 'reactor { userId }');
    await emit(rights.gateway, [reactionEvent(postId, blocked)('a')]);
    await watcher.until('a');
    expect(watcher.text()).toContain(blocked);
    const reactions = `{ reactions(referenceType: POST, referenceId: "${postId}", first: 10) { edges { node { userId } } } }`;
    await mutate(blocked, 'addReaction', { referenceType: 'POST', referenceId: postId, reactionName: 'like' });
    expect(JSON.stringify(await ask(rights.gateway, reactions, { as: one }))).toContain(blocked);
  });

  test('read positions to their user', async () => {
    const [one, other] = [await createUser(), await createUser()];
    const [own, others] = [
      await subscribe(one, 'marker.userFeed-updated'),
      await subscribe(other, 'marker.userFeed-updated'),
    ];
    const markerEvent = (userId: string, path: string): NewEvent => ({
      type: 'marker.userFeed-updated',
      path: `default/${path}`,
      data: { userId, feedIds: [] },
    });
    await emit(rights.gateway, [markerEvent(one, 'one'), markerEvent(other, 'other')]);
    await own.until('one');
    await others.until('other');
    expect(own.paths().socket).toEqual(['one']);
    expect(others.paths().rest).toEqual(['other']);
  });
});

describe('delivers a deletion to users who could see the record, without its content', () => {
  test('of a post', async () => {
    const [author, member, stranger] = [await createUser(), await createUser(), await createUser()];
    const communityId = await createCommunity(author, [member]);
    const postId = await createPost(author, communityId, 'deleted text');
    const path = (await rights.gateway.services.store.collections.posts.findOne({
      networkId: 'default',
      postId,
    }))!.path.replace('default/', '');
    const open = await createPost(stranger, null);
    const watcher = await subscribe(member, 'post.deleted', 'post { postId data { text } metadata tags }');
    const outsider = await subscribe(stranger, 'post.deleted');
    await mutate(author, 'deletePost', { postId });
    await watcher.until(path);
    expect(watcher.text()).not.toContain('deleted text');
    await mutate(stranger, 'deletePost', { postId: open });
    await expect
      .poll(() => Object.values(outsider.paths()).every((paths) => paths.length === 1), { timeout: 30_000 })
      .toBe(true);
    expect(Object.values(outsider.paths()).flat()).not.toContain(path);
  });

  test('of a post, without its comments and reactions', async () => {
    const [author, member] = [await createUser(), await createUser()];
    const communityId = await createCommunity(author, [member]);
    const postId = await createPost(author, communityId);
    const comment = { referenceType: 'POST', referenceId: postId, data: { text: 'deleted text' } };
    const { commentId } = (await mutate(member, 'createComment', comment, 'comment { commentId }')).comment;
    const reply = { referenceType: 'POST', referenceId: postId, parentId: commentId, data: { text: 'deleted text' } };
    await mutate(author, 'createComment', reply);
    const reaction = { referenceType: 'POST', referenceId: postId, reactionName: 'deleted reaction' };
    await mutate(member, 'addReaction', reaction);
    const { path } = (await rights.gateway.services.store.collections.posts.findOne({ networkId: 'default', postId }))!;
    const select = `post {
      comments(first: 10, filter: { filterByParentId: false }) { edges { node { data } } }
      reactors(first: 10) { edges { node { reactionName } } }
      children(first: 10) { edges { node { postId } } }
      latestComments { data }
    }`;
    const [watcher, moderatorWatcher] = [
      await subscribe(member, 'post.deleted', select),
      await subscribe(author, 'post.deleted', select),
    ];
    await mutate(author, 'deletePost', { postId });
    await watcher.until(path.replace('default/', ''));
    await moderatorWatcher.until(path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
    expect(watcher.text()).not.toContain('"deleted reaction"}');
    expect(moderatorWatcher.text()).toContain('deleted text');
    expect(moderatorWatcher.text()).toContain('"deleted reaction"}');
  });

  test('of a story, without its comments and reactions', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const communityId = await createCommunity(owner, [member]);
    const created = await mutate(
      owner,
      'createStory',
      { targetType: 'COMMUNITY', targetId: communityId, dataType: 'TEXT', data: { text: 'deleted text' } },
      'story { storyId path }',
    );
    const { storyId, path } = created.story;
    const reference = { referenceType: 'STORY', referenceId: storyId };
    await mutate(member, 'createComment', { ...reference, data: { text: 'deleted text' } });
    await mutate(member, 'addReaction', { ...reference, reactionName: 'deleted reaction' });
    const watcher = await subscribe(
      member,
      'story.deleted',
      `story {
        data { text }
        comments(first: 10) { edges { node { data } } }
        reactors(first: 10) { edges { node { reactionName } } }
      }`,
    );
    await mutate(owner, 'deleteStory', { storyId });
    await watcher.until(path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
    expect(watcher.text()).not.toContain('"deleted reaction"}');
  });

  test('of a message feed, without its messages', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const create = { displayName: 'X', isPublic: false, userIds: [member] };
    const { channelId } = (await mutate(owner, 'createChannel', create, 'channel { channelId }')).channel;
    const { messageFeedId, path } = (
      await mutate(owner, 'createMessageFeed', { channelId, name: 'Aside' }, 'messageFeed { messageFeedId path }')
    ).messageFeed;
    await mutate(member, 'sendMessage', { messageFeedId, data: { text: 'deleted text' } });
    const select = `messageFeed {
      lastMessage { data }
      messagePreview { data }
      messages(first: 10) { edges { node { data } } }
      channel { messagePreview { data } }
    }`;
    const [watcher, moderatorWatcher] = [
      await subscribe(member, 'message-feed.deleted', select),
      await subscribe(owner, 'message-feed.deleted', select),
    ];
    await mutate(owner, 'deleteMessageFeed', { messageFeedId });
    await watcher.until(path.replace('default/', ''));
    await moderatorWatcher.until(path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
    expect(moderatorWatcher.text()).toContain('deleted text');
  });

  test('of a message', async () => {
    const [one, other] = [await createUser(), await createUser()];
    const { channel } = await mutate(one, 'createConversation', { userIds: [other] }, 'channel { channelId }');
    const input = { channelId: channel.channelId, data: { text: 'deleted text' } };
    const { chatMessage } = await mutate(one, 'sendMessage', input, 'chatMessage { messageId path }');
    const watcher = await subscribe(other, 'message.deleted', 'chatMessage { messageId data metadata tags }');
    await mutate(one, 'deleteMessage', { messageId: chatMessage.messageId });
    await watcher.until(chatMessage.path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
  });

  test('of a comment', async () => {
    const [one, other] = [await createUser(), await createUser()];
    const postId = await createPost(one, null);
    const input = { referenceType: 'POST', referenceId: postId, data: { text: 'deleted text' } };
    const { comment } = await mutate(one, 'createComment', input, 'comment { commentId path }');
    const watcher = await subscribe(other, 'comment.deleted', 'comment { commentId data metadata }');
    await mutate(one, 'deleteComment', { commentId: comment.commentId });
    await watcher.until(comment.path.replace('default/', ''));
    expect(watcher.text()).not.toContain('deleted text');
  });

  test.each(['community', 'channel'] as const)('of a %s', async (type) => {
    const [owner, member, stranger] = [await createUser(), await createUser(), await createUser()];
    const communityId = await createCommunity(owner, [member]);
    const { communities, channels } = rights.gateway.services.store.collections;
    const community = (await communities.findOne({ networkId: 'default', communityId }))!;
    const chat = (await channels.findOne({ networkId: 'default', communityId }))!;
    const path = (type === 'community' ? community : chat).path.replace('default/', '');
    const watcher = await subscribe(member, `${type}.deleted`);
    const outsider = await subscribe(stranger, `${type}.deleted`);
    await mutate(owner, 'deleteCommunity', { communityId });
    await watcher.until(path);
    const theirs = await createCommunity(stranger, []);
    await mutate(stranger, 'deleteCommunity', { communityId: theirs });
    await expect
      .poll(() => Object.values(outsider.paths()).every((paths) => paths.length > 0), { timeout: 30_000 })
      .toBe(true);
    expect(Object.values(outsider.paths()).flat()).not.toContain(path);
  });
});
