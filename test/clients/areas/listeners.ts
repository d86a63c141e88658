import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';
import { type Json, RestUser } from '../rest-user.ts';

/** Listeners of single events, each with a change of a second user that must call it. */
export const listeners: Area = {
  name: 'listeners',
  async run({ sdk, step, display, userId, second, admin, url, apiKey, version, subscribe }) {
    /** @param path an exported function that registers a listener */
    const expectCall = (path: string, change: () => Promise<unknown>, ...parameters: string[]) =>
      step(`calls ${path.replace(/^.*\./, '')}${parameters.length > 0 ? ` of a ${parameters[0]}` : ''}`, async () => {
        const register = path.split('.').reduce((object, name) => object[name], sdk);
        let calls = 0;
        const release = register(...parameters, () => {
          calls += 1;
        });
        try {
          await change();
          await waitFor(() => calls > 0, 'the listener was not called');
        } finally {
          if (typeof release === 'function') release();
        }
      }, [path]);
    const react = (method: 'post' | 'delete', referenceType: string, referenceId: string, fields = {}) =>
      second[method]('/api/v2/reactions', { referenceType, referenceId, reactionName: 'knot', ...fields });
    const third = await RestUser.login(url, apiKey, 'zoe');

    const community = await second.createCommunity({ displayName: 'Ropery', userIds: [userId] });
    const brief = await second.createCommunity({ displayName: 'Raft', userIds: [userId] });
    const { getCommunityTopic, SubscriptionLevels } = sdk;
    await subscribe(getCommunityTopic(community));
    await subscribe(getCommunityTopic(community, SubscriptionLevels.POST_AND_COMMENT));
    await subscribe(getCommunityTopic(brief));
    const address = `/api/v3/communities/${community.communityId}`;
    await expectCall('CommunityRepository.onCommunityUpdated', () => second.put(address, { description: 'Hemp' }));
    await expectCall('CommunityRepository.onCommunityDeleted', () =>
      second.delete(`/api/v3/communities/${brief.communityId}`),
    );

    const write = (text: string) => second.createPost('community', community.communityId, text);
    const post = await write('A bowline');
    const flags = { method: 'DELETE' };
    await expectCall('PostRepository.onPostCreated', () => write('A hitch'));
    await expectCall('PostRepository.onPostUpdated', () =>
      second.put(`/api/v4/posts/${post.postId}`, { data: { text: 'A running bowline' } }),
    );
    await expectCall('PostRepository.onPostReactionAdded', () => react('post', 'post', post.postId));
    await expectCall('PostRepository.onPostReactionRemoved', () => react('delete', 'post', post.postId));
    await expectCall(
      'ReactionRepository.onReactorAdded',
      () => react('post', 'post', post.postId),
      'post',
      post.postId,
    );
    await expectCall(
      'ReactionRepository.onReactorRemoved',
      () => react('delete', 'post', post.postId),
      'post',
      post.postId,
    );
    await expectCall(
      'ReactionRepository.onReactionAdded',
      () => react('post', 'post', post.postId),
      'post',
      post.postId,
    );
    await expectCall(
      'ReactionRepository.onReactionRemoved',
      () => react('delete', 'post', post.postId),
      'post',
      post.postId,
    );
    await expectCall('PostRepository.onPostFlagged', () => third.post(`/api/v3/posts/${post.postId}/flag`));
    await expectCall('PostRepository.onPostUnflagged', () => third.call(`/api/v3/posts/${post.postId}/unflag`, flags));
    const gone = await write('A slip knot');
    await expectCall('PostRepository.onPostDeleted', () => second.delete(`/api/v4/posts/${gone.postId}`));
    const review = { postSetting: 'ADMIN_REVIEW_POST_REQUIRED', needApprovalOnPostCreation: true };
    await second.put(address, review);
    const reviewed: Json[] = [];
    for (const text of ['Good', 'Bad']) {
      reviewed.push((await sdk.PostRepository.createPost({ ...targetOf(community), data: { text } })).data);
    }
    const [good, bad] = reviewed;
    await expectCall('PostRepository.onPostApproved', () => second.post(`/api/v3/posts/${good.postId}/approve`));
    await expectCall('PostRepository.onPostDeclined', () => second.post(`/api/v3/posts/${bad.postId}/decline`));

    const comment = await second.createComment('post', post.postId, 'Which rope?');
    const aside = await second.createComment('post', post.postId, 'Never mind');
    await expectCall('CommentRepository.onCommentCreated', () => second.createComment('post', post.postId, 'Any rope'));
    await expectCall('CommentRepository.onCommentUpdated', () =>
      second.put(`/api/v3/comments/${comment.commentId}`, { data: { text: 'Which line?' } }),
    );
    await expectCall('CommentRepository.onCommentReactionAdded', () => react('post', 'comment', comment.commentId));
    await expectCall('CommentRepository.onCommentReactionRemoved', () => react('delete', 'comment', comment.commentId));
    await expectCall('CommentRepository.onCommentFlagged', () =>
      third.post(`/api/v3/comments/${comment.commentId}/flag`),
    );
    await expectCall('CommentRepository.onCommentUnflagged', () =>
      third.delete(`/api/v3/comments/${comment.commentId}/unflag`),
    );
    await expectCall('CommentRepository.onCommentDeleted', () => second.delete(`/api/v4/comments/${aside.commentId}`));

    const question = { question: 'Tar?', answerType: 'single', closedIn: 86_400_000 };
    const answers = ['yes', 'no'].map((data) => ({ dataType: 'text', data }));
    const { polls } = await second.post('/api/v3/polls', { ...question, answers });
    const { pollId } = polls[0];
    await second.put(address, { needApprovalOnPostCreation: false, postSetting: 'ANYONE_CAN_POST' });
    await second.post('/api/v4/posts', { ...targetOf(community), dataType: 'poll', data: { pollId, text: 'Vote' } });
    const voted = display((callback) => sdk.PollRepository.getPoll(pollId, callback));
    await voted.loaded();
    await expectCall('PollRepository.onPollUpdated', () => second.put(`/api/v3/polls/${pollId}`, { status: 'closed' }));
    await expectCall('PollRepository.onPollDeleted', () => second.delete(`/api/v3/polls/${pollId}`));

    const members = { userIds: ['carol'] };
    const channel = await second.createChannel({ displayName: 'Loft', isPublic: true, userIds: [userId] });
    const path = `/api/v3/channels/${channel.channelId}`;
    await expectCall('ChannelRepository.onChannelCreated', () =>
      second.createChannel({ displayName: 'Spar deck', userIds: [userId] }),
    );
    await expectCall('ChannelRepository.onChannelUpdated', () => second.put(path, { displayName: 'Sail loft' }));
    await expectCall('ChannelRepository.onChannelMemberAdded', () => second.post(`${path}/users`, members));
    await expectCall('ChannelRepository.onChannelMemberRemoved', () => second.delete(`${path}/users`, members));
    await expectCall('ChannelRepository.onChannelJoined', () => third.post(`${path}/join`));
    await expectCall('ChannelRepository.onChannelLeft', () => third.delete(`${path}/leave`));
    await third.post(`${path}/join`);
    await expectCall('ChannelRepository.onChannelMemberBanned', () =>
      second.put(`${path}/users/ban`, { userIds: [third.userId] }),
    );
    await expectCall('ChannelRepository.onChannelMemberUnbanned', () =>
      second.put(`${path}/users/unban`, { userIds: [third.userId] }),
    );
    for (const name of ['onChannelMuted', 'onChannelSetMuted']) {
      const mute = (mutePeriod: number) => second.put(`/api/v2/channel/${channel.channelId}/mute`, { mutePeriod });
      await expectCall(`ChannelRepository.${name}`, () => mute(60_000));
      await mute(0);
    }

    const feed = await second.firstFeed(channel);
    const send = (text: string) => second.sendMessage(feed.messageFeedId, text);
    const message = await send('Splice the mainbrace');
    const { messageId } = message;
    const shown = display((callback) => sdk.MessageRepository.getMessage(messageId, callback));
    await shown.loaded();
    const messagePath = `/api/v5/messages/${messageId}`;
    const versioned = { referenceVersion: 5 };
    await expectCall(`MessageRepository.onMessageCreated${version >= 635 ? 'Mqtt' : ''}`, () => send('Twice'));
    await expectCall('MessageRepository.onMessageUpdated', () => second.put(messagePath, { data: { text: 'Belay' } }));
    await expectCall('MessageRepository.onMessageReactionAdded', () => react('post', 'message', messageId, versioned));
    await expectCall('MessageRepository.onMessageReactionRemoved', () =>
      react('delete', 'message', messageId, versioned),
    );
    await expectCall('MessageRepository.onMessageFlagged', () => second.post(`${messagePath}/flags`));
    await expectCall('MessageRepository.onMessageUnflagged', () => second.delete(`${messagePath}/flags`));
    await second.post(`${messagePath}/flags`);
    const clearMessage = 'mutation ($id: String!) { clearMessageFlags(input: { messageId: $id }) { __typename } }';
    await expectCall('MessageRepository.onMessageFlagCleared', () => admin.graphql(clearMessage, { id: messageId }));
    await expectCall('MessageRepository.onMessageDeleted', () => second.delete(messagePath));

    const keel = { channelId: channel.channelInternalId, name: 'Keel' };
    const { messageFeeds } = await second.post('/api/v5/message-feeds', keel);
    const feedPath = `/api/v5/message-feeds/${messageFeeds[0].messageFeedId}`;
    await expectCall('SubChannelRepository.onSubChannelCreated', () =>
      second.post('/api/v5/message-feeds', { ...keel, name: 'Rudder' }),
    );
    await expectCall('SubChannelRepository.onSubChannelUpdated', () => second.put(feedPath, { name: 'Keelson' }));
    await expectCall('SubChannelRepository.onSubChannelDeleted', () => second.delete(feedPath));
    await expectCall('ChannelRepository.onChannelDeleted', () => second.delete(path));

    const user = display((callback) => sdk.UserRepository.getUser(second.userId, callback));
    const leaving = display((callback) => sdk.UserRepository.getUser(third.userId, callback));
    await subscribe(sdk.getUserTopic(await user.loaded()));
    await subscribe(sdk.getUserTopic(await leaving.loaded()));
    const clearUser = 'mutation ($id: String!) { clearUserFlags(input: { userId: $id }) { __typename } }';
    const flagPath = `/api/v4/me/flags/${second.userId}`;
    await expectCall('UserRepository.onUserUpdated', () =>
      second.put('/api/v3/users', { userId: second.userId, description: 'Rigger' }),
    );
    await expectCall('UserRepository.onUserFlagged', () => third.post(flagPath));
    await expectCall('UserRepository.onUserUnflagged', () => third.delete(flagPath));
    await third.post(flagPath);
    await expectCall('UserRepository.onUserFlagCleared', () => admin.graphql(clearUser, { id: second.userId }));
    const remove = 'mutation ($id: String!) { deleteUser(input: { userId: $id }) { __typename } }';
    await expectCall('UserRepository.onUserDeleted', () => admin.graphql(remove, { id: third.userId }));
  },
};

const targetOf = ({ communityId }: Json) => ({ targetType: 'community', targetId: communityId });
