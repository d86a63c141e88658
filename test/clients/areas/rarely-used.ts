import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';
import { audio, image } from '../media.ts';
import type { Json } from '../rest-user.ts';

/** Functions that applications rarely use: earlier names that the clients keep, and those of single clients. */
export const rarelyUsed: Area = {
  name: 'rarely-used',
  async run(application) {
    await observe(application);
    await write(application);
    await readMore(application);
  },
};

type Part = Area['run'];

/** Observers of 6.x, which report the snapshot that they fetch. */
const observe: Part = async ({ sdk, step, userId, second, atEnd, subscribe }) => {
  const community = await second.createCommunity({ displayName: 'Drydock', userIds: [userId] });
  const post = await second.createPost('community', community.communityId, 'Caulking');
  const comment = await second.createComment('post', post.postId, 'With oakum');
  const channel = await second.createChannel({ displayName: 'Slipway', userIds: [userId] });
  const feed = await second.firstFeed(channel);
  const message = await second.sendMessage(feed.messageFeedId, 'Launch');
  const answers = ['now', 'later'].map((data) => ({ dataType: 'text', data }));
  const { polls } = await second.post('/api/v3/polls', {
    question: 'When?',
    answerType: 'single',
    closedIn: 1e8,
    answers,
  });
  await second.post('/api/v4/posts', {
    targetType: 'community',
    targetId: community.communityId,
    dataType: 'poll',
    data: { pollId: polls[0].pollId, text: 'When?' },
  });
  const fileId = await second.uploadImage();
  const records: [path: string, id: string, key: string][] = [
    ['ChannelRepository.observeChannel', channel.channelId, 'channelId'],
    ['CommentRepository.observeComment', comment.commentId, 'commentId'],
    ['CommunityRepository.observeCommunity', community.communityId, 'communityId'],
    ['FileRepository.observeFile', fileId, 'fileId'],
    ['MessageRepository.observeMessage', message.messageId, 'messageId'],
    ['PollRepository.observePoll', polls[0].pollId, 'pollId'],
    ['PostRepository.observePost', post.postId, 'postId'],
    ['UserRepository.observeUser', second.userId, 'userId'],
  ];
  for (const [path, id, key] of records) {
    const [repository, name] = path.split('.') as [string, string];
    await step(`observes with ${name}`, async () => {
      let found: Json;
      atEnd(
        sdk[repository][name](id, (snapshot: Json) => {
          found = snapshot?.data ?? found;
        }),
      );
      await waitFor(() => found?.[key] === id, `${key} was expected`);
    }, [path]);
  }
  await step('observes the posts of a community', async () => {
    const received: string[] = [];
    const target = { targetType: 'community', targetId: community.communityId };
    await subscribe(sdk.getCommunityTopic(community, sdk.SubscriptionLevels.POST));
    atEnd(sdk.PostRepository.observePosts(target, ({ postId }: Json) => received.push(postId)));
    const { postId } = await second.createPost('community', community.communityId, 'Pitch');
    await waitFor(() => received.includes(postId), 'the post was expected');
  }, ['PostRepository.observePosts']);
  await step('observes the messages of a sub-channel', async () => {
    const received: string[] = [];
    const collect = (event: Json) => received.push((event.data ?? event).messageId);
    atEnd(sdk.MessageRepository.observeMessages(feed.messageFeedId, collect));
    const { messageId } = await second.sendMessage(feed.messageFeedId, 'Afloat');
    await waitFor(() => received.includes(messageId), 'the message was expected');
  }, ['MessageRepository.observeMessages']);
};

