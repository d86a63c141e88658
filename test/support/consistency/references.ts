import type { PostData } from '../../../src/store/records/content.ts';
import type { Findings, NetworkCollection, Snapshot } from './snapshot.ts';

type Ids = Array<string | null | undefined>;
type Target =
  | 'user'
  | 'userInternal'
  | 'file'
  | 'community'
  | 'channel'
  | 'category'
  | 'post'
  | 'comment'
  | 'poll'
  | 'stream'
  | 'room'
  | 'messageFeed'
  | 'message'
  | 'channelInternal'
  | 'story';

/** The ids that records of each collection refer to. */
type References<Name extends NetworkCollection> = (record: Snapshot[Name][number]) => { [Kind in Target]?: Ids };

const REFERENCES: { [Name in NetworkCollection]?: References<Name> } = {
  users: (user) => ({ file: [user.avatarFileId] }),
  files: (file) => ({ user: [file.userId] }),
  communities: (community) => ({
    user: [community.userId],
    userInternal: [community.userInternalId],
    file: [community.avatarFileId],
    category: community.categoryIds,
    channel: [community.channelId],
  }),
  communityUsers: (member) => ({
    community: [member.communityId],
    channel: [member.channelId],
    user: [member.userId],
    userInternal: [member.userInternalId],
  }),
  categories: (category) => ({ file: [category.avatarFileId] }),
  joinRequests: (request) => ({
    community: [request.targetId],
    user: [request.requestorId, request.responderId],
    userInternal: [request.requestorInternalId, request.responderInternalId],
  }),
  pins: (pin) => ({ ...target(pin), post: [pin.referenceId], user: [pin.pinnedBy, ...target(pin).user] }),
  pinTargets: (pinTarget) => target(pinTarget),
  posts: (post) => ({
    user: [post.postedUserId, post.sharedUserId, ...mentioned(post.mentionees), ...target(post).user],
    userInternal: [post.postedUserInternalId],
    community: target(post).community,
    post: [post.parentPostId, ...post.children],
    comment: post.comments,
    ...dataReferences(post.data),
  }),
  comments: (comment) => ({
    user: [comment.userId, ...mentioned(comment.mentionees), ...target(comment).user],
    userInternal: [comment.userInternalId],
    community: target(comment).community,
    comment: [comment.parentId, comment.rootId, ...comment.children],
    post: comment.referenceType === 'post' ? [comment.referenceId] : [],
    story: comment.referenceType === 'story' ? [comment.referenceId] : [],
    file: comment.attachments.map((attachment) => attachment.fileId),
  }),
  stories: (story) => ({
    user: [story.userId, ...mentioned(story.mentionedUsers), ...target(story).user],
    userInternal: [story.userInternalId],
    community: target(story).community,
    comment: story.comments,
    file: dataReferences(story.data).file,
  }),
  storyTargets: (storyTarget) => target(storyTarget),
  storySeens: (seen) => ({ ...target(seen), user: [seen.userId], story: seen.storyIds }),
  reactions: (reaction) => ({ user: [reaction.userId], userInternal: [reaction.userInternalId] }),
  flags: (flag) => ({ user: [flag.userId] }),
  polls: (poll) => ({
    user: [poll.userId],
    userInternal: [poll.userInternalId],
    file: poll.answers.map((answer) => answer.fileId),
  }),
  pollVotes: (vote) => ({ poll: [vote.pollId], user: [vote.userId] }),
  videoStreams: (stream) => ({
    user: [stream.userId],
    userInternal: [stream.userInternalId],
    file: [stream.thumbnailFileId],
    post: [stream.postId],
    channel: [stream.channelId],
    stream: [stream.parentStreamId, ...stream.childStreamIds],
  }),
  rooms: (room) => ({
    ...target(room),
    user: [room.createdBy, room.deletedBy, ...room.participants.map((one) => one.userId), ...target(room).user],
    userInternal: [room.creatorInternalId, ...room.participants.map((one) => one.userInternalId)],
    file: [room.thumbnailFileId],
    channel: [room.liveChannelId],
    room: [room.parentRoomId, ...room.childRoomIds],
    // A room without a post has no reference.
    post: room.referenceType === 'post' && room.referenceId !== '' ? [room.referenceId] : [],
  }),
  channels: (channel) => ({
    file: [channel.avatarFileId],
    message: [channel.messagePreviewId],
    messageFeed: [channel.defaultMessageFeedId],
    community: [channel.communityId],
    post: [channel.attachedTo?.postId],
    stream: [channel.attachedTo?.videoStreamId],
    room: [channel.attachedTo?.roomId],
  }),
  channelUsers: (member) => ({
    channel: [member.channelId],
    channelInternal: [member.channelInternalId],
    user: [member.userId],
    userInternal: [member.userInternalId],
  }),
  messageFeeds: (feed) => ({
    channel: [feed.channelId],
    channelInternal: [feed.channelInternalId],
    user: [feed.userId],
    userInternal: [feed.userInternalId],
    message: [feed.lastMessageId, feed.messagePreviewId],
  }),
  messages: (message) => ({
    channel: [message.channelId],
    channelInternal: [message.channelInternalId],
    messageFeed: [message.messageFeedId],
    user: [message.userId, ...mentioned(message.mentionedUsers)],
    userInternal: [message.userInternalId],
    message: [message.parentId],
    file: [message.fileId, message.thumbnailFileId],
  }),
  userFeedMarkers: (marker) => ({
    user: [marker.userId],
    channelInternal: [marker.entityId],
    messageFeed: [marker.feedId],
  }),
  userMarkers: (marker) => ({ user: [marker.userId] }),
};

