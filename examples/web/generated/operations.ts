/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** How a clip fits its frame. */
export type ClipDisplayMode =
  /** Fills the frame; parts of the clip may be hidden. Default. */
  | 'FILL'
  /** Shows the whole clip within the frame. */
  | 'FIT';

/** A file attached to a comment. */
export type CommentAttachmentInput = {
  /** File id of an image that the viewer uploaded. */
  fileId: string;
  /** Kind of attachment. */
  type: CommentAttachmentType;
};

/** Kind of attachment of a comment. */
export type CommentAttachmentType =
  /** An image file. */
  | 'IMAGE';

/** Content of a comment. */
export type CommentDataInput = {
  /** Text. At most 20,000 characters. */
  text?: string | null | undefined;
};

/** Kind of record that a comment is on. */
export type CommentReferenceType =
  /** Content that the application manages itself, under an id of its choice. Visible to every user of the network. */
  | 'CONTENT'
  /** A post. Default where the argument is optional. */
  | 'POST'
  /** A story. */
  | 'STORY';

/** Input of `createComment`. */
export type CreateCommentInput = {
  /** Attachments. At most 10. */
  attachments?: Array<CommentAttachmentInput> | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Content; required unless there are attachments. */
  data?: CommentDataInput | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Mentioned users. At most 30. */
  mentionees?: Array<MentionInput> | null | undefined;
  /** Free-form data of the application, at most 64 KiB. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Public id of the comment to reply to, on the same record. */
  parentId?: string | null | undefined;
  /** Public id of the record to comment on. */
  referenceId: string;
  /** Kind of record to comment on; a post by default. */
  referenceType?: CommentReferenceType | null | undefined;
};

/** Input of `createPost`. */
export type CreatePostInput = {
  /** Files, each once. They become child posts. At most 10. */
  attachments?: Array<PostAttachmentInput> | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Content. */
  data?: PostDataInput | null | undefined;
  /** Kind of post: `text` (default), `image`, `file`, `video`, `audio`, `clip`, `poll`, `liveStream`, `room`, or a custom name that contains a dot. */
  dataType?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Mentioned users. At most 30. */
  mentionees?: Array<MentionInput> | null | undefined;
  /** Free-form data of the application, at most 64 KiB. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Public id of the published post to share. */
  sharedPostId?: string | null | undefined;
  /** Tags. At most 20, of 1 to 100 characters each. */
  tags?: Array<string> | null | undefined;
  /** Public id of the community or user. */
  targetId: string;
  /** Kind of place to publish in. */
  targetType: FeedTargetType;
};