/** Earlier names of functions that change records. */
const write: Part = async ({ sdk, step, userId, second }) => {
  const { PostRepository, CommentRepository, MessageRepository, FileRepository, SubChannelRepository } = sdk;
  const { data: community } = await sdk.CommunityRepository.createCommunity({ displayName: 'Chandlery' });
  const target = { targetType: 'community', targetId: community.communityId };
  const post = async (text: string) => (await PostRepository.createPost({ ...target, data: { text } })).data;
  const kept = await post('Oil and lamps');
  const reference = { referenceType: 'post', referenceId: kept.postId };
  const channel = { type: 'community', displayName: 'Counter', userIds: [second.userId] };
  const { data: counter } = await sdk.ChannelRepository.createChannel(channel);
  await step('changes a post by the earlier name', async () => {
    const { data } = await PostRepository.updatePost(kept.postId, { data: { text: 'Oil and wicks' } });
    assert.equal(data.data.text, 'Oil and wicks');
  }, ['PostRepository.updatePost']);
  await step('edits a post', async () => {
    const { data } = await PostRepository.editPost(kept.postId, { data: { text: 'Lamps' } });
    assert.equal(data.data.text, 'Lamps');
  }, ['PostRepository.editPost']);
  await step('deletes a post by the earlier name', async () => {
    const deleted = await PostRepository.deletePost((await post('Sold')).postId);
    assert.equal(deleted.isDeleted, true);
  }, ['PostRepository.deletePost']);
  await step('deletes a comment by the earlier name', async () => {
    const { data } = await CommentRepository.createComment({ ...reference, data: { text: 'How much?' } });
    assert.equal((await CommentRepository.deleteComment(data.commentId)).isDeleted, true);
  }, ['CommentRepository.deleteComment']);
  const bundle = { subChannelId: counter.defaultSubChannelId, dataType: 'text', data: { text: 'One barrel' } };
  await step('changes and deletes a message by the earlier names', async () => {
    const { data } = await MessageRepository.createMessage(bundle);
    const { data: changed } = await MessageRepository.updateMessage(data.messageId, { data: { text: 'Two' } });
    assert.equal(changed.data.text, 'Two');
    assert.equal((await MessageRepository.deleteMessage(data.messageId)).isDeleted, true);
  }, ['MessageRepository.updateMessage', 'MessageRepository.deleteMessage']);
  await step('deletes a sub-channel by the earlier name', async () => {
    const { data } = await SubChannelRepository.createSubChannel({ channelId: counter.channelId, displayName: 'Till' });
    assert.equal((await SubChannelRepository.deleteSubChannel(data.subChannelId)).isDeleted, true);
  }, ['SubChannelRepository.deleteSubChannel']);
  await step('uploads an image by the earlier name', async () => {
    const { data } = await FileRepository.createImage(image());
    assert.equal(data[0].type, 'image');
  }, ['FileRepository.createImage']);
  await step('uploads an audio file and posts it', async () => {
    const { data: files } = await FileRepository.uploadAudio(audio());
    const attachments = [{ type: 'audio', fileId: files[0].fileId }];
    const { data } = await PostRepository.createAudioPost({ ...target, data: { text: 'Bells' }, attachments });
    assert.equal(data.children.length, 1);
  }, ['PostRepository.createAudioPost']);
  await step('posts an image beside a file', async () => {
    const { data: pictures } = await FileRepository.uploadImage(image());
    const { data: files } = await FileRepository.uploadAudio(audio());
    const attachments = [
      { type: 'image', fileId: pictures[0].fileId },
      { type: 'audio', fileId: files[0].fileId },
    ];
    const { data } = await PostRepository.createMixedMediaPost({ ...target, data: { text: 'Both' }, attachments });
    assert.equal(data.children.length, 2);
  }, ['PostRepository.createMixedMediaPost']);
  await step('edits a video stream', async () => {
    const { data } = await sdk.StreamRepository.createStream({ title: 'Quayside', description: 'Ships' });
    const edited = await sdk.StreamRepository.editStream(data.streamId, { title: 'Pierhead' });
    assert.equal(edited.data.title, 'Pierhead');
  }, ['StreamRepository.editStream']);
  await step('sends a live reaction', async () => {
    const { data: stream } = await sdk.StreamRepository.createStream({ title: 'Regatta', description: 'Finish' });
    const data = { streamId: stream.streamId, text: 'Live' };
    const { data: live } = await PostRepository.createPost({
      targetType: 'user',
      targetId: userId,
      dataType: 'liveStream',
      data,
    });
    const reaction = { referenceId: live.postId, referenceType: 'post', reactionName: 'cheer' };
    assert.equal(await sdk.LiveReactionRepository.createReaction({ ...reaction, streamId: stream.streamId }), true);
  }, ['LiveReactionRepository.createReaction']);
};

/** Reads that only some of the clients have. */
const readMore: Part = async ({ sdk, step, display, userId, second, version, subscribe }) => {
  const channel = await second.createChannel({ displayName: 'Crow nest', userIds: [userId] });
  const feed = await second.firstFeed(channel);
  await second.sendMessage(feed.messageFeedId, 'Land');
  await step('reads the markers of channels', async () => {
    const { data } = await sdk.getChannelMarkers([channel.channelInternalId]);
    assert.ok(Array.isArray(data));
  }, ['getChannelMarkers']);
  await step('reads the markers of sub-channels', async () => {
    const { data } = await sdk.getSubChannelMarkers([feed.messageFeedId]);
    assert.ok(Array.isArray(data));
  }, ['getSubChannelMarkers']);
  await step('displays the number of unread messages by the earlier name', async () => {
    const live = display((callback) => sdk.Client.getTotalUnreadCount(callback));
    assert.equal(typeof (await live.loaded()), 'number');
  }, ['Client.getTotalUnreadCount']);
  await step('queries video streams', async () => {
    const { data: stream } = await sdk.StreamRepository.createStream({ title: 'Lookout', description: 'West' });
    const { data } = await sdk.StreamRepository.queryStreams({ userPublicIds: [userId] });
    assert.ok(data.some((one: Json) => one.streamId === stream.streamId));
    const { data: read } = await sdk.StreamRepository.getStream(stream.streamId);
    assert.equal(read.streamId, stream.streamId);
  }, ['StreamRepository.queryStreams']);
  await step('displays the viewers of a post', async () => {
    const post = await second.createPost('user', second.userId, 'Seen');
    const live = display((callback) =>
      sdk.UserRepository.getViewedUsers({ viewId: post.postId, viewedType: 'post' }, callback),
    );
    assert.ok(Array.isArray(await live.loaded()));
  }, ['UserRepository.getViewedUsers']);
  await step('subscribes to the topics of single records', async () => {
    const message = await second.sendMessage(feed.messageFeedId, 'Ahoy');
    const post = await second.createPost('user', second.userId, 'Ahoy');
    const comment = await second.createComment('post', post.postId, 'Ahoy');
    const topics = [sdk.getMessageTopic(message), sdk.getCommentTopic(comment), sdk.getNetworkTopic()];
    if (version >= 635) topics.push(sdk.getMarkerUserFeedTopic());
    for (const topic of topics) await subscribe(topic);
  });
};
