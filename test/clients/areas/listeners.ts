import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';
import { type Json, SecondUser } from '../second-user.ts';

/** Listeners of single events, each with a change of a second user that must call it. */
export const listeners: Area = {
  name: 'listeners',
  async run({ sdk, step, display, userId, second, admin, url, apiKey, version, subscribe }) {
    /** @param path an exported function that registers a listener */
    const hears = (path: string, change: () => Promise<unknown>, ...parameters: string[]) =>
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
    const third = await SecondUser.login(url, apiKey, 'zoe');

    const community = await second.createCommunity({ displayName: 'Ropery', userIds: [userId] });
    const brief = await second.createCommunity({ displayName: 'Raft', userIds: [userId] });
    const { getCommunityTopic, SubscriptionLevels } = sdk;
    await subscribe(getCommunityTopic(community));
    await subscribe(getCommunityTopic(community, SubscriptionLevels.POST_AND_COMMENT));
    await subscribe(getCommunityTopic(brief));
    const address = `/api/v3/communities/${community.communityId}`;
    await hears('CommunityRepository.onCommunityUpdated', () => second.put(address, { description: 'Hemp' }));
    await hears('CommunityRepository.onCommunityDeleted', () =>
      second.delete(`/api/v3/communities/${brief.communityId}`),
    );

    const write = (text: string) => second.createPost('community', community.communityId, text);
    const post = await write('A bowline');
    const flags = { method: 'DELETE' };
    await hears('PostRepository.onPostCreated', () => write('A hitch'));
    await hears('PostRepository.onPostUpdated', () =>
      second.put(`/api/v4/posts/${post.postId}`, { data: { text: 'A running bowline' } }),
    );
    await hears('PostRepository.onPostReactionAdded', () => react('post', 'post', post.postId));
    await hears('PostRepository.onPostReactionRemoved', () => react('delete', 'post', post.postId));
    await hears('ReactionRepository.onReactorAdded', () => react('post', 'post', post.postId), 'post', post.postId);
    await hears('ReactionRepository.onReactorRemoved', () => react('delete', 'post', post.postId), 'post', post.postId);
    await hears('ReactionRepository.onReactionAdded', () => react('post', 'post', post.postId), 'post', post.postId);
    await hears(
      'ReactionRepository.onReactionRemoved',
      () => react('delete', 'post', post.postId),
      'post',
      post.postId,
    );
    await hears('PostRepository.onPostFlagged', () => third.post(`/api/v3/posts/${post.postId}/flag`));
    await hears('PostRepository.onPostUnflagged', () => third.call(`/api/v3/posts/${post.postId}/unflag`, flags));
    const gone = await write('A slip knot');
    await hears('PostRepository.onPostDeleted', () => second.delete(`/api/v4/posts/${gone.postId}`));
    const review = { postSetting: 'ADMIN_REVIEW_POST_REQUIRED', needApprovalOnPostCreation: true };
    await second.put(address, review);
    const reviewed: Json[] = [];
    for (const text of ['Good', 'Bad']) {
      reviewed.push((await sdk.PostRepository.createPost({ ...targetOf(community), data: { text } })).data);
    }
    const [good, bad] = reviewed;
    await hears('PostRepository.onPostApproved', () => second.post(`/api/v3/posts/${good.postId}/approve`));
    await hears('PostRepository.onPostDeclined', () => second.post(`/api/v3/posts/${bad.postId}/decline`));

    const comment = await second.createComment('post', post.postId, 'Which rope?');
    const aside = await second.createComment('post', post.postId, 'Never mind');
    await hears('CommentRepository.onCommentCreated', () => second.createComment('post', post.postId, 'Any rope'));
    await hears('CommentRepository.onCommentUpdated', () =>
      second.put(`/api/v3/comments/${comment.commentId}`, { data: { text: 'Which line?' } }),
    );
    await hears('CommentRepository.onCommentReactionAdded', () => react('post', 'comment', comment.commentId));
    await hears('CommentRepository.onCommentReactionRemoved', () => react('delete', 'comment', comment.commentId));
    await hears('CommentRepository.onCommentFlagged', () => third.post(`/api/v3/comments/${comment.commentId}/flag`));
    await hears('CommentRepository.onCommentUnflagged', () =>
      third.delete(`/api/v3/comments/${comment.commentId}/unflag`),
    );
    await hears('CommentRepository.onCommentDeleted', () => second.delete(`/api/v4/comments/${aside.commentId}`));

    const question = { question: 'Tar?', answerType: 'single', closedIn: 86_400_000 };
    const answers = ['yes', 'no'].map((data) => ({ dataType: 'text', data }));
    const { polls } = await second.post('/api/v3/polls', { ...question, answers });
    const { pollId } = polls[0];
    await second.put(address, { needApprovalOnPostCreation: false, postSetting: 'ANYONE_CAN_POST' });
    await second.post('/api/v4/posts', { ...targetOf(community), dataType: 'poll', data: { pollId, text: 'Vote' } });
    const voted = display((callback) => sdk.PollRepository.getPoll(pollId, callback));
    await voted.loaded();
    await hears('PollRepository.onPollUpdated', () => second.put(`/api/v3/polls/${pollId}`, { status: 'closed' }));
    await hears('PollRepository.onPollDeleted', () => second.delete(`/api/v3/polls/${pollId}`));

    const members = { userIds: ['carol'] };
    const channel = await second.createChannel({ displayName: 'Loft', isPublic: true, userIds: [userId] });
    const path = `/api/v3/channels/${channel.channelId}`;
    await hears('ChannelRepository.onChannelCreated', () =>
      second.createChannel({ displayName: 'Spar deck', userIds: [userId] }),
    );
    await hears('ChannelRepository.onChannelUpdated', () => second.put(path, { displayName: 'Sail loft' }));
    await hears('ChannelRepository.onChannelMemberAdded', () => second.post(`${path}/users`, members));
    await hears('ChannelRepository.onChannelMemberRemoved', () => second.delete(`${path}/users`, members));
    await hears('ChannelRepository.onChannelJoined', () => third.post(`${path}/join`));
    await hears('ChannelRepository.onChannelLeft', () => third.delete(`${path}/leave`));
    await third.post(`${path}/join`);
    await hears('ChannelRepository.onChannelMemberBanned', () =>
      second.put(`${path}/users/ban`, { userIds: [third.userId] }),
    );
    await hears('ChannelRepository.onChannelMemberUnbanned', () =>
      second.put(`${path}/users/unban`, { userIds: [third.userId] }),
    );
    for (const name of ['onChannelMuted', 'onChannelSetMuted']) {
      const mute = (mutePeriod: number) => second.put(`/api/v2/channel/${channel.channelId}/mute`, { mutePeriod });
      await hears(`ChannelRepository.${name}`, () => mute(60_000));
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
    await hears(`MessageRepository.onMessageCreated${version >= 635 ? 'Mqtt' : ''}`, () => send('Twice'));
    await hears('MessageRepository.onMessageUpdated', () => second.put(messagePath, { data: { text: 'Belay' } }));
    await hears('MessageRepository.onMessageReactionAdded', () => react('post', 'message', messageId, versioned));
    await hears('MessageRepository.onMessageReactionRemoved', () => react('delete', 'message', messageId, versioned));
    await hears('MessageRepository.onMessageFlagged', () => second.post(`${messagePath}/flags`));
    await hears('MessageRepository.onMessageUnflagged', () => second.delete(`${messagePath}/flags`));
    await second.post(`${messagePath}/flags`);
    const clearMessage = 'mutation ($id: String!) { clearMessageFlags(input: { messageId: $id }) { __typename } }';
    await hears('MessageRepository.onMessageFlagCleared', () => admin.graphql(clearMessage, { id: messageId }));
    await hears('MessageRepository.onMessageDeleted', () => second.delete(messagePath));

    const keel = { channelId: channel.channelInternalId, name: 'Keel' };
    const { messageFeeds } = await second.post('/api/v5/message-feeds', keel);
    const feedPath = `/api/v5/message-feeds/${messageFeeds[0].messageFeedId}`;
    await hears('SubChannelRepository.onSubChannelCreated', () =>
      second.post('/api/v5/message-feeds', { ...keel, name: 'Rudder' }),
    );
    await hears('SubChannelRepository.onSubChannelUpdated', () => second.put(feedPath, { name: 'Keelson' }));
    await hears('SubChannelRepository.onSubChannelDeleted', () => second.delete(feedPath));
    await hears('ChannelRepository.onChannelDeleted', () => second.delete(path));

    const user = display((callback) => sdk.UserRepository.getUser(second.userId, callback));
    const leaving = display((callback) => sdk.UserRepository.getUser(third.userId, callback));
    await subscribe(sdk.getUserTopic(await user.loaded()));
    await subscribe(sdk.getUserTopic(await leaving.loaded()));
    const clearUser = 'mutation ($id: String!) { clearUserFlags(input: { userId: $id }) { __typename } }';
    const flagPath = `/api/v4/me/flags/${second.userId}`;
    await hears('UserRepository.onUserUpdated', () =>
      second.put('/api/v3/users', { userId: second.userId, description: 'Rigger' }),
    );
    await hears('UserRepository.onUserFlagged', () => third.post(flagPath));
    await hears('UserRepository.onUserUnflagged', () => third.delete(flagPath));
    await third.post(flagPath);
    await hears('UserRepository.onUserFlagCleared', () => admin.graphql(clearUser, { id: second.userId }));
    const remove = 'mutation ($id: String!) { deleteUser(input: { userId: $id }) { __typename } }';
    await hears('UserRepository.onUserDeleted', () => admin.graphql(remove, { id: third.userId }));
  },
};

const targetOf = ({ communityId }: Json) => ({ targetType: 'community', targetId: communityId });