/** The kind of record and the change that an event reports. */
export type EventType =
  /** `category.created`: a category was created. */
  | 'CATEGORY_CREATED'
  /** `category.deleted`: a category was deleted. */
  | 'CATEGORY_DELETED'
  /** `category.updated`: a category changed. */
  | 'CATEGORY_UPDATED'
  /** `channel.banned`: users were banned from a channel. */
  | 'CHANNEL_BANNED'
  /** `channel.created`: a channel was created. */
  | 'CHANNEL_CREATED'
  /** `channel.deleted`: a channel was deleted. */
  | 'CHANNEL_DELETED'
  /** `channel.joined`: a user joined a channel. */
  | 'CHANNEL_JOINED'
  /** `channel.left`: a user left a channel. */
  | 'CHANNEL_LEFT'
  /** `channel.membersAdded`: users were added to a channel. */
  | 'CHANNEL_MEMBERS_ADDED'
  /** `channel.membersRemoved`: members were removed from a channel. */
  | 'CHANNEL_MEMBERS_REMOVED'
  /** `channel.roleAdded`: a role was assigned to members of a channel. */
  | 'CHANNEL_ROLE_ADDED'
  /** `channel.roleRemoved`: a role was removed from members of a channel. */
  | 'CHANNEL_ROLE_REMOVED'
  /** `channel.setMuted`: a channel was muted or unmuted. */
  | 'CHANNEL_SET_MUTED'
  /** `channel.setMutedUsers`: members of a channel were muted or unmuted. */
  | 'CHANNEL_SET_MUTED_USERS'
  /** `channel.unbanned`: users were unbanned from a channel. */
  | 'CHANNEL_UNBANNED'
  /** `channel.updated`: a channel changed. */
  | 'CHANNEL_UPDATED'
  /** `comment.addReaction`: a reaction was added to a comment. */
  | 'COMMENT_ADD_REACTION'
  /** `comment.created`: a user commented or replied. */
  | 'COMMENT_CREATED'
  /** `comment.deleted`: a comment was deleted. */
  | 'COMMENT_DELETED'
  /** `comment.flagged`: a user flagged a comment. */
  | 'COMMENT_FLAGGED'
  /** `comment.flagsCleared`: a moderator removed the flags on a comment. */
  | 'COMMENT_FLAGS_CLEARED'
  /** `comment.removeReaction`: a reaction was removed from a comment. */
  | 'COMMENT_REMOVE_REACTION'
  /** `comment.unflagged`: a user withdrew a flag on a comment. */
  | 'COMMENT_UNFLAGGED'
  /** `comment.updated`: a comment changed. */
  | 'COMMENT_UPDATED'
  /** `community.created`: a community was created. */
  | 'COMMUNITY_CREATED'
  /** `community.deleted`: a community was deleted. */
  | 'COMMUNITY_DELETED'
  /** `community.joined`: a user joined a community. */
  | 'COMMUNITY_JOINED'
  /** `community.left`: a user left a community. */
  | 'COMMUNITY_LEFT'
  /** `community.roleAdded`: roles were assigned to members of a community. */
  | 'COMMUNITY_ROLE_ADDED'
  /** `community.roleRemoved`: roles were removed from members of a community. */
  | 'COMMUNITY_ROLE_REMOVED'
  /** `community.updated`: a community changed. */
  | 'COMMUNITY_UPDATED'
  /** `community.userAdded`: users were added to a community. */
  | 'COMMUNITY_USER_ADDED'
  /** `community.userBanned`: users were banned from a community. */
  | 'COMMUNITY_USER_BANNED'
  /** `community.userChanged`: users joined or left a community, or were added, removed, banned or unbanned. */
  | 'COMMUNITY_USER_CHANGED'
  /** `community.userRemoved`: members were removed from a community. */
  | 'COMMUNITY_USER_REMOVED'
  /** `community.userUnbanned`: users were unbanned from a community. */
  | 'COMMUNITY_USER_UNBANNED'
  /** `file.created`: a file was uploaded. */
  | 'FILE_CREATED'
  /** `file.deleted`: a file was deleted. */
  | 'FILE_DELETED'
  /** `file.updated`: the record of a file changed. */
  | 'FILE_UPDATED'
  /** `follow.accepted`: a user accepted a request to follow them. */
  | 'FOLLOW_ACCEPTED'
  /** `follow.created`: a user followed another. */
  | 'FOLLOW_CREATED'
  /** `follow.followerDeleted`: a user removed a follower. */
  | 'FOLLOW_FOLLOWER_DELETED'
  /** `follow.requested`: a user requested to follow another. */
  | 'FOLLOW_REQUESTED'
  /** `follow.requestCanceled`: a request to follow a user was withdrawn. */
  | 'FOLLOW_REQUEST_CANCELED'
  /** `follow.requestDeclined`: a request to follow a user was declined. */
  | 'FOLLOW_REQUEST_DECLINED'
  /** `follow.unfollowed`: a user stopped following another. */
  | 'FOLLOW_UNFOLLOWED'
  /** `join-request.approved`: a join request was approved. */
  | 'JOIN_REQUEST_APPROVED'
  /** `join-request.cancelled`: a join request was cancelled. */
  | 'JOIN_REQUEST_CANCELLED'
  /** `join-request.created`: a user requested to join a community. */
  | 'JOIN_REQUEST_CREATED'
  /** `join-request.rejected`: a join request was rejected. */
  | 'JOIN_REQUEST_REJECTED'
  /** `liveReaction.created`: a viewer of a live room or video stream reacted to it. */
  | 'LIVE_REACTION_CREATED'
  /** `marker.feed-updated`: a message feed has a new message. */
  | 'MARKER_FEED_UPDATED'
  /** `marker.marked-message`: a member read or received messages of a message feed. */
  | 'MARKER_MARKED_MESSAGE'
  /** `marker.userFeed-updated`: a user's read or delivery positions in message feeds advanced. */
  | 'MARKER_USER_FEED_UPDATED'
  /** `marker.user-sync`: a user's number of unread messages changed because the user read messages. */
  | 'MARKER_USER_SYNC'
  /** `message.created`: a message was sent. */
  | 'MESSAGE_CREATED'
  /** `message.deleted`: a message was deleted. */
  | 'MESSAGE_DELETED'
  /** `message-feed.created`: a message feed was created. */
  | 'MESSAGE_FEED_CREATED'
  /** `message-feed.deleted`: a message feed was deleted. */
  | 'MESSAGE_FEED_DELETED'
  /** `message-feed.updated`: a message feed changed. */
  | 'MESSAGE_FEED_UPDATED'
  /** `message.flagged`: a user flagged a message. */
  | 'MESSAGE_FLAGGED'
  /** `message.flagCleared`: a moderator removed the flags on a message. */
  | 'MESSAGE_FLAG_CLEARED'
  /** `message.reactionAdded`: a reaction was added to a message. */
  | 'MESSAGE_REACTION_ADDED'
  /** `message.reactionRemoved`: a reaction was removed from a message. */
  | 'MESSAGE_REACTION_REMOVED'
  /** `message.unflagged`: a user withdrew a flag on a message. */
  | 'MESSAGE_UNFLAGGED'
  /** `message.updated`: a message changed. */
  | 'MESSAGE_UPDATED'
  /** `poll.created`: a poll was created. */
  | 'POLL_CREATED'
  /** `poll.deleted`: a poll was deleted. */
  | 'POLL_DELETED'
  /** `poll.updated`: a poll, its votes or its status changed. */
  | 'POLL_UPDATED'
  /** `poll.voted`: a user voted in a poll or withdrew a vote. */
  | 'POLL_VOTED'
  /** `post.addReaction`: a reaction was added to a post. */
  | 'POST_ADD_REACTION'
  /** `post.approved`: a post in review was published. */
  | 'POST_APPROVED'
  /** `post.created`: a post was published, or entered review. */
  | 'POST_CREATED'
  /** `post.declined`: a post in review was declined. */
  | 'POST_DECLINED'
  /** `post.deleted`: a post was deleted. */
  | 'POST_DELETED'
  /** `post.flagged`: a user flagged a post. */
  | 'POST_FLAGGED'
  /** `post.flagsCleared`: a moderator removed the flags on a post. */
  | 'POST_FLAGS_CLEARED'
  /** `post.pinned`: a post was pinned. */
  | 'POST_PINNED'
  /** `post.removeReaction`: a reaction was removed from a post. */
  | 'POST_REMOVE_REACTION'
  /** `post.unflagged`: a user withdrew a flag on a post. */
  | 'POST_UNFLAGGED'
  /** `post.unpinned`: a post was unpinned. */
  | 'POST_UNPINNED'
  /** `post.updated`: the content of a post changed. */
  | 'POST_UPDATED'
  /** `role.created`: a role was created. */
  | 'ROLE_CREATED'
  /** `role.deleted`: a role was deleted. */
  | 'ROLE_DELETED'
  /** `role.updated`: a role changed. */
  | 'ROLE_UPDATED'
  /** `room.created`: a room was created. */
  | 'ROOM_CREATED'
  /** `room.deleted`: a room was deleted. */
  | 'ROOM_DELETED'
  /** `room.didRecord`: the recording of a room became available. */
  | 'ROOM_DID_RECORD'
  /** `room.didStart`: a room went live. */
  | 'ROOM_DID_START'
  /** `room.didStop`: a room ended. */
  | 'ROOM_DID_STOP'
  /** `room.didUpdate`: a room, its participants or its moderation changed; the same change as `room.updated`. */
  | 'ROOM_DID_UPDATE'
  /** `room.endBroadcasting`: a room ended, unless automatic moderation ended it. */
  | 'ROOM_END_BROADCASTING'
  /** `room.participantJoined`: a user was added to a room. */
  | 'ROOM_PARTICIPANT_JOINED'
  /** `room.participantRemoved`: a user was removed from a room. */
  | 'ROOM_PARTICIPANT_REMOVED'
  /** `room.recordedAvailable`: the recording of a room became available; the same change as `room.didRecord`. */
  | 'ROOM_RECORDED_AVAILABLE'
  /** `room.startBroadcasting`: a room went live; the same change as `room.didStart`. */
  | 'ROOM_START_BROADCASTING'
  /** `room.terminated`: automatic moderation ended a room. */
  | 'ROOM_TERMINATED'
  /** `room.updated`: a room, its participants or its moderation changed. */
  | 'ROOM_UPDATED'
  /** `room.waitingReconnect`: the connection of a live room was lost. */
  | 'ROOM_WAITING_RECONNECT'
  /** `story.created`: a story was published. */
  | 'STORY_CREATED'
  /** `story.deleted`: a story was deleted. */
  | 'STORY_DELETED'
  /** `story.flagged`: a user flagged a story. */
  | 'STORY_FLAGGED'
  /** `story.flagsCleared`: a moderator removed the flags on a story. */
  | 'STORY_FLAGS_CLEARED'
  /** `story.reactionAdded`: a reaction was added to a story. */
  | 'STORY_REACTION_ADDED'
  /** `story.reactionRemoved`: a reaction was removed from a story. */
  | 'STORY_REACTION_REMOVED'
  /** `story.unflagged`: a user withdrew a flag on a story. */
  | 'STORY_UNFLAGGED'
  /** `story.updated`: the comments of a story changed. */
  | 'STORY_UPDATED'
  /** `user.created`: a user signed in for the first time. */
  | 'USER_CREATED'
  /** `user.deleted`: an account was deleted. */
  | 'USER_DELETED'
  /** `user.didGlobalBan`: a user was banned from the network. */
  | 'USER_DID_GLOBAL_BAN'
  /** `user.didGlobalUnban`: a user was unbanned from the network. */
  | 'USER_DID_GLOBAL_UNBAN'
  /** `user.flagged`: a user was flagged. */
  | 'USER_FLAGGED'
  /** `user.flagCleared`: a moderator removed the flags on a user. */
  | 'USER_FLAG_CLEARED'
  /** `user.unflagged`: a flag on a user was withdrawn. */
  | 'USER_UNFLAGGED'
  /** `user.updated`: the profile or the roles of a user changed. */
  | 'USER_UPDATED'
  /** `video-streaming.created`: a video stream was created. */
  | 'VIDEO_STREAMING_CREATED'
  /** `video-streaming.deleted`: a video stream was deleted. */
  | 'VIDEO_STREAMING_DELETED'
  /** `video-streaming.didRecord`: the recording of a video stream became available. */
  | 'VIDEO_STREAMING_DID_RECORD'
  /** `video-streaming.didStart`: a video stream went live. */
  | 'VIDEO_STREAMING_DID_START'
  /** `video-streaming.didStop`: a video stream ended. */
  | 'VIDEO_STREAMING_DID_STOP'
  /** `video-streaming.updated`: a video stream changed. */
  | 'VIDEO_STREAMING_UPDATED';