function target({ targetType, targetId }: { targetType: string; targetId: string }): {
  user: string[];
  community: string[];
} {
  return {
    user: targetType === 'user' ? [targetId] : [],
    community: targetType === 'community' ? [targetId] : [],
  };
}

function mentioned(mentionees: Array<{ userIds: string[] }>): string[] {
  return mentionees.flatMap((mentionee) => mentionee.userIds);
}

function dataReferences(data: PostData): { file: Ids; poll: Ids; stream: Ids; room: Ids } {
  return {
    file: [data.fileId, data.thumbnailFileId, ...Object.values(data.videoFileId ?? {})],
    poll: [data.pollId],
    stream: [data.streamId],
    room: [data.roomId],
  };
}

/** Every id in a record refers to an existing record. */
export function checkReferences(all: Snapshot, findings: Findings): void {
  const hex = (record: { _id: { toHexString(): string } }) => record._id.toHexString();
  const known: { [Kind in Target]: Set<string> } = {
    user: new Set(all.users.map((user) => user.userId)),
    userInternal: new Set(all.users.map(hex)),
    file: new Set(all.files.map((file) => file.fileId)),
    community: new Set(all.communities.map((community) => community.communityId)),
    channel: new Set(all.channels.map((channel) => channel.channelId)),
    channelInternal: new Set(all.channels.map(hex)),
    category: new Set(all.categories.map((category) => category.categoryId)),
    post: new Set(all.posts.map((post) => post.postId)),
    comment: new Set(all.comments.map((comment) => comment.commentId)),
    story: new Set(all.stories.map((story) => story.storyId)),
    poll: new Set(all.polls.map((poll) => poll.pollId)),
    stream: new Set(all.videoStreams.map((stream) => stream.streamId)),
    room: new Set(all.rooms.map((room) => room.roomId)),
    messageFeed: new Set(all.messageFeeds.map((feed) => feed.messageFeedId)),
    message: new Set(all.messages.map((message) => message.messageId)),
  };
  for (const name of Object.keys(REFERENCES) as NetworkCollection[]) {
    const referencesOf = REFERENCES[name] as References<NetworkCollection>;
    for (const record of all[name]) {
      for (const [kind, ids] of Object.entries(referencesOf(record))) {
        for (const id of ids ?? []) {
          const resolves = id === null || id === undefined || known[kind as Target].has(id);
          findings.require(`${name} ${hex(record)} refers to ${kind} ${id}, which does not exist`, resolves);
        }
      }
    }
  }
}