/** Kind of owner of a feed. */
export type FeedTargetType =
  /** A community. */
  | 'COMMUNITY'
  /** A user. */
  | 'USER';

/** Kind of content of a file, detected from its bytes on upload. */
export type FileType =
  /** Audio file. */
  | 'AUDIO'
  /** Short video clip. Accepted wherever a video is; uploaded with the kind `CLIP`, or through `POST /api/v4/clips`. */
  | 'CLIP'
  /** Any other content, such as a document or an archive. */
  | 'FILE'
  /** Raster image, such as PNG, JPEG, GIF or WebP. SVG is a `FILE`. */
  | 'IMAGE'
  /** Video file. */
  | 'VIDEO';

/** A group of mentioned users. */
export type MentionInput = {
  /** Kind of mention; `USER` is the only one. */
  type?: MentionInputType | null | undefined;
  /** Public ids of the users; the bound covers all groups of a record together. At most 30. */
  userIds: Array<string>;
};

/** Kind of mention accepted in a post, comment or story. */
export type MentionInputType =
  /** A mention of the users in `userIds`. */
  | 'USER';

/** Kind of mention. */
export type MentionType =
  /** All members of the channel; only in messages. */
  | 'CHANNEL'
  /** The users in `userIds`. */
  | 'USER';

/** Kind of content of a message; determines the shape of `data`. */
export type MessageDataType =
  /** Audio file with an optional caption: `{fileId, caption}`. */
  | 'AUDIO'
  /** Any JSON object, defined by the application. */
  | 'CUSTOM'
  /** File for download with an optional caption: `{fileId, caption}`. */
  | 'FILE'
  /** Image file with an optional caption: `{fileId, caption}`. */
  | 'IMAGE'
  /** Text: `{text}`. Default. */
  | 'TEXT'
  /** Video file with an optional caption: `{fileId, caption}`. */
  | 'VIDEO';

/** A mention in a message. */
export type MessageMentionInput = {
  /** Kind of mention. */
  type: MentionType;
  /** Public ids of the users, unless all members are mentioned. At most 30. */
  userIds?: Array<string> | null | undefined;
};

/** A file of a post, which becomes a child post. */
export type PostAttachmentInput = {
  /** How a clip fits its frame; `fill` by default. */
  displayMode?: ClipDisplayMode | null | undefined;
  /** File id of a file that the viewer uploaded. */
  fileId: string;
  /** Whether a clip plays without sound. Default: false. */
  isMuted?: boolean | null | undefined;
  /** File id of the thumbnail of a video or clip: an image that the viewer uploaded. */
  thumbnailFileId?: string | null | undefined;
  /** Kind of attachment. */
  type: PostAttachmentType;
};

/** Kind of attachment of a post. The file must be of the same type, except for `FILE`. */
export type PostAttachmentType =
  /** An audio file. */
  | 'AUDIO'
  /** A clip or video, with an optional thumbnail, `displayMode` and `isMuted`. */
  | 'CLIP'
  /** A file offered for download, of any file type. */
  | 'FILE'
  /** An image. */
  | 'IMAGE'
  /** A video or clip, with an optional thumbnail. */
  | 'VIDEO';

/** Content of a new post. A file, poll, video stream or room becomes a child post. */
export type PostDataInput = {
  /** How a clip fits its frame; `fill` by default. */
  displayMode?: ClipDisplayMode | null | undefined;
  /** File id of an `image`, `file`, `video`, `audio` or `clip` post. */
  fileId?: string | null | undefined;
  /** Whether a clip plays without sound. Default: false. */
  isMuted?: boolean | null | undefined;
  /** Public id of a poll of the viewer, for a `poll` post. */
  pollId?: string | null | undefined;
  /** Public id of a room of the viewer, for a `room` post. */
  roomId?: string | null | undefined;
  /** Public id of a video stream of the viewer, for a `liveStream` post. */
  streamId?: string | null | undefined;
  /** Text; its hashtags are indexed. At most 20,000 characters. */
  text?: string | null | undefined;
  /** File id of the thumbnail of a `video` or `clip` post. */
  thumbnailFileId?: string | null | undefined;
  /** Title. At most 150 characters. */
  title?: string | null | undefined;
  /** File of a `video` post, in the form that REST clients send. */
  videoFileId?: VideoFileInput | null | undefined;
};

/** Kind of place in which a post is published. */
export type PostTargetType =
  /** A community. */
  | 'COMMUNITY'
  /** Content that the application manages itself. No post created through the API has this target. */
  | 'CONTENT'
  /** The feed of a user. */
  | 'USER';

/** Input of `sendMessage`. */
export type SendMessageInput = {
  /** Public id of the channel to whose default message feed the message is sent. */
  channelId?: string | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Content: `{text}` of 1 to 20,000 characters for text; `{fileId, caption}` for an image, file, video or audio; any object for custom content. */
  data?: Record<string, unknown> | null | undefined;
  /** Kind of content; text by default. */
  dataType?: MessageDataType | null | undefined;
  /** File id of the image, file, video or audio; an alternative to `data.fileId`. */
  fileId?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Mentions, which together name at most 30 users. At most 30. */
  mentionedUsers?: Array<MessageMentionInput> | null | undefined;
  /** Id of the message feed, or public id of a channel for its default message feed; either this or `channelId` is required. */
  messageFeedId?: string | null | undefined;
  /** Free-form data of the application, at most 64 KiB. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Id of the message to reply to, in the same message feed. */
  parentId?: string | null | undefined;
  /** Id chosen by the client to recognize the message, at most 150 characters. */
  referenceId?: string | null | undefined;
  /** Tags. At most 20, of 1 to 100 characters each. */
  tags?: Array<string> | null | undefined;
  /** File id of the thumbnail of an image or video. */
  thumbnailFileId?: string | null | undefined;
};

/** The file of a video. */
export type VideoFileInput = {
  /** File id of the uploaded video. */
  original?: string | null | undefined;
};

export type PositionQueryVariables = Exact<{ [key: string]: never; }>;


export type PositionQuery = { __typename: 'Query', eventCursor: string };

export type EventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type EventsSubscription = { __typename: 'Subscription', events:
    | { __typename: 'CategoryEvent', cursor: string, type: EventType }
    | { __typename: 'ChannelEvent', cursor: string, type: EventType }
    | { __typename: 'ChannelUsersEvent', cursor: string, type: EventType }
    | { __typename: 'CommentEvent', cursor: string, type: EventType, comment: { __typename: 'Comment', id: string, commentId: string, parentId: string | null, referenceType: CommentReferenceType, referenceId: string, createdAt: string, isDeleted: boolean, data: Record<string, unknown>, author: { __typename: 'User', id: string, userId: string, displayName: string } | null } }
    | { __typename: 'CommentReactionEvent', cursor: string, type: EventType }
    | { __typename: 'CommunityEvent', cursor: string, type: EventType }
    | { __typename: 'CommunityUsersEvent', cursor: string, type: EventType }
    | { __typename: 'FeedMarkerEvent', cursor: string, type: EventType, chatMessage: { __typename: 'Message', id: string, readCount: number } }
    | { __typename: 'FileEvent', cursor: string, type: EventType }
    | { __typename: 'FollowEvent', cursor: string, type: EventType }
    | { __typename: 'JoinRequestEvent', cursor: string, type: EventType }
    | { __typename: 'LiveReactionEvent', cursor: string, type: EventType }
    | { __typename: 'MarkerEvent', cursor: string, type: EventType, userEntityMarkers: Array<{ __typename: 'UserEntityMarker', entityId: string, userId: string, unreadCount: number, isMentioned: boolean }> }
    | { __typename: 'MessageEvent', cursor: string, type: EventType, chatMessage: { __typename: 'Message', id: string, messageId: string, segment: number, createdAt: string, isDeleted: boolean, dataType: string, data: Record<string, unknown>, readCount: number, userId: string, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, messageFeed: { __typename: 'MessageFeed', id: string, messageFeedId: string } | null, channel: { __typename: 'Channel', id: string, internalId: string } | null } }
    | { __typename: 'MessageFeedEvent', cursor: string, type: EventType }
    | { __typename: 'MessageReactionEvent', cursor: string, type: EventType }
    | { __typename: 'PollEvent', cursor: string, type: EventType }
    | { __typename: 'PostEvent', cursor: string, type: EventType, post: { __typename: 'Post', id: string, postId: string, parentPostId: string | null, targetType: PostTargetType, createdAt: string, isDeleted: boolean, reactionsCount: number, commentsCount: number, myReactions: Array<string>, data: { __typename: 'PostData', text: string | null }, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, community: { __typename: 'Community', id: string, displayName: string } | null, childPosts: Array<{ __typename: 'Post', id: string, files: Array<{ __typename: 'File', id: string, type: FileType, fileUrl: string, altText: string | null }> }> } }
    | { __typename: 'PostReactionEvent', cursor: string, type: EventType, post: { __typename: 'Post', id: string, reactionsCount: number, myReactions: Array<string> } }
    | { __typename: 'RoleEvent', cursor: string, type: EventType }
    | { __typename: 'RoomEvent', cursor: string, type: EventType }
    | { __typename: 'RoomParticipantEvent', cursor: string, type: EventType }
    | { __typename: 'StoryEvent', cursor: string, type: EventType }
    | { __typename: 'StoryReactionEvent', cursor: string, type: EventType }
    | { __typename: 'UserEvent', cursor: string, type: EventType }
    | { __typename: 'VideoStreamEvent', cursor: string, type: EventType }
   };

export type UnreadFragment = { __typename: 'UserEntityMarker', entityId: string, userId: string, unreadCount: number, isMentioned: boolean };

export type ChannelItemFragment = { __typename: 'Channel', id: string, channelId: string, internalId: string, displayName: string, defaultMessageFeedId: string, memberCount: number, viewerCanSend: boolean, viewerMarker: { __typename: 'UserEntityMarker', entityId: string, userId: string, unreadCount: number, isMentioned: boolean } | null };

export type MessageItemFragment = { __typename: 'Message', id: string, messageId: string, segment: number, createdAt: string, isDeleted: boolean, dataType: string, data: Record<string, unknown>, readCount: number, userId: string, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, messageFeed: { __typename: 'MessageFeed', id: string, messageFeedId: string } | null, channel: { __typename: 'Channel', id: string, internalId: string } | null };

export type ChannelsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ChannelsQuery = { __typename: 'Query', viewerChannels: { __typename: 'ChannelConnection', edges: Array<{ __typename: 'ChannelEdge', cursor: string, node: { __typename: 'Channel', id: string, channelId: string, internalId: string, displayName: string, defaultMessageFeedId: string, memberCount: number, viewerCanSend: boolean, viewerMarker: { __typename: 'UserEntityMarker', entityId: string, userId: string, unreadCount: number, isMentioned: boolean } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type ConversationQueryVariables = Exact<{
  messageFeedId: string;
  after?: string | null | undefined;
}>;


export type ConversationQuery = { __typename: 'Query', messageFeed: { __typename: 'MessageFeed', id: string, messages: { __typename: 'MessageConnection', edges: Array<{ __typename: 'MessageEdge', cursor: string, node: { __typename: 'Message', id: string, messageId: string, segment: number, createdAt: string, isDeleted: boolean, dataType: string, data: Record<string, unknown>, readCount: number, userId: string, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, messageFeed: { __typename: 'MessageFeed', id: string, messageFeedId: string } | null, channel: { __typename: 'Channel', id: string, internalId: string } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } } | null };

export type UnreadOfQueryVariables = Exact<{
  channelInternalIds: Array<string> | string;
}>;


export type UnreadOfQuery = { __typename: 'Query', viewerEntityMarkers: Array<{ __typename: 'UserEntityMarker', entityId: string, userId: string, unreadCount: number, isMentioned: boolean }> };

export type SendMessageMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendMessageMutation = { __typename: 'Mutation', sendMessage:
    | { __typename: 'OperationError', message: string }
    | { __typename: 'SendMessagePayload', chatMessage: { __typename: 'Message', id: string, messageId: string, segment: number, createdAt: string, isDeleted: boolean, dataType: string, data: Record<string, unknown>, readCount: number, userId: string, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, messageFeed: { __typename: 'MessageFeed', id: string, messageFeedId: string } | null, channel: { __typename: 'Channel', id: string, internalId: string } | null } }
   };

export type MarkReadMutationVariables = Exact<{
  messageFeedId: string;
  readToSegment: number;
}>;


export type MarkReadMutation = { __typename: 'Mutation', markRead:
    | { __typename: 'MarkReadPayload', userEntityMarkers: Array<{ __typename: 'UserEntityMarker', entityId: string, userId: string, unreadCount: number, isMentioned: boolean }> }
    | { __typename: 'OperationError', message: string }
   };

export type AuthorFragment = { __typename: 'User', id: string, userId: string, displayName: string };

export type PostItemFragment = { __typename: 'Post', id: string, postId: string, parentPostId: string | null, targetType: PostTargetType, createdAt: string, isDeleted: boolean, reactionsCount: number, commentsCount: number, myReactions: Array<string>, data: { __typename: 'PostData', text: string | null }, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, community: { __typename: 'Community', id: string, displayName: string } | null, childPosts: Array<{ __typename: 'Post', id: string, files: Array<{ __typename: 'File', id: string, type: FileType, fileUrl: string, altText: string | null }> }> };

export type CommentItemFragment = { __typename: 'Comment', id: string, commentId: string, parentId: string | null, referenceType: CommentReferenceType, referenceId: string, createdAt: string, isDeleted: boolean, data: Record<string, unknown>, author: { __typename: 'User', id: string, userId: string, displayName: string } | null };

export type FeedQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FeedQuery = { __typename: 'Query', globalFeed: { __typename: 'PostConnection', edges: Array<{ __typename: 'PostEdge', cursor: string, node: { __typename: 'Post', id: string, postId: string, parentPostId: string | null, targetType: PostTargetType, createdAt: string, isDeleted: boolean, reactionsCount: number, commentsCount: number, myReactions: Array<string>, data: { __typename: 'PostData', text: string | null }, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, community: { __typename: 'Community', id: string, displayName: string } | null, childPosts: Array<{ __typename: 'Post', id: string, files: Array<{ __typename: 'File', id: string, type: FileType, fileUrl: string, altText: string | null }> }> } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } };

export type CommentsQueryVariables = Exact<{
  postId: string;
  after?: string | null | undefined;
}>;


export type CommentsQuery = { __typename: 'Query', post: { __typename: 'Post', id: string, comments: { __typename: 'CommentConnection', edges: Array<{ __typename: 'CommentEdge', cursor: string, node: { __typename: 'Comment', id: string, commentId: string, parentId: string | null, referenceType: CommentReferenceType, referenceId: string, createdAt: string, isDeleted: boolean, data: Record<string, unknown>, author: { __typename: 'User', id: string, userId: string, displayName: string } | null } }>, pageInfo: { __typename: 'PageInfo', hasNextPage: boolean, endCursor: string | null } } } | null };

export type CommentsCountQueryVariables = Exact<{
  postId: string;
}>;


export type CommentsCountQuery = { __typename: 'Query', post: { __typename: 'Post', id: string, commentsCount: number } | null };

export type CommunitiesQueryVariables = Exact<{ [key: string]: never; }>;


export type CommunitiesQuery = { __typename: 'Query', viewerCommunities: { __typename: 'CommunityConnection', edges: Array<{ __typename: 'CommunityEdge', node: { __typename: 'Community', id: string, communityId: string, displayName: string } }> } };

export type CreatePostMutationVariables = Exact<{
  input: CreatePostInput;
}>;


export type CreatePostMutation = { __typename: 'Mutation', createPost:
    | { __typename: 'CreatePostPayload', post: { __typename: 'Post', id: string, postId: string, parentPostId: string | null, targetType: PostTargetType, createdAt: string, isDeleted: boolean, reactionsCount: number, commentsCount: number, myReactions: Array<string>, data: { __typename: 'PostData', text: string | null }, author: { __typename: 'User', id: string, userId: string, displayName: string } | null, community: { __typename: 'Community', id: string, displayName: string } | null, childPosts: Array<{ __typename: 'Post', id: string, files: Array<{ __typename: 'File', id: string, type: FileType, fileUrl: string, altText: string | null }> }> } }
    | { __typename: 'OperationError', message: string }
   };

export type CreateCommentMutationVariables = Exact<{
  input: CreateCommentInput;
}>;


export type CreateCommentMutation = { __typename: 'Mutation', createComment:
    | { __typename: 'CreateCommentPayload', comment: { __typename: 'Comment', id: string, commentId: string, parentId: string | null, referenceType: CommentReferenceType, referenceId: string, createdAt: string, isDeleted: boolean, data: Record<string, unknown>, author: { __typename: 'User', id: string, userId: string, displayName: string } | null } }
    | { __typename: 'OperationError', message: string }
   };

export type AddLikeMutationVariables = Exact<{
  postId: string;
}>;


export type AddLikeMutation = { __typename: 'Mutation', addReaction:
    | { __typename: 'AddReactionPayload', reference:
        | { __typename: 'Comment' }
        | { __typename: 'Message' }
        | { __typename: 'Post', id: string, reactionsCount: number, myReactions: Array<string> }
        | { __typename: 'Story' }
       }
    | { __typename: 'OperationError', message: string }
   };

export type RemoveLikeMutationVariables = Exact<{
  postId: string;
}>;


export type RemoveLikeMutation = { __typename: 'Mutation', removeReaction:
    | { __typename: 'OperationError', message: string }
    | { __typename: 'RemoveReactionPayload', reference:
        | { __typename: 'Comment' }
        | { __typename: 'Message' }
        | { __typename: 'Post', id: string, reactionsCount: number, myReactions: Array<string> }
        | { __typename: 'Story' }
       }
   };

export const UnreadFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Unread"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEntityMarker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"isMentioned"}}]}}]} as unknown as DocumentNode<UnreadFragment, unknown>;
export const ChannelItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChannelItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Channel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"channelId"}},{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"defaultMessageFeedId"}},{"kind":"Field","name":{"kind":"Name","value":"memberCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerCanSend"}},{"kind":"Field","name":{"kind":"Name","value":"viewerMarker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Unread"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Unread"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEntityMarker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"isMentioned"}}]}}]} as unknown as DocumentNode<ChannelItemFragment, unknown>;
export const AuthorFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]} as unknown as DocumentNode<AuthorFragment, unknown>;
export const MessageItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"segment"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"dataType"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"readCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageFeedId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"channel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]} as unknown as DocumentNode<MessageItemFragment, unknown>;
export const PostItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"postId"}},{"kind":"Field","name":{"kind":"Name","value":"parentPostId"}},{"kind":"Field","name":{"kind":"Name","value":"targetType"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"community"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childPosts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"fileUrl"}},{"kind":"Field","name":{"kind":"Name","value":"altText"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"commentsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]} as unknown as DocumentNode<PostItemFragment, unknown>;
export const CommentItemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"commentId"}},{"kind":"Field","name":{"kind":"Name","value":"parentId"}},{"kind":"Field","name":{"kind":"Name","value":"referenceType"}},{"kind":"Field","name":{"kind":"Name","value":"referenceId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]} as unknown as DocumentNode<CommentItemFragment, unknown>;
export const PositionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Position"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventCursor"}}]}}]} as unknown as DocumentNode<PositionQuery, PositionQueryVariables>;
export const EventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Events"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"types"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"POST_CREATED"},{"kind":"EnumValue","value":"POST_DELETED"},{"kind":"EnumValue","value":"POST_ADD_REACTION"},{"kind":"EnumValue","value":"POST_REMOVE_REACTION"},{"kind":"EnumValue","value":"COMMENT_CREATED"},{"kind":"EnumValue","value":"COMMENT_DELETED"},{"kind":"EnumValue","value":"MESSAGE_CREATED"},{"kind":"EnumValue","value":"MESSAGE_DELETED"},{"kind":"EnumValue","value":"MARKER_MARKED_MESSAGE"},{"kind":"EnumValue","value":"MARKER_USER_FEED_UPDATED"}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PostEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"post"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PostItem"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PostReactionEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"post"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CommentEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"comment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CommentItem"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageItem"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FeedMarkerEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"readCount"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MarkerEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userEntityMarkers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Unread"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"postId"}},{"kind":"Field","name":{"kind":"Name","value":"parentPostId"}},{"kind":"Field","name":{"kind":"Name","value":"targetType"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"community"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childPosts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"fileUrl"}},{"kind":"Field","name":{"kind":"Name","value":"altText"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"commentsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"commentId"}},{"kind":"Field","name":{"kind":"Name","value":"parentId"}},{"kind":"Field","name":{"kind":"Name","value":"referenceType"}},{"kind":"Field","name":{"kind":"Name","value":"referenceId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"segment"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"dataType"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"readCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageFeedId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"channel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Unread"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEntityMarker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"isMentioned"}}]}}]} as unknown as DocumentNode<EventsSubscription, EventsSubscriptionVariables>;
export const ChannelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Channels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewerChannels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"30"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ChannelItem"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Unread"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEntityMarker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"isMentioned"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChannelItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Channel"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"channelId"}},{"kind":"Field","name":{"kind":"Name","value":"internalId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"defaultMessageFeedId"}},{"kind":"Field","name":{"kind":"Name","value":"memberCount"}},{"kind":"Field","name":{"kind":"Name","value":"viewerCanSend"}},{"kind":"Field","name":{"kind":"Name","value":"viewerMarker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Unread"}}]}}]}}]} as unknown as DocumentNode<ChannelsQuery, ChannelsQueryVariables>;
export const ConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Conversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messageFeedId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageFeed"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"messageFeedId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messageFeedId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"30"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageItem"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"segment"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"dataType"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"readCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageFeedId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"channel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}}]}}]} as unknown as DocumentNode<ConversationQuery, ConversationQueryVariables>;
export const UnreadOfDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UnreadOf"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"channelInternalIds"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewerEntityMarkers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"entityIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"channelInternalIds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Unread"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Unread"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEntityMarker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"isMentioned"}}]}}]} as unknown as DocumentNode<UnreadOfQuery, UnreadOfQueryVariables>;
export const SendMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessagePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chatMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MessageItem"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MessageItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"segment"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"dataType"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"readCount"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messageFeed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messageFeedId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"channel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"internalId"}}]}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const MarkReadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MarkRead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messageFeedId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"readToSegment"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"markRead"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"messageFeedId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messageFeedId"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"readToSegment"},"value":{"kind":"Variable","name":{"kind":"Name","value":"readToSegment"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MarkReadPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userEntityMarkers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Unread"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Unread"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEntityMarker"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"isMentioned"}}]}}]} as unknown as DocumentNode<MarkReadMutation, MarkReadMutationVariables>;
export const FeedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Feed"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"globalFeed"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PostItem"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"postId"}},{"kind":"Field","name":{"kind":"Name","value":"parentPostId"}},{"kind":"Field","name":{"kind":"Name","value":"targetType"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"community"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childPosts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"fileUrl"}},{"kind":"Field","name":{"kind":"Name","value":"altText"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"commentsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}}]} as unknown as DocumentNode<FeedQuery, FeedQueryVariables>;
export const CommentsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Comments"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"postId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"post"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"postId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"postId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"comments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CommentItem"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"commentId"}},{"kind":"Field","name":{"kind":"Name","value":"parentId"}},{"kind":"Field","name":{"kind":"Name","value":"referenceType"}},{"kind":"Field","name":{"kind":"Name","value":"referenceId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}}]}}]} as unknown as DocumentNode<CommentsQuery, CommentsQueryVariables>;
export const CommentsCountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CommentsCount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"postId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"post"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"postId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"postId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"commentsCount"}}]}}]}}]} as unknown as DocumentNode<CommentsCountQuery, CommentsCountQueryVariables>;
export const CommunitiesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Communities"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewerCommunities"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"communityId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CommunitiesQuery, CommunitiesQueryVariables>;
export const CreatePostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePost"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePostInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPost"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePostPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"post"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PostItem"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PostItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"postId"}},{"kind":"Field","name":{"kind":"Name","value":"parentPostId"}},{"kind":"Field","name":{"kind":"Name","value":"targetType"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}},{"kind":"Field","name":{"kind":"Name","value":"community"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childPosts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"fileUrl"}},{"kind":"Field","name":{"kind":"Name","value":"altText"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"commentsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}}]} as unknown as DocumentNode<CreatePostMutation, CreatePostMutationVariables>;
export const CreateCommentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateComment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateCommentInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createComment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CreateCommentPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"comment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CommentItem"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Author"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CommentItem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Comment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"commentId"}},{"kind":"Field","name":{"kind":"Name","value":"parentId"}},{"kind":"Field","name":{"kind":"Name","value":"referenceType"}},{"kind":"Field","name":{"kind":"Name","value":"referenceId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"isDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"data"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Author"}}]}}]}}]} as unknown as DocumentNode<CreateCommentMutation, CreateCommentMutationVariables>;
export const AddLikeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddLike"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"postId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addReaction"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceType"},"value":{"kind":"EnumValue","value":"POST"}},{"kind":"ObjectField","name":{"kind":"Name","value":"referenceId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"postId"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"reactionName"},"value":{"kind":"StringValue","value":"like","block":false}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AddReactionPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reference"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<AddLikeMutation, AddLikeMutationVariables>;
export const RemoveLikeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RemoveLike"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"postId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"removeReaction"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceType"},"value":{"kind":"EnumValue","value":"POST"}},{"kind":"ObjectField","name":{"kind":"Name","value":"referenceId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"postId"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"reactionName"},"value":{"kind":"StringValue","value":"like","block":false}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RemoveReactionPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reference"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Post"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reactionsCount"}},{"kind":"Field","name":{"kind":"Name","value":"myReactions"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<RemoveLikeMutation, RemoveLikeMutationVariables>;