/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Input of `addChannelRole`. */
export type AddChannelRoleInput = {
  /** Public id of the channel. */
  channelId: string;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the role. 1 to 100 characters. */
  role: string;
  /** Public ids of the members. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `addCommunityRoles`. */
export type AddCommunityRolesInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the community. */
  communityId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public ids of the roles. 1 to 100. */
  roleIds: Array<string>;
  /** Public ids of the members. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `approvePost`. */
export type ApprovePostInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the post. */
  postId: string;
};

/** Input of `assignNetworkRoles`. */
export type AssignNetworkRolesInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public ids of the roles. 1 to 100. */
  roleIds: Array<string>;
  /** Public id of the user. */
  userId: string;
};

/** Who acted. */
export type AuditActorKind =
  /** An operator at the command line. */
  | 'OPERATOR'
  /** The server of the application, with the server key. */
  | 'SERVER_KEY'
  /** The gateway itself, such as at the end of a ban. */
  | 'SYSTEM'
  /** A user. */
  | 'USER';

/** Which entries of the audit log to list; all by default. */
export type AuditLogFilter = {
  /** Only acts of this name, such as `banUser`. */
  action?: string | null | undefined;
  /** Only acts of this user. */
  actorId?: string | null | undefined;
  /** Only acts that affect this user or their content. */
  affectedUserId?: string | null | undefined;
  /** Only acts at or after this time. */
  from?: string | null | undefined;
  /** Only acts on the record of this public id. */
  subjectId?: string | null | undefined;
  /** Only acts on records of this kind. */
  subjectType?: AuditSubject | null | undefined;
  /** Only acts before this time. */
  to?: string | null | undefined;
};

/** Kind of record that an act concerns. */
export type AuditSubject =
  /** A category. */
  | 'CATEGORY'
  /** A channel. */
  | 'CHANNEL'
  /** A comment. */
  | 'COMMENT'
  /** A community. */
  | 'COMMUNITY'
  /** A file. */
  | 'FILE'
  /** A request to join a community. */
  | 'JOIN_REQUEST'
  /** A message. */
  | 'MESSAGE'
  /** A message feed. */
  | 'MESSAGE_FEED'
  /** The network with its settings. */
  | 'NETWORK'
  /** A poll. */
  | 'POLL'
  /** A post. */
  | 'POST'
  /** A role. */
  | 'ROLE'
  /** A room. */
  | 'ROOM'
  /** A story. */
  | 'STORY'
  /** A user, or their membership of the community or channel of the entry. */
  | 'USER'
  /** A video stream. */
  | 'VIDEO_STREAM'
  /** A webhook endpoint. */
  | 'WEBHOOK_ENDPOINT';

/** How an act reached the gateway. */
export type AuditTransport =
  /** Work of the gateway that no request caused. */
  | 'BACKGROUND'
  /** The command line. */
  | 'COMMAND'
  /** GraphQL over HTTP. */
  | 'GRAPHQL'
  /** MQTT. */
  | 'MQTT'
  /** REST. */
  | 'REST'
  /** socket.io. */
  | 'SOCKET_IO'
  /** GraphQL over a WebSocket. */
  | 'WEBSOCKET';

/** Input of `banChannelMembers`. */
export type BanChannelMembersInput = {
  /** Public id of the channel. */
  channelId: string;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** When the ban ends by itself, in the future and at most 10 years from now. Null: never. Default. */
  expiresAt?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Why, for moderators. The banned user does not see it. At most 1,000 characters. */
  reason?: string | null | undefined;
  /** Public ids of the users. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `banCommunityMembers`. */
export type BanCommunityMembersInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the community. */
  communityId: string;
  /** When the ban ends by itself, in the future and at most 10 years from now. Null: never. Default. */
  expiresAt?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Why, for moderators. The banned user does not see it. At most 1,000 characters. */
  reason?: string | null | undefined;
  /** Public ids of the users. 1 to 100. */
  userIds: Array<string>;
};

/** Which bans to list. */
export type BanFilter = {
  /** Only bans from this channel, with the kind `CHANNEL`. */
  channelId?: string | null | undefined;
  /** Only bans from this community, with the kind `COMMUNITY`. */
  communityId?: string | null | undefined;
  /** From what the users are banned. */
  kind: BanKind;
  /** Only bans of this user. */
  userId?: string | null | undefined;
};

/** From what a user is banned. */
export type BanKind =
  /** From a channel: the user cannot join it or see its messages and members. */
  | 'CHANNEL'
  /** From a community: the user cannot join it or see its content. */
  | 'COMMUNITY'
  /** From the network: the user cannot sign in. */
  | 'NETWORK';

/** Input of `banUser`. */
export type BanUserInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** When the ban ends by itself, in the future and at most 10 years from now. Null: never. Default. */
  expiresAt?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Why, for moderators. The banned user does not see it. At most 1,000 characters. */
  reason?: string | null | undefined;
  /** Public id of the user. */
  userId: string;
};

/** Type of a channel; determines who can find, read and write in it. */
export type ChannelType =
  /** Announcement channel: members read, moderators write. */
  | 'BROADCAST'
  /** Chat of a community, with the same members, or a channel created with this type. */
  | 'COMMUNITY'
  /** Conversation of a fixed set of members, without moderators. Each member can rename it; nobody else can see it. */
  | 'CONVERSATION'
  /** Chat of a video stream or room, or a channel created with this type. */
  | 'LIVE'
  /** Group channel that only its members can find and read. */
  | 'PRIVATE'
  /** Group channel. Users who are not members can find and read it, unless `isPublic` is false. */
  | 'STANDARD';

/** Filter of the users of a channel by membership state. */
export type ChannelUserFilter =
  /** Banned users. */
  | 'BANNED'
  /** Members, including muted ones. Default. */
  | 'MEMBER'
  /** Members who are muted at the time of the request. */
  | 'MUTED';

/** Settings of chat. */
export type ChatSettingsInput = {
  /** Whether clients offer chat. Clients apply it; the server accepts chat either way. */
  enabled?: boolean | null | undefined;
  /** Read positions. */
  marker?: MarkerSettingsInput | null | undefined;
  /** Mentions in messages. */
  mention?: MentionSettingsInput | null | undefined;
  /** The newest message in lists of channels. */
  messagePreview?: MessagePreviewSettingsInput | null | undefined;
};

/** Input of `clearCommentFlags`. */
export type ClearCommentFlagsInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the comment. */
  commentId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Input of `clearPostFlags`. */
export type ClearPostFlagsInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the post. */
  postId: string;
};

/** Input of `clearUserFlags`. */
export type ClearUserFlagsInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the user. */
  userId: string;
};

/** Membership state of a user in a community. */
export type CommunityMembership =
  /** Banned: cannot join, and cannot see posts, members or stories of the community. */
  | 'BANNED'
  /** Member. */
  | 'MEMBER'
  /** Not a member: the user left, was removed or was unbanned. */
  | 'NONE';

/** Input of `consumeLoginLink`. */
export type ConsumeLoginLinkInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Token of the link: the part of its address after `#`. 1 to 200 characters. */
  token: string;
};

/** A rule about texts. */
export type ContentRule =
  /** The text contains a blocked word or phrase. */
  | 'BLOCKED_WORD'
  /** The text links to a domain that is not allowed. */
  | 'LINK_NOT_ALLOWED';

/** Input of `createKey`. */
export type CreateKeyInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** What the key is for. */
  kind: NetworkKeyKind;
  /** Name by which administrators recognize the key. 1 to 100 characters. */
  name: string;
};

/** Input of `createSession`. The `X-API-Key` header names the network. */
export type CreateSessionInput = {
  /** Token created by `mintAuthToken`; required in secure mode and for users with a network-wide role. At most 2,000 characters. */
  authToken?: string | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Id of the device. Sessions of other users on it end. At most 150 characters. */
  deviceId?: string | null | undefined;
  /** Display name of a new user; `userId` by default. At most 100 characters. */
  displayName?: string | null | undefined;
  /** Public id of the user. An unknown user is created, unless the network forbids it. 1 to 50 characters. */
  userId: string;
};

/** Input of `createWebhookEndpoint`. */
export type CreateWebhookEndpointInput = {
  /** Bearer token in the `Authorization` header of the two `push-notification/…` events, in printable ASCII. It is never returned. Null removes it; so does a new URL of another origin. 1 to 2,000 characters. */
  accessToken?: string | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Names of the events to send, such as `v3.post.didCreate`. 1 to 112. */
  events: Array<string>;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** HTTP method. Default on creation: POST. */
  method?: WebhookMethod | null | undefined;
  /** GraphQL document whose subscriptions select the request body; null for the documented REST form. 1 to 10,000 characters. */
  selection?: string | null | undefined;
  /** http or https URL without credentials; private addresses are rejected. 1 to 2,000 characters. */
  url: string;
};

/** Kinds of databases. */
export type DatabaseKind =
  /** The document store that is part of the gateway. */
  | 'EMBEDDED'
  /** A replica set or sharded cluster of MongoDB. */
  | 'MONGODB';

/** Input of `declinePost`. */
export type DeclinePostInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the post. */
  postId: string;
};

/** Addresses that open records in the application. */
export type DeepLinkSettingsInput = {
  /** Domain of the addresses, such as app.example.com. At most 253 characters. */
  domain?: string | null | undefined;
  /** Path of each kind of record by its name, such as `{post: "/post/{postId}"}`; replaces all patterns. */
  patterns?: Record<string, unknown> | null | undefined;
};

/** Input of `deleteComment`. */
export type DeleteCommentInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the comment. */
  commentId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Whether to erase the content; requires the permission to delete comments there. Default: false. */
  permanent?: boolean | null | undefined;
};

/** Input of `deletePost`. */
export type DeletePostInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Whether to erase the content; requires the permission to delete posts there. Default: false. */
  permanent?: boolean | null | undefined;
  /** Public id of the post. */
  postId: string;
};

/** Input of `deleteUser`. */
export type DeleteUserInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the user; the viewer by default. */
  userId?: string | null | undefined;
};

/** Input of `deleteWebhookEndpoint`. */
export type DeleteWebhookEndpointInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the endpoint. */
  endpointId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Input of `disableWebhookEndpoint`. */
export type DisableWebhookEndpointInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the endpoint. */
  endpointId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Input of `enableWebhookEndpoint`. */
export type EnableWebhookEndpointInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the endpoint. */
  endpointId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Input of `eraseUser`. */
export type EraseUserInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Whether posts, comments, stories, messages, polls, rooms and video streams are kept or removed. */
  content: ErasedContent;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Reason for the audit log, which keeps it: name a request number, not the person. 1 to 300 characters. */
  reason: string;
  /** Public id of the user, whose account may already be deleted. */
  userId: string;
};

/** What happens to the content of an erased person. */
export type ErasedContent =
  /** Posts, comments, stories, messages, polls, rooms and video streams remain, without a name. */
  | 'KEEP'
  /** They are deleted and their content is erased; the records remain empty, because others refer to them. */
  | 'REMOVE';

/** How far an erasure is. */
export type ErasureState =
  /** All steps are completed. */
  | 'COMPLETED'
  /** Steps are left. They continue without a request, also after a restart. */
  | 'RUNNING';

/** Error code. Each description names the numeric code and the HTTP status of REST. The viewer is the signed-in user. */
export type ErrorCode =
  /** The request is malformed, or the current state of a record does not allow the operation. REST: code 400000, HTTP status 400. */
  | 'BAD_REQUEST'
  /** The viewer is banned from the community or channel. REST: code 400304, HTTP status 403. */
  | 'BANNED'
  /** The text contains a word that the network blocks. REST: code 400308, HTTP status 403. */
  | 'BLOCKED_WORD'
  /** The viewer has blocked the maximum number of users. REST: code 400324, HTTP status 403. */
  | 'BLOCK_LIMIT'
  /** The viewer is a bot, whose session is read-only. REST: code 403998, HTTP status 403. */
  | 'BOT_DENIED'
  /** A user to ban has a higher rank than the viewer, or is the viewer. REST: code 400306, HTTP status 403. */
  | 'CANNOT_BAN'
  /** The channel is muted; only users who can mute it can send messages. REST: code 400303, HTTP status 403. */
  | 'CHANNEL_MUTED'
  /** A concurrent change or the status of the record prevents the operation, or an idempotency key was used for another request. REST: code 400900, HTTP status 409. */
  | 'CONFLICT'
  /** Events after this cursor are no longer retained: query `eventCursor`, read the data again, then subscribe after that cursor. REST: code 410000, HTTP status 410. */
  | 'CURSOR_EXPIRED'
  /** A record with this id, or a vote of the viewer, already exists. REST: code 400315, HTTP status 403. */
  | 'DUPLICATE'
  /** The viewer is not allowed to do this, for example because only members are. REST: code 400300, HTTP status 403. */
  | 'FORBIDDEN'
  /** The user is banned from the network, or their account is deleted. REST: code 400312, HTTP status 403. */
  | 'GLOBALLY_BANNED'
  /** Unexpected error, reported in the log of the server. REST: code 500000, HTTP status 500. */
  | 'INTERNAL'
  /** A parameter is missing, malformed or out of bounds; `detail` names each one. REST: code 500000, HTTP status 422. */
  | 'INVALID_PARAMETERS'
  /** The community would have no members; delete it instead. REST: code 400318, HTTP status 403. */
  | 'LAST_MEMBER'
  /** The community would have members but no moderator. REST: code 400317, HTTP status 403. */
  | 'LAST_MODERATOR'
  /** The text contains a link that the network does not allow. REST: code 400309, HTTP status 403. */
  | 'LINK_NOT_ALLOWED'
  /** A user to unban is not banned. REST: code 400316, HTTP status 403. */
  | 'NOT_BANNED'
  /** The record does not exist, or the viewer cannot see it. REST: code 400400, HTTP status 404. */
  | 'NOT_FOUND'
  /** The viewer lacks the permission that the operation requires. REST: code 400301, HTTP status 403. */
  | 'PERMISSION_DENIED'
  /** Too many requests, connections or messages; retry later. REST: code 400311, HTTP status 429. */
  | 'RATE_LIMITED'
  /** The request, an uploaded file or the response exceeds a size limit. REST: code 500000, HTTP status 413. */
  | 'TOO_LARGE'
  /** The access token or key is missing, invalid or expired. REST: code 400100, HTTP status 401. */
  | 'UNAUTHORIZED'
  /** The service or its database is temporarily unavailable or took too long; retry later. REST: code 500000, HTTP status 503. */
  | 'UNAVAILABLE'
  /** The uploaded file has a format that the route does not accept. REST: code 400002, HTTP status 415. */
  | 'UNSUPPORTED_FORMAT'
  /** The viewer is muted in the channel and cannot send messages. REST: code 400302, HTTP status 403. */
  | 'USER_MUTED'
  /** The viewer is a visitor, whose session is read-only. REST: code 403999, HTTP status 403. */
  | 'VISITOR_DENIED';

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

/** Input of `exportUser`. */
export type ExportUserInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Reason for the audit log, such as a request number. At most 300 characters. */
  reason?: string | null | undefined;
  /** Public id of the user, whose account may be deleted or banned; the viewer by default. */
  userId?: string | null | undefined;
};

/** Publication state of the posts of a feed. */
export type FeedType =
  /** Posts declined by a moderator; visible to their authors and to moderators. */
  | 'DECLINED'
  /** Posts visible to every user with access to the community or user. Default for lists of posts. */
  | 'PUBLISHED'
  /** Posts in review; visible to their authors and to moderators. */
  | 'REVIEWING';

/** Reason for a flag. REST spells a reason as a phrase, such as `Self-harm or suicide`. */
export type FlagReason =
  /** Violates the guidelines of the community. */
  | 'AGAINST_COMMUNITY_GUIDELINES'
  /** States something false or misleading. */
  | 'FALSE_INFORMATION_OR_MISINFORMATION'
  /** Harasses, insults or bullies somebody. */
  | 'HARASSMENT_OR_BULLYING'
  /** Any other reason, explained in `detail`. Default. */
  | 'OTHERS'
  /** Depicts or encourages self-harm or suicide. */
  | 'SELF_HARM_OR_SUICIDE'
  /** Sells or advertises restricted goods, such as drugs or weapons. */
  | 'SELLING_AND_PROMOTING_RESTRICTED_ITEMS'
  /** Shows nudity or sexual content. */
  | 'SEXUAL_CONTENT_OR_NUDITY'
  /** Unsolicited advertising, or an attempt to defraud. */
  | 'SPAM_OR_SCAMS'
  /** Depicts violence, or threatens somebody. */
  | 'VIOLENCE_OR_THREATENING_CONTENT';

/** What the global feed contains. */
export type GlobalFeedInput = {
  /** Whether it contains the posts of communities that the viewer joined. */
  showCommunityPost?: boolean | null | undefined;
  /** Whether it contains all posts of the network that the viewer sees. */
  showEveryonePost?: boolean | null | undefined;
  /** Whether it contains the posts on the feeds of users whom the viewer follows. */
  showFollowingPost?: boolean | null | undefined;
  /** Whether the global feed contains the posts on the feed of the viewer. */
  showMyPost?: boolean | null | undefined;
};

/** Read positions. */
export type MarkerSettingsInput = {
  /** Whether clients report read positions. Clients apply it; positions that arrive are stored. */
  enabled?: boolean | null | undefined;
};

/** Which mentions messages can contain. */
export type MentionSettingsInput = {
  /** Whether messages can mention everybody in the channel. */
  isAllowMentionAll?: boolean | null | undefined;
  /** Whether messages can mention users by name. */
  isAllowMentionedUsers?: boolean | null | undefined;
};

/** The newest message in lists of channels. */
export type MessagePreviewSettingsInput = {
  /** Whether clients show the newest message in lists of channels. Clients apply it. */
  enabled?: boolean | null | undefined;
  /** Whether clients keep a deleted message there until a newer one arrives. Clients apply it. */
  isIncludeDeleted?: boolean | null | undefined;
};

/** A decision about an item of the moderation queue, which takes the item out of it. */
export type ModerationAction =
  /** Keeps the record: publishes a post that awaits review, and clears flags. */
  | 'APPROVE'
  /** Bans the author and deletes the content; of a user, bans the user and clears the flags. */
  | 'BAN_AUTHOR'
  /** Clears the flags. A post that awaits review stays in the queue. */
  | 'CLEAR_FLAGS'
  /** Declines a post that awaits review, and clears its flags. */
  | 'DECLINE'
  /** Deletes the content. Not for users. */
  | 'DELETE';

/** Names an item of the moderation queue. */
export type ModerationItemKey = {
  /** Public id of the record. */
  itemId: string;
  /** Kind of the record. */
  kind: ModerationKind;
};

/** Kind of record in the moderation queue. */
export type ModerationKind =
  /** A comment or reply. */
  | 'COMMENT'
  /** A message of a channel. */
  | 'MESSAGE'
  /** A post, or a child post. */
  | 'POST'
  /** A story, also an expired one. */
  | 'STORY'
  /** A user. */
  | 'USER';

/** Which records of the moderation queue to list; all by default. */
export type ModerationQueueFilter = {
  /** Only content of this user, and the user. */
  authorId?: string | null | undefined;
  /** Only messages of this channel. Cannot be combined with `communityId`. */
  channelId?: string | null | undefined;
  /** Only posts, comments and stories of this community. */
  communityId?: string | null | undefined;
  /** Only records created at or after this time. */
  from?: string | null | undefined;
  /** Only records of these kinds; all by default. At most 5. */
  kinds?: Array<ModerationKind> | null | undefined;
  /** Only flagged records, or only posts that await review. */
  state?: ModerationState | null | undefined;
  /** Only records created before this time. */
  to?: string | null | undefined;
};

/** Order of the moderation queue. */
export type ModerationQueueSort =
  /** By the creation of the records, oldest first. */
  | 'FIRST_CREATED'
  /** By the creation of the records, newest first. Default. */
  | 'LAST_CREATED';

/** Why a record is in the moderation queue. */
export type ModerationState =
  /** A post that is published when a moderator approves it. */
  | 'AWAITING_REVIEW'
  /** Users flagged it. */
  | 'FLAGGED';

/** Input of `muteChannel`. */
export type MuteChannelInput = {
  /** Public id of the channel. */
  channelId: string;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Duration in milliseconds; −1 for no end, 0 to unmute. */
  mutePeriod: number;
};

/** Input of `muteChannelMembers`. */
export type MuteChannelMembersInput = {
  /** Public id of the channel. */
  channelId: string;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Duration in milliseconds; −1 for no end, 0 to unmute. */
  mutePeriod: number;
  /** Why, for moderators. The muted user does not see it. At most 1,000 characters. */
  reason?: string | null | undefined;
  /** Public ids of the users. 1 to 100. */
  userIds: Array<string>;
};

/** What a key of a network is for. */
export type NetworkKeyKind =
  /** Names the network when a session is created: the header `X-API-Key`. It ships with client applications. */
  | 'API'
  /** Mints auth tokens and assigns network roles: the header `X-Server-Key`. It stays on your own servers. */
  | 'SERVER';

/** List of pinned posts that a pin belongs to. */
export type PinPlacement =
  /** Announcements of a community, 50 at most. */
  | 'ANNOUNCEMENT'
  /** Pinned posts of a community, 50 at most. */
  | 'DEFAULT'
  /** Pinned posts of the whole network; rejected with `INVALID_PARAMETERS` when pinning in a community. */
  | 'GLOBAL';

/** Input of `refreshSession`. */
export type RefreshSessionInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** `refreshToken` of the session, as it was returned last. 1 to 2,000 characters. */
  refreshToken: string;
};

/** Input of `removeChannelRole`. */
export type RemoveChannelRoleInput = {
  /** Public id of the channel. */
  channelId: string;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the role. 1 to 100 characters. */
  role: string;
  /** Public ids of the members. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `removeCommunityMembers`. */
export type RemoveCommunityMembersInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the community. */
  communityId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public ids of the users. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `removeCommunityRoles`. */
export type RemoveCommunityRolesInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the community. */
  communityId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public ids of the roles. 1 to 100. */
  roleIds: Array<string>;
  /** Public ids of the members. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `renameKey`. */
export type RenameKeyInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Id of the key. */
  keyId: string;
  /** New name of the key. 1 to 100 characters. */
  name: string;
};

/** Input of `replayWebhookDelivery`. */
export type ReplayWebhookDeliveryInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the delivery. */
  deliveryId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Input of `resolveModerationItems`. */
export type ResolveModerationItemsInput = {
  /** The decision. */
  action: ModerationAction;
  /** When the ban ends by itself, in the future and at most 10 years from now. Null: never. Default. */
  banExpiresAt?: string | null | undefined;
  /** From what `BAN_AUTHOR` bans: the network, or the community or channel of the content. Default: `NETWORK`. */
  banFrom?: BanKind | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** The items; repeated ones are ignored. 1 to 50. */
  items: Array<ModerationItemKey>;
  /** Why, for the audit log and, if the author is banned, for moderators. At most 1,000 characters. */
  reason?: string | null | undefined;
};

/** Input of `retireKey`. */
export type RetireKeyInput = {
  /** When the key is refused from; now by default, and for a time that has passed. */
  at?: string | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Id of the key. */
  keyId: string;
};

/** Input of `revokeAllSessions`. */
export type RevokeAllSessionsInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Whether the session of the request is kept. Default: false. */
  keepsOwn?: boolean | null | undefined;
};

/** Input of `revokeSessions`. */
export type RevokeSessionsInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Only this session of the user, from `userSessions`. Default: all. */
  sessionId?: string | null | undefined;
  /** Public id of the user. */
  userId: string;
};

/** Input of `rotateKey`. */
export type RotateKeyInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Id of the key. */
  keyId: string;
  /** Hours for which the replaced key is still accepted. Default: 24. 0 to 8,760. */
  overlapHours?: number | null | undefined;
};

/** Input of `rotateWebhookSecret`. */
export type RotateWebhookSecretInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the endpoint. */
  endpointId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Hours for which deliveries are also signed with the previous secret. Default: 24. 0 to 168. */
  keepHours?: number | null | undefined;
};

/** Input of `sendTestPing`. */
export type SendTestPingInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the endpoint. */
  endpointId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Settings of profiles, communities and feeds. */
export type SocialSettingsInput = {
  /** Whether clients offer communities and feeds. Clients apply it; the server accepts posts either way. */
  enabled?: boolean | null | undefined;
  /** What the global feed contains. */
  globalFeed?: GlobalFeedInput | null | undefined;
  /** Whether authors can change a post that waits for review. */
  isAllowEditPostWhenReviewingEnabled?: boolean | null | undefined;
  /** Who reads the feeds of users, and whether users approve their followers. */
  userPrivacySetting?: UserPrivacySetting | null | undefined;
};

/** Input of `unbanChannelMembers`. */
export type UnbanChannelMembersInput = {
  /** Public id of the channel. */
  channelId: string;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public ids of the users. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `unbanCommunityMembers`. */
export type UnbanCommunityMembersInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the community. */
  communityId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public ids of the users. 1 to 100. */
  userIds: Array<string>;
};

/** Input of `unbanUser`. */
export type UnbanUserInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Public id of the user. */
  userId: string;
};

/** Input of `unpinPost`. */
export type UnpinPostInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Public id of the community. */
  communityId: string;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** List of pinned posts: the default one or announcements. */
  placement: PinPlacement;
  /** Public id of a published parent post of the community. */
  postId: string;
};

/** Input of `updateContentRules`. */
export type UpdateContentRulesInput = {
  /** Domains to which posts, polls, comments and messages can link, with their subdomains; replaces the list. null allows all links. At most 500, of 1 to 253 characters each. */
  allowedLinkDomains?: Array<string> | null | undefined;
  /** Words and phrases that posts, polls, comments and messages cannot contain; replaces the list. At most 1,000, of 1 to 100 characters each. */
  blockedWords?: Array<string> | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
};

/** Input of `updateNetworkSettings`. */
export type UpdateNetworkSettingsInput = {
  /** Settings of chat. */
  chat?: ChatSettingsInput | null | undefined;
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Whether a sign-in creates a user who does not exist yet. Otherwise it fails with `NOT_FOUND`. */
  createsUnknownUsers?: boolean | null | undefined;
  /** Addresses that open records in the application. */
  deepLinks?: DeepLinkSettingsInput | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Settings of profiles, communities and feeds. */
  social?: SocialSettingsInput | null | undefined;
  /** Settings of webhooks. */
  webhook?: WebhookSettingsInput | null | undefined;
};

/** Input of `updateRole`. */
export type UpdateRoleInput = {
  /** Returned as it is in the payload. Deprecated as an idempotency key: it is one if `idempotencyKey` is absent; see `Mutation`. */
  clientMutationId?: string | number | null | undefined;
  /** Display name. 1 to 100 characters. */
  displayName?: string | null | undefined;
  /** Idempotency key, 1 to 255 characters; see `Mutation`. Null: the mutation is executed each time it is sent. */
  idempotencyKey?: string | number | null | undefined;
  /** Permissions of users who hold the role; only permissions that the viewer holds. At most 42. */
  permissions?: Array<string> | null | undefined;
  /** Rank, at most the rank of the viewer. 0 to 100. */
  rank?: number | null | undefined;
  /** Public id of the role. */
  roleId: string;
};

/** Filter of users by flags. */
export type UserFilter =
  /** All users visible to the viewer. Default. */
  | 'ALL'
  /** Users with at least one flag. */
  | 'FLAGGED';

/** Who reads the feeds of users. */
export type UserPrivacySetting =
  /** The user, their followers and moderators. Users approve their followers. */
  | 'PRIVATE'
  /** Everybody in the network. A follow needs no approval. Default. */
  | 'PUBLIC';

/** State of a webhook delivery. */
export type WebhookDeliveryState =
  /** The receiver responded with a 2xx status. */
  | 'DELIVERED'
  /** Not sent, because the endpoint was deleted or the records of the event no longer exist. */
  | 'DROPPED'
  /** No attempt succeeded: 10 attempts were made, or the receiver responded with 410 (Gone). A ping has a single attempt. */
  | 'FAILED'
  /** Queued, in progress, or scheduled for another attempt. */
  | 'PENDING';

/** Reason why a webhook endpoint is disabled. */
export type WebhookDisabledReason =
  /** An administrator disabled it. */
  | 'ADMIN'
  /** Every delivery failed for five days. */
  | 'FAILING'
  /** The receiver responded with 410 (Gone). */
  | 'GONE';

/** HTTP method of webhook requests. Both carry a JSON body. */
export type WebhookMethod =
  /** A GET request with a body; many servers and proxies ignore or reject such a body. */
  | 'GET'
  /** Supported by every HTTP server. Default. */
  | 'POST';

/** Settings of webhooks. */
export type WebhookSettingsInput = {
  /** Whether webhooks are sent, as `switchWebhooks` sets it. */
  enabled?: boolean | null | undefined;
};

export type AuditLogQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter: AuditLogFilter;
}>;


export type AuditLogQuery = { auditLog: { edges: Array<{ node: { id: string, createdAt: string, action: string, actorKind: AuditActorKind, actorId: string | null, subjectType: AuditSubject, subjectId: string, affectedUserId: string | null, communityId: string | null, channelId: string | null, reason: string | null, details: Record<string, unknown>, transport: AuditTransport, address: string | null, actor: { id: string, userId: string, displayName: string } | null, affectedUser: { id: string, userId: string, displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ChannelsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  keyword?: string | null | undefined;
}>;


export type ChannelsQuery = { networkChannels: { edges: Array<{ node: { id: string, channelId: string, displayName: string, type: ChannelType, memberCount: number, messageCount: number, isMuted: boolean, lastActivity: string, viewerCanModerate: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ChannelMembersQueryVariables = Exact<{
  channelId: string;
  first: number;
  after?: string | null | undefined;
  memberships: Array<ChannelUserFilter> | ChannelUserFilter;
}>;


export type ChannelMembersQuery = { channel: { id: string, displayName: string, viewerCanAssignRoles: boolean, viewerCanMuteMembers: boolean, viewerCanBanMembers: boolean, members: { edges: Array<{ node: { id: string, userId: string, roles: Array<string>, isBanned: boolean, isMuted: boolean, createdAt: string, mute: { reason: string | null, expiresAt: string | null } | null, ban: { reason: string | null, expiresAt: string | null } | null, user: { id: string, userId: string, displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type MuteChannelMutationVariables = Exact<{
  input: MuteChannelInput;
}>;


export type MuteChannelMutation = { muteChannel:
    | { __typename: 'MuteChannelPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type MuteChannelMembersMutationVariables = Exact<{
  input: MuteChannelMembersInput;
}>;


export type MuteChannelMembersMutation = { muteChannelMembers:
    | { __typename: 'MuteChannelMembersPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type AddChannelRoleMutationVariables = Exact<{
  input: AddChannelRoleInput;
}>;


export type AddChannelRoleMutation = { addChannelRole:
    | { __typename: 'AddChannelRolePayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type RemoveChannelRoleMutationVariables = Exact<{
  input: RemoveChannelRoleInput;
}>;


export type RemoveChannelRoleMutation = { removeChannelRole:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RemoveChannelRolePayload' }
   };

export type BanChannelMembersMutationVariables = Exact<{
  input: BanChannelMembersInput;
}>;


export type BanChannelMembersMutation = { banChannelMembers:
    | { __typename: 'BanChannelMembersPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type UnbanChannelMembersMutationVariables = Exact<{
  input: UnbanChannelMembersInput;
}>;


export type UnbanChannelMembersMutation = { unbanChannelMembers:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UnbanChannelMembersPayload' }
   };

export type CommunitiesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  keyword?: string | null | undefined;
}>;


export type CommunitiesQuery = { communities: { edges: Array<{ node: { id: string, communityId: string, displayName: string, isPublic: boolean, isOfficial: boolean, membersCount: number, postsCount: number, createdAt: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CommunityDetailsQueryVariables = Exact<{
  communityId: string;
}>;


export type CommunityDetailsQuery = { community: { id: string, communityId: string, displayName: string, description: string, isPublic: boolean, membersCount: number, postsCount: number, pins: { edges: Array<{ node: { id: string, placement: string, pinnedAt: string, post: { id: string, postId: string, viewerCanPin: boolean, data: { text: string | null, title: string | null } } | null } }> } } | null };

export type CommunityMembersQueryVariables = Exact<{
  communityId: string;
  first: number;
  after?: string | null | undefined;
  memberships: Array<CommunityMembership> | CommunityMembership;
}>;


export type CommunityMembersQuery = { community: { id: string, viewerCanBanMembers: boolean, viewerCanRemoveMembers: boolean, viewerCanAssignRoles: boolean, members: { edges: Array<{ node: { id: string, userId: string, roles: Array<string>, isBanned: boolean, createdAt: string, ban: { reason: string | null, expiresAt: string | null } | null, user: { id: string, userId: string, displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type BanCommunityMembersMutationVariables = Exact<{
  input: BanCommunityMembersInput;
}>;


export type BanCommunityMembersMutation = { banCommunityMembers:
    | { __typename: 'BanCommunityMembersPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type UnbanCommunityMembersMutationVariables = Exact<{
  input: UnbanCommunityMembersInput;
}>;


export type UnbanCommunityMembersMutation = { unbanCommunityMembers:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UnbanCommunityMembersPayload' }
   };

export type RemoveCommunityMembersMutationVariables = Exact<{
  input: RemoveCommunityMembersInput;
}>;


export type RemoveCommunityMembersMutation = { removeCommunityMembers:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RemoveCommunityMembersPayload' }
   };

export type AddCommunityRolesMutationVariables = Exact<{
  input: AddCommunityRolesInput;
}>;


export type AddCommunityRolesMutation = { addCommunityRoles:
    | { __typename: 'AddCommunityRolesPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type RemoveCommunityRolesMutationVariables = Exact<{
  input: RemoveCommunityRolesInput;
}>;


export type RemoveCommunityRolesMutation = { removeCommunityRoles:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RemoveCommunityRolesPayload' }
   };

export type UnpinPostMutationVariables = Exact<{
  input: UnpinPostInput;
}>;


export type UnpinPostMutation = { unpinPost:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UnpinPostPayload' }
   };

export type LiveEventsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LiveEventsSubscription = { events:
    | { __typename: 'CategoryEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'ChannelEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'ChannelUsersEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'CommentEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'CommentReactionEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'CommunityEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'CommunityUsersEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'FeedMarkerEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'FileEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'FollowEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'JoinRequestEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'LiveReactionEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'MarkerEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'MessageEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'MessageFeedEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'MessageReactionEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'PollEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'PostEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'PostReactionEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'RoleEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'RoomEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'RoomParticipantEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'StoryEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'StoryReactionEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'UserEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
    | { __typename: 'VideoStreamEvent', id: string, type: EventType, actorId: string | null, sendTime: string, path: string }
   };

export type NewestPostsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type NewestPostsQuery = { contentFeed: { edges: Array<{ node: { id: string, postId: string, createdAt: string, flagCount: number, feedType: FeedType, dataType: string, viewerCanDelete: boolean, viewerCanModerate: boolean, data: { text: string | null, title: string | null }, author: { id: string, userId: string, displayName: string } | null, community: { id: string, communityId: string, displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CommentsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  hasFlag?: boolean | null | undefined;
}>;


export type CommentsQuery = { comments: { edges: Array<{ node: { id: string, commentId: string, data: Record<string, unknown>, createdAt: string, flagCount: number, viewerCanDelete: boolean, viewerCanModerate: boolean, author: { id: string, userId: string, displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PostRowFragment = { id: string, postId: string, createdAt: string, flagCount: number, feedType: FeedType, dataType: string, viewerCanDelete: boolean, viewerCanModerate: boolean, data: { text: string | null, title: string | null }, author: { id: string, userId: string, displayName: string } | null, community: { id: string, communityId: string, displayName: string } | null };

export type ClearPostFlagsMutationVariables = Exact<{
  input: ClearPostFlagsInput;
}>;


export type ClearPostFlagsMutation = { clearPostFlags:
    | { __typename: 'ClearPostFlagsPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type DeletePostMutationVariables = Exact<{
  input: DeletePostInput;
}>;


export type DeletePostMutation = { deletePost:
    | { __typename: 'DeletePostPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type ClearCommentFlagsMutationVariables = Exact<{
  input: ClearCommentFlagsInput;
}>;


export type ClearCommentFlagsMutation = { clearCommentFlags:
    | { __typename: 'ClearCommentFlagsPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type DeleteCommentMutationVariables = Exact<{
  input: DeleteCommentInput;
}>;


export type DeleteCommentMutation = { deleteComment:
    | { __typename: 'DeleteCommentPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type ApprovePostMutationVariables = Exact<{
  input: ApprovePostInput;
}>;


export type ApprovePostMutation = { approvePost:
    | { __typename: 'ApprovePostPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type DeclinePostMutationVariables = Exact<{
  input: DeclinePostInput;
}>;


export type DeclinePostMutation = { declinePost:
    | { __typename: 'DeclinePostPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type ModerationQueueQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: ModerationQueueFilter | null | undefined;
  sortBy?: ModerationQueueSort | null | undefined;
}>;


export type ModerationQueueQuery = { moderationQueue: { omitsPlaces: boolean, edges: Array<{ node: { kind: ModerationKind, itemId: string, states: Array<ModerationState>, flagCount: number, createdAt: string, content:
          | { __typename: 'Comment', viewerCanDelete: boolean, id: string, commentId: string, commentData: Record<string, unknown> }
          | { __typename: 'Message', viewerCanDelete: boolean, id: string, messageId: string, messageData: Record<string, unknown> }
          | { __typename: 'Post', viewerCanDelete: boolean, id: string, postId: string, dataType: string, postData: { title: string | null, text: string | null } }
          | { __typename: 'Story', viewerCanDelete: boolean, id: string, storyId: string, storyData: { text: string | null } }
          | { __typename: 'User', id: string, userId: string, displayName: string, description: string }
        , author: { id: string, userId: string, displayName: string, viewerCanBan: boolean } | null, community: { id: string, communityId: string, displayName: string, viewerCanBanMembers: boolean } | null, channel: { id: string, channelId: string, displayName: string, viewerCanModerate: boolean } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ModerationItemQueryVariables = Exact<{
  kind: ModerationKind;
  itemId: string;
}>;


export type ModerationItemQuery = { moderationItem: { kind: ModerationKind, itemId: string, states: Array<ModerationState>, flagCount: number, createdAt: string, content:
      | { __typename: 'Comment', viewerCanDelete: boolean, id: string, commentId: string, commentData: Record<string, unknown> }
      | { __typename: 'Message', viewerCanDelete: boolean, id: string, messageId: string, messageData: Record<string, unknown> }
      | { __typename: 'Post', viewerCanDelete: boolean, id: string, postId: string, dataType: string, postData: { title: string | null, text: string | null } }
      | { __typename: 'Story', viewerCanDelete: boolean, id: string, storyId: string, storyData: { text: string | null } }
      | { __typename: 'User', id: string, userId: string, displayName: string, description: string }
    , author: { id: string, userId: string, displayName: string, viewerCanBan: boolean } | null, community: { id: string, communityId: string, displayName: string, viewerCanBanMembers: boolean } | null, channel: { id: string, channelId: string, displayName: string, viewerCanModerate: boolean } | null } | null };

export type ModerationDetailsQueryVariables = Exact<{
  kind: ModerationKind;
  itemId: string;
}>;


export type ModerationDetailsQuery = { moderationItem: { kind: ModerationKind, itemId: string, authorHistory: { removals: number, flags: number, bans: number }, flags: { edges: Array<{ node: { reason: FlagReason, detail: string, updatedAt: string, user: { id: string, userId: string, displayName: string } | null } }> }, parent:
      | { __typename: 'Comment', id: string, commentId: string, commentData: Record<string, unknown> }
      | { __typename: 'Message', id: string, messageId: string, messageData: Record<string, unknown> }
      | { __typename: 'Post', id: string, postId: string, dataType: string, postData: { title: string | null, text: string | null } }
      | { __typename: 'Story', id: string, storyId: string, storyData: { text: string | null } }
      | { __typename: 'User', id: string, userId: string, displayName: string, description: string }
     | null } | null };

export type QueueItemFragment = { kind: ModerationKind, itemId: string, states: Array<ModerationState>, flagCount: number, createdAt: string, content:
    | { __typename: 'Comment', viewerCanDelete: boolean, id: string, commentId: string, commentData: Record<string, unknown> }
    | { __typename: 'Message', viewerCanDelete: boolean, id: string, messageId: string, messageData: Record<string, unknown> }
    | { __typename: 'Post', viewerCanDelete: boolean, id: string, postId: string, dataType: string, postData: { title: string | null, text: string | null } }
    | { __typename: 'Story', viewerCanDelete: boolean, id: string, storyId: string, storyData: { text: string | null } }
    | { __typename: 'User', id: string, userId: string, displayName: string, description: string }
  , author: { id: string, userId: string, displayName: string, viewerCanBan: boolean } | null, community: { id: string, communityId: string, displayName: string, viewerCanBanMembers: boolean } | null, channel: { id: string, channelId: string, displayName: string, viewerCanModerate: boolean } | null };

type ContentText_Comment_Fragment = { __typename: 'Comment', id: string, commentId: string, commentData: Record<string, unknown> };

type ContentText_Message_Fragment = { __typename: 'Message', id: string, messageId: string, messageData: Record<string, unknown> };

type ContentText_Post_Fragment = { __typename: 'Post', id: string, postId: string, dataType: string, postData: { title: string | null, text: string | null } };

type ContentText_Story_Fragment = { __typename: 'Story', id: string, storyId: string, storyData: { text: string | null } };

type ContentText_User_Fragment = { __typename: 'User', id: string, userId: string, displayName: string, description: string };

export type ContentTextFragment =
  | ContentText_Comment_Fragment
  | ContentText_Message_Fragment
  | ContentText_Post_Fragment
  | ContentText_Story_Fragment
  | ContentText_User_Fragment
;

export type ResolveModerationItemsMutationVariables = Exact<{
  input: ResolveModerationItemsInput;
}>;


export type ResolveModerationItemsMutation = { resolveModerationItems:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'ResolveModerationItemsPayload', results: Array<{ kind: ModerationKind, itemId: string, code: ErrorCode | null, message: string | null }> }
   };

export type QueueEventsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type QueueEventsSubscription = { events:
    | { __typename: 'CategoryEvent', type: EventType }
    | { __typename: 'ChannelEvent', type: EventType }
    | { __typename: 'ChannelUsersEvent', type: EventType }
    | { __typename: 'CommentEvent', type: EventType, comment: { commentId: string } }
    | { __typename: 'CommentReactionEvent', type: EventType }
    | { __typename: 'CommunityEvent', type: EventType }
    | { __typename: 'CommunityUsersEvent', type: EventType }
    | { __typename: 'FeedMarkerEvent', type: EventType }
    | { __typename: 'FileEvent', type: EventType }
    | { __typename: 'FollowEvent', type: EventType }
    | { __typename: 'JoinRequestEvent', type: EventType }
    | { __typename: 'LiveReactionEvent', type: EventType }
    | { __typename: 'MarkerEvent', type: EventType }
    | { __typename: 'MessageEvent', type: EventType, chatMessage: { messageId: string } }
    | { __typename: 'MessageFeedEvent', type: EventType }
    | { __typename: 'MessageReactionEvent', type: EventType }
    | { __typename: 'PollEvent', type: EventType }
    | { __typename: 'PostEvent', type: EventType, post: { postId: string, feedType: FeedType } }
    | { __typename: 'PostReactionEvent', type: EventType }
    | { __typename: 'RoleEvent', type: EventType }
    | { __typename: 'RoomEvent', type: EventType }
    | { __typename: 'RoomParticipantEvent', type: EventType }
    | { __typename: 'StoryEvent', type: EventType, story: { storyId: string } }
    | { __typename: 'StoryReactionEvent', type: EventType }
    | { __typename: 'UserEvent', type: EventType, user: { userId: string } }
    | { __typename: 'VideoStreamEvent', type: EventType }
   };

export type CheckTextQueryVariables = Exact<{
  text: string;
}>;


export type CheckTextQuery = { checkText: Array<{ rule: ContentRule, value: string }> };

export type OverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewQuery = { serverStatus: { version: string, startedAt: string, processes: number, sockets: number, liveConnections: number, subscriptions: number, webhookBacklog: number, heapUsedBytes: number, residentMemoryBytes: number, database: { kind: DatabaseKind, bytes: number | null, isReady: boolean, isReadOnly: boolean, problem: string | null }, eventLoop: { medianMs: number, p99Ms: number, maxMs: number, utilization: number }, traffic: { periodSeconds: number, requests: Array<number>, errors: Array<number>, serverErrors: Array<number>, events: Array<number> } } };

export type PeopleQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  keyword?: string | null | undefined;
  filter: UserFilter;
  isDeleted?: boolean | null | undefined;
}>;


export type PeopleQuery = { users: { edges: Array<{ node: { id: string, userId: string, displayName: string, roles: Array<string>, createdAt: string, flagCount: number, isGlobalBan: boolean, isDeleted: boolean, isBrand: boolean, viewerCanBan: boolean, viewerCanDelete: boolean, viewerCanAssignRoles: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PersonDetailsQueryVariables = Exact<{
  userId: string;
}>;


export type PersonDetailsQuery = { user: { description: string, updatedAt: string, permissions: Array<string>, id: string, userId: string, displayName: string, roles: Array<string>, createdAt: string, flagCount: number, isGlobalBan: boolean, isDeleted: boolean, isBrand: boolean, viewerCanBan: boolean, viewerCanDelete: boolean, viewerCanAssignRoles: boolean, followCounts: { followerCount: number, followingCount: number } } | null };

export type AssignableRolesQueryVariables = Exact<{ [key: string]: never; }>;


export type AssignableRolesQuery = { roles: { edges: Array<{ node: { id: string, roleId: string, displayName: string, rank: number } }> } };

export type PersonRowFragment = { id: string, userId: string, displayName: string, roles: Array<string>, createdAt: string, flagCount: number, isGlobalBan: boolean, isDeleted: boolean, isBrand: boolean, viewerCanBan: boolean, viewerCanDelete: boolean, viewerCanAssignRoles: boolean };

export type BanUserMutationVariables = Exact<{
  input: BanUserInput;
}>;


export type BanUserMutation = { banUser:
    | { __typename: 'BanUserPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type UnbanUserMutationVariables = Exact<{
  input: UnbanUserInput;
}>;


export type UnbanUserMutation = { unbanUser:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UnbanUserPayload' }
   };

export type DeleteUserMutationVariables = Exact<{
  input: DeleteUserInput;
}>;


export type DeleteUserMutation = { deleteUser:
    | { __typename: 'DeleteUserPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type ClearUserFlagsMutationVariables = Exact<{
  input: ClearUserFlagsInput;
}>;


export type ClearUserFlagsMutation = { clearUserFlags:
    | { __typename: 'ClearUserFlagsPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type AssignNetworkRolesMutationVariables = Exact<{
  input: AssignNetworkRolesInput;
}>;


export type AssignNetworkRolesMutation = { assignNetworkRoles:
    | { __typename: 'AssignNetworkRolesPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type PersonErasureQueryVariables = Exact<{
  userId: string;
}>;


export type PersonErasureQuery = { userErasure: { userId: string, content: ErasedContent, state: ErasureState, requestedAt: string, completedAt: string | null, completedSteps: Array<string>, totalSteps: number } | null };

export type EraseUserMutationVariables = Exact<{
  input: EraseUserInput;
}>;


export type EraseUserMutation = { eraseUser:
    | { __typename: 'EraseUserPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type PersonSessionsQueryVariables = Exact<{
  userId: string;
}>;


export type PersonSessionsQuery = { userSessions: Array<{ sessionId: string, deviceId: string | null, createdAt: string, expiresAt: string, isOfRequest: boolean }> };

export type RevokeSessionsMutationVariables = Exact<{
  input: RevokeSessionsInput;
}>;


export type RevokeSessionsMutation = { revokeSessions:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RevokeSessionsPayload' }
   };

export type ExportUserMutationVariables = Exact<{
  input: ExportUserInput;
}>;


export type ExportUserMutation = { exportUser:
    | { __typename: 'ExportUserPayload', export: { url: string } }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type BansQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter: BanFilter;
}>;


export type BansQuery = { bans: { edges: Array<{ node: { kind: BanKind, userId: string, communityId: string | null, channelId: string | null, reason: string | null, bannedAt: string | null, expiresAt: string | null, user: { userId: string, displayName: string } | null, community: { displayName: string } | null, channel: { displayName: string } | null, bannedBy: { userId: string, displayName: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type LiftCommunityBanMutationVariables = Exact<{
  input: UnbanCommunityMembersInput;
}>;


export type LiftCommunityBanMutation = { unbanCommunityMembers:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UnbanCommunityMembersPayload' }
   };

export type LiftChannelBanMutationVariables = Exact<{
  input: UnbanChannelMembersInput;
}>;


export type LiftChannelBanMutation = { unbanChannelMembers:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UnbanChannelMembersPayload' }
   };

export type RolesQueryVariables = Exact<{ [key: string]: never; }>;


export type RolesQuery = { roles: { edges: Array<{ node: { id: string, roleId: string, displayName: string, rank: number, permissions: Array<string>, viewerCanEdit: boolean, viewerCanDelete: boolean } }> } };

export type UpdateRoleMutationVariables = Exact<{
  input: UpdateRoleInput;
}>;


export type UpdateRoleMutation = { updateRole:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UpdateRolePayload' }
   };

export type NetworkKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type NetworkKeysQuery = { networkKeys: Array<{ keyId: string, kind: NetworkKeyKind, name: string, prefix: string | null, createdAt: string, createdBy: string | null, expiresAt: string | null, hasExpired: boolean, lastUsedAt: string | null }> };

export type TokenSecretsQueryVariables = Exact<{ [key: string]: never; }>;


export type TokenSecretsQuery = { serverStatus: { acceptedTokenSecrets: Array<{ until: string | null, hasEnded: boolean }> } };

export type CreateKeyMutationVariables = Exact<{
  input: CreateKeyInput;
}>;


export type CreateKeyMutation = { createKey:
    | { __typename: 'CreateKeyPayload', value: string | null }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type RenameKeyMutationVariables = Exact<{
  input: RenameKeyInput;
}>;


export type RenameKeyMutation = { renameKey:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RenameKeyPayload' }
   };

export type RotateKeyMutationVariables = Exact<{
  input: RotateKeyInput;
}>;


export type RotateKeyMutation = { rotateKey:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RotateKeyPayload', value: string | null }
   };

export type RetireKeyMutationVariables = Exact<{
  input: RetireKeyInput;
}>;


export type RetireKeyMutation = { retireKey:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RetireKeyPayload' }
   };

export type ContentRulesQueryVariables = Exact<{ [key: string]: never; }>;


export type ContentRulesQuery = { contentRules: { blockedWords: Array<string>, allowedLinkDomains: Array<string> | null } };

export type UpdateContentRulesMutationVariables = Exact<{
  input: UpdateContentRulesInput;
}>;


export type UpdateContentRulesMutation = { updateContentRules:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UpdateContentRulesPayload' }
   };

export type NetworkSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type NetworkSettingsQuery = { networkSettings: { social: Record<string, unknown>, chat: Record<string, unknown>, webhook: Record<string, unknown>, deepLinks: Record<string, unknown>, createsUnknownUsers: boolean } };

export type UpdateNetworkSettingsMutationVariables = Exact<{
  input: UpdateNetworkSettingsInput;
}>;


export type UpdateNetworkSettingsMutation = { updateNetworkSettings:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'UpdateNetworkSettingsPayload' }
   };

export type RevokeAllSessionsMutationVariables = Exact<{
  input: RevokeAllSessionsInput;
}>;


export type RevokeAllSessionsMutation = { revokeAllSessions:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RevokeAllSessionsPayload' }
   };

export type WebhookEndpointsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type WebhookEndpointsQuery = { webhookEndpoints: { edges: Array<{ node: { id: string, endpointId: string, url: string, enabled: boolean, disabledReason: WebhookDisabledReason | null, failingSince: string | null, events: Array<string> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type WebhookDeliveriesQueryVariables = Exact<{
  endpointId: string;
  first: number;
  after?: string | null | undefined;
  state?: WebhookDeliveryState | null | undefined;
}>;


export type WebhookDeliveriesQuery = { webhookEndpoint: { id: string, endpointId: string, url: string, deliveries: { edges: Array<{ node: { id: string, deliveryId: string, event: string, state: WebhookDeliveryState, attemptCount: number, createdAt: string, nextAttemptAt: string | null, attempts: Array<{ attemptedAt: string, status: number | null, error: string | null, durationMs: number }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CreateWebhookEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type CreateWebhookEndpointMutation = { createWebhookEndpoint:
    | { __typename: 'CreateWebhookEndpointPayload', secret: string | null }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type RotateWebhookSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RotateWebhookSecretPayload', secret: string | null }
   };

export type EnableWebhookEndpointMutationVariables = Exact<{
  input: EnableWebhookEndpointInput;
}>;


export type EnableWebhookEndpointMutation = { enableWebhookEndpoint:
    | { __typename: 'EnableWebhookEndpointPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type DisableWebhookEndpointMutationVariables = Exact<{
  input: DisableWebhookEndpointInput;
}>;


export type DisableWebhookEndpointMutation = { disableWebhookEndpoint:
    | { __typename: 'DisableWebhookEndpointPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type DeleteWebhookEndpointMutationVariables = Exact<{
  input: DeleteWebhookEndpointInput;
}>;


export type DeleteWebhookEndpointMutation = { deleteWebhookEndpoint:
    | { __typename: 'DeleteWebhookEndpointPayload' }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type SendTestPingMutationVariables = Exact<{
  input: SendTestPingInput;
}>;


export type SendTestPingMutation = { sendTestPing:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'SendTestPingPayload' }
   };

export type ReplayWebhookDeliveryMutationVariables = Exact<{
  input: ReplayWebhookDeliveryInput;
}>;


export type ReplayWebhookDeliveryMutation = { replayWebhookDelivery:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'ReplayWebhookDeliveryPayload' }
   };

export type SignInMutationVariables = Exact<{
  input: CreateSessionInput;
}>;


export type SignInMutation = { createSession:
    | { __typename: 'CreateSessionPayload', session: { accessToken: string, refreshToken: string, expiresAt: string, user: { userId: string } } }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type ConsumeLoginLinkMutationVariables = Exact<{
  input: ConsumeLoginLinkInput;
}>;


export type ConsumeLoginLinkMutation = { consumeLoginLink:
    | { __typename: 'ConsumeLoginLinkPayload', session: { accessToken: string, refreshToken: string, expiresAt: string, user: { userId: string } } }
    | { __typename: 'OperationError', code: ErrorCode, message: string }
   };

export type RefreshMutationVariables = Exact<{
  input: RefreshSessionInput;
}>;


export type RefreshMutation = { refreshSession:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RefreshSessionPayload', session: { accessToken: string, refreshToken: string, expiresAt: string } }
   };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { revokeSession:
    | { __typename: 'OperationError', code: ErrorCode, message: string }
    | { __typename: 'RevokeSessionPayload', success: boolean }
   };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { id: string, userId: string, displayName: string, roles: Array<string>, permissions: Array<string> } | null, viewerCommunities: { edges: Array<{ node: { id: string, viewerMembership: { id: string, permissions: Array<string> } | null } }> }, viewerChannels: { edges: Array<{ node: { id: string, viewerCanModerate: boolean } }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const PostRowFragmentDoc = new TypedDocumentString(`
    fragment PostRow on Post {
  id
  postId
  createdAt
  flagCount
  feedType
  dataType
  data {
    text
    title
  }
  viewerCanDelete
  viewerCanModerate
  author {
    id
    userId
    displayName
  }
  community {
    id
    communityId
    displayName
  }
}
    `, {"fragmentName":"PostRow"}) as unknown as TypedDocumentString<PostRowFragment, unknown>;
export const ContentTextFragmentDoc = new TypedDocumentString(`
    fragment ContentText on ModerationContent {
  __typename
  ... on Post {
    id
    postId
    dataType
    postData: data {
      title
      text
    }
  }
  ... on Comment {
    id
    commentId
    commentData: data
  }
  ... on Story {
    id
    storyId
    storyData: data {
      text
    }
  }
  ... on Message {
    id
    messageId
    messageData: data
  }
  ... on User {
    id
    userId
    displayName
    description
  }
}
    `, {"fragmentName":"ContentText"}) as unknown as TypedDocumentString<ContentTextFragment, unknown>;
export const QueueItemFragmentDoc = new TypedDocumentString(`
    fragment QueueItem on ModerationItem {
  kind
  itemId
  states
  flagCount
  createdAt
  content {
    __typename
    ...ContentText
    ... on Post {
      viewerCanDelete
    }
    ... on Comment {
      viewerCanDelete
    }
    ... on Story {
      viewerCanDelete
    }
    ... on Message {
      viewerCanDelete
    }
  }
  author {
    id
    userId
    displayName
    viewerCanBan
  }
  community {
    id
    communityId
    displayName
    viewerCanBanMembers
  }
  channel {
    id
    channelId
    displayName
    viewerCanModerate
  }
}
    fragment ContentText on ModerationContent {
  __typename
  ... on Post {
    id
    postId
    dataType
    postData: data {
      title
      text
    }
  }
  ... on Comment {
    id
    commentId
    commentData: data
  }
  ... on Story {
    id
    storyId
    storyData: data {
      text
    }
  }
  ... on Message {
    id
    messageId
    messageData: data
  }
  ... on User {
    id
    userId
    displayName
    description
  }
}`, {"fragmentName":"QueueItem"}) as unknown as TypedDocumentString<QueueItemFragment, unknown>;
export const PersonRowFragmentDoc = new TypedDocumentString(`
    fragment PersonRow on User {
  id
  userId
  displayName
  roles
  createdAt
  flagCount
  isGlobalBan
  isDeleted
  isBrand
  viewerCanBan
  viewerCanDelete
  viewerCanAssignRoles
}
    `, {"fragmentName":"PersonRow"}) as unknown as TypedDocumentString<PersonRowFragment, unknown>;
export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($first: Int!, $after: String, $filter: AuditLogFilter!) {
  auditLog(first: $first, after: $after, filter: $filter) {
    edges {
      node {
        id
        createdAt
        action
        actorKind
        actorId
        actor {
          id
          userId
          displayName
        }
        subjectType
        subjectId
        affectedUserId
        affectedUser {
          id
          userId
          displayName
        }
        communityId
        channelId
        reason
        details
        transport
        address
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const ChannelsDocument = new TypedDocumentString(`
    query Channels($first: Int!, $after: String, $keyword: String) {
  networkChannels(first: $first, after: $after, keyword: $keyword) {
    edges {
      node {
        id
        channelId
        displayName
        type
        memberCount
        messageCount
        isMuted
        lastActivity
        viewerCanModerate
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ChannelsQuery, ChannelsQueryVariables>;
export const ChannelMembersDocument = new TypedDocumentString(`
    query ChannelMembers($channelId: String!, $first: Int!, $after: String, $memberships: [ChannelUserFilter!]!) {
  channel(channelId: $channelId) {
    id
    displayName
    viewerCanAssignRoles
    viewerCanMuteMembers
    viewerCanBanMembers
    members(first: $first, after: $after, memberships: $memberships) {
      edges {
        node {
          id
          userId
          roles
          isBanned
          isMuted
          mute {
            reason
            expiresAt
          }
          ban {
            reason
            expiresAt
          }
          createdAt
          user {
            id
            userId
            displayName
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ChannelMembersQuery, ChannelMembersQueryVariables>;
export const MuteChannelDocument = new TypedDocumentString(`
    mutation MuteChannel($input: MuteChannelInput!) {
  muteChannel(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<MuteChannelMutation, MuteChannelMutationVariables>;
export const MuteChannelMembersDocument = new TypedDocumentString(`
    mutation MuteChannelMembers($input: MuteChannelMembersInput!) {
  muteChannelMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<MuteChannelMembersMutation, MuteChannelMembersMutationVariables>;
export const AddChannelRoleDocument = new TypedDocumentString(`
    mutation AddChannelRole($input: AddChannelRoleInput!) {
  addChannelRole(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AddChannelRoleMutation, AddChannelRoleMutationVariables>;
export const RemoveChannelRoleDocument = new TypedDocumentString(`
    mutation RemoveChannelRole($input: RemoveChannelRoleInput!) {
  removeChannelRole(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveChannelRoleMutation, RemoveChannelRoleMutationVariables>;
export const BanChannelMembersDocument = new TypedDocumentString(`
    mutation BanChannelMembers($input: BanChannelMembersInput!) {
  banChannelMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<BanChannelMembersMutation, BanChannelMembersMutationVariables>;
export const UnbanChannelMembersDocument = new TypedDocumentString(`
    mutation UnbanChannelMembers($input: UnbanChannelMembersInput!) {
  unbanChannelMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UnbanChannelMembersMutation, UnbanChannelMembersMutationVariables>;
export const CommunitiesDocument = new TypedDocumentString(`
    query Communities($first: Int!, $after: String, $keyword: String) {
  communities(
    first: $first
    after: $after
    keyword: $keyword
    sortBy: MOST_MEMBERS
  ) {
    edges {
      node {
        id
        communityId
        displayName
        isPublic
        isOfficial
        membersCount
        postsCount
        createdAt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<CommunitiesQuery, CommunitiesQueryVariables>;
export const CommunityDetailsDocument = new TypedDocumentString(`
    query CommunityDetails($communityId: String!) {
  community(communityId: $communityId) {
    id
    communityId
    displayName
    description
    isPublic
    membersCount
    postsCount
    pins(first: 50) {
      edges {
        node {
          id
          placement
          pinnedAt
          post {
            id
            postId
            viewerCanPin
            data {
              text
              title
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CommunityDetailsQuery, CommunityDetailsQueryVariables>;
export const CommunityMembersDocument = new TypedDocumentString(`
    query CommunityMembers($communityId: String!, $first: Int!, $after: String, $memberships: [CommunityMembership!]!) {
  community(communityId: $communityId) {
    id
    viewerCanBanMembers
    viewerCanRemoveMembers
    viewerCanAssignRoles
    members(first: $first, after: $after, memberships: $memberships) {
      edges {
        node {
          id
          userId
          roles
          isBanned
          ban {
            reason
            expiresAt
          }
          createdAt
          user {
            id
            userId
            displayName
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CommunityMembersQuery, CommunityMembersQueryVariables>;
export const BanCommunityMembersDocument = new TypedDocumentString(`
    mutation BanCommunityMembers($input: BanCommunityMembersInput!) {
  banCommunityMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<BanCommunityMembersMutation, BanCommunityMembersMutationVariables>;
export const UnbanCommunityMembersDocument = new TypedDocumentString(`
    mutation UnbanCommunityMembers($input: UnbanCommunityMembersInput!) {
  unbanCommunityMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UnbanCommunityMembersMutation, UnbanCommunityMembersMutationVariables>;
export const RemoveCommunityMembersDocument = new TypedDocumentString(`
    mutation RemoveCommunityMembers($input: RemoveCommunityMembersInput!) {
  removeCommunityMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveCommunityMembersMutation, RemoveCommunityMembersMutationVariables>;
export const AddCommunityRolesDocument = new TypedDocumentString(`
    mutation AddCommunityRoles($input: AddCommunityRolesInput!) {
  addCommunityRoles(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AddCommunityRolesMutation, AddCommunityRolesMutationVariables>;
export const RemoveCommunityRolesDocument = new TypedDocumentString(`
    mutation RemoveCommunityRoles($input: RemoveCommunityRolesInput!) {
  removeCommunityRoles(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveCommunityRolesMutation, RemoveCommunityRolesMutationVariables>;
export const UnpinPostDocument = new TypedDocumentString(`
    mutation UnpinPost($input: UnpinPostInput!) {
  unpinPost(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UnpinPostMutation, UnpinPostMutationVariables>;
export const LiveEventsDocument = new TypedDocumentString(`
    subscription LiveEvents {
  events {
    __typename
    id
    type
    actorId
    sendTime
    path
  }
}
    `) as unknown as TypedDocumentString<LiveEventsSubscription, LiveEventsSubscriptionVariables>;
export const NewestPostsDocument = new TypedDocumentString(`
    query NewestPosts($first: Int!, $after: String) {
  contentFeed(first: $first, after: $after) {
    edges {
      node {
        ...PostRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PostRow on Post {
  id
  postId
  createdAt
  flagCount
  feedType
  dataType
  data {
    text
    title
  }
  viewerCanDelete
  viewerCanModerate
  author {
    id
    userId
    displayName
  }
  community {
    id
    communityId
    displayName
  }
}`) as unknown as TypedDocumentString<NewestPostsQuery, NewestPostsQueryVariables>;
export const CommentsDocument = new TypedDocumentString(`
    query Comments($first: Int!, $after: String, $hasFlag: Boolean) {
  comments(
    first: $first
    after: $after
    filter: {hasFlag: $hasFlag, isDeleted: false}
    sortBy: LAST_CREATED
  ) {
    edges {
      node {
        id
        commentId
        data
        createdAt
        flagCount
        viewerCanDelete
        viewerCanModerate
        author {
          id
          userId
          displayName
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<CommentsQuery, CommentsQueryVariables>;
export const ClearPostFlagsDocument = new TypedDocumentString(`
    mutation ClearPostFlags($input: ClearPostFlagsInput!) {
  clearPostFlags(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ClearPostFlagsMutation, ClearPostFlagsMutationVariables>;
export const DeletePostDocument = new TypedDocumentString(`
    mutation DeletePost($input: DeletePostInput!) {
  deletePost(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeletePostMutation, DeletePostMutationVariables>;
export const ClearCommentFlagsDocument = new TypedDocumentString(`
    mutation ClearCommentFlags($input: ClearCommentFlagsInput!) {
  clearCommentFlags(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ClearCommentFlagsMutation, ClearCommentFlagsMutationVariables>;
export const DeleteCommentDocument = new TypedDocumentString(`
    mutation DeleteComment($input: DeleteCommentInput!) {
  deleteComment(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteCommentMutation, DeleteCommentMutationVariables>;
export const ApprovePostDocument = new TypedDocumentString(`
    mutation ApprovePost($input: ApprovePostInput!) {
  approvePost(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ApprovePostMutation, ApprovePostMutationVariables>;
export const DeclinePostDocument = new TypedDocumentString(`
    mutation DeclinePost($input: DeclinePostInput!) {
  declinePost(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeclinePostMutation, DeclinePostMutationVariables>;
export const ModerationQueueDocument = new TypedDocumentString(`
    query ModerationQueue($first: Int!, $after: String, $filter: ModerationQueueFilter, $sortBy: ModerationQueueSort) {
  moderationQueue(first: $first, after: $after, filter: $filter, sortBy: $sortBy) {
    edges {
      node {
        ...QueueItem
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    omitsPlaces
  }
}
    fragment QueueItem on ModerationItem {
  kind
  itemId
  states
  flagCount
  createdAt
  content {
    __typename
    ...ContentText
    ... on Post {
      viewerCanDelete
    }
    ... on Comment {
      viewerCanDelete
    }
    ... on Story {
      viewerCanDelete
    }
    ... on Message {
      viewerCanDelete
    }
  }
  author {
    id
    userId
    displayName
    viewerCanBan
  }
  community {
    id
    communityId
    displayName
    viewerCanBanMembers
  }
  channel {
    id
    channelId
    displayName
    viewerCanModerate
  }
}
fragment ContentText on ModerationContent {
  __typename
  ... on Post {
    id
    postId
    dataType
    postData: data {
      title
      text
    }
  }
  ... on Comment {
    id
    commentId
    commentData: data
  }
  ... on Story {
    id
    storyId
    storyData: data {
      text
    }
  }
  ... on Message {
    id
    messageId
    messageData: data
  }
  ... on User {
    id
    userId
    displayName
    description
  }
}`) as unknown as TypedDocumentString<ModerationQueueQuery, ModerationQueueQueryVariables>;
export const ModerationItemDocument = new TypedDocumentString(`
    query ModerationItem($kind: ModerationKind!, $itemId: String!) {
  moderationItem(kind: $kind, itemId: $itemId) {
    ...QueueItem
  }
}
    fragment QueueItem on ModerationItem {
  kind
  itemId
  states
  flagCount
  createdAt
  content {
    __typename
    ...ContentText
    ... on Post {
      viewerCanDelete
    }
    ... on Comment {
      viewerCanDelete
    }
    ... on Story {
      viewerCanDelete
    }
    ... on Message {
      viewerCanDelete
    }
  }
  author {
    id
    userId
    displayName
    viewerCanBan
  }
  community {
    id
    communityId
    displayName
    viewerCanBanMembers
  }
  channel {
    id
    channelId
    displayName
    viewerCanModerate
  }
}
fragment ContentText on ModerationContent {
  __typename
  ... on Post {
    id
    postId
    dataType
    postData: data {
      title
      text
    }
  }
  ... on Comment {
    id
    commentId
    commentData: data
  }
  ... on Story {
    id
    storyId
    storyData: data {
      text
    }
  }
  ... on Message {
    id
    messageId
    messageData: data
  }
  ... on User {
    id
    userId
    displayName
    description
  }
}`) as unknown as TypedDocumentString<ModerationItemQuery, ModerationItemQueryVariables>;
export const ModerationDetailsDocument = new TypedDocumentString(`
    query ModerationDetails($kind: ModerationKind!, $itemId: String!) {
  moderationItem(kind: $kind, itemId: $itemId) {
    kind
    itemId
    authorHistory {
      removals
      flags
      bans
    }
    flags(first: 50) {
      edges {
        node {
          reason
          detail
          updatedAt
          user {
            id
            userId
            displayName
          }
        }
      }
    }
    parent {
      __typename
      ...ContentText
    }
  }
}
    fragment ContentText on ModerationContent {
  __typename
  ... on Post {
    id
    postId
    dataType
    postData: data {
      title
      text
    }
  }
  ... on Comment {
    id
    commentId
    commentData: data
  }
  ... on Story {
    id
    storyId
    storyData: data {
      text
    }
  }
  ... on Message {
    id
    messageId
    messageData: data
  }
  ... on User {
    id
    userId
    displayName
    description
  }
}`) as unknown as TypedDocumentString<ModerationDetailsQuery, ModerationDetailsQueryVariables>;
export const ResolveModerationItemsDocument = new TypedDocumentString(`
    mutation ResolveModerationItems($input: ResolveModerationItemsInput!) {
  resolveModerationItems(input: $input) {
    __typename
    ... on ResolveModerationItemsPayload {
      results {
        kind
        itemId
        code
        message
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ResolveModerationItemsMutation, ResolveModerationItemsMutationVariables>;
export const QueueEventsDocument = new TypedDocumentString(`
    subscription QueueEvents {
  events(
    types: [POST_CREATED, POST_APPROVED, POST_DECLINED, POST_DELETED, POST_FLAGGED, POST_UNFLAGGED, POST_FLAGS_CLEARED, COMMENT_DELETED, COMMENT_FLAGGED, COMMENT_UNFLAGGED, COMMENT_FLAGS_CLEARED, STORY_DELETED, STORY_FLAGGED, STORY_UNFLAGGED, STORY_FLAGS_CLEARED, MESSAGE_DELETED, MESSAGE_FLAGGED, MESSAGE_UNFLAGGED, MESSAGE_FLAG_CLEARED, USER_FLAGGED, USER_UNFLAGGED, USER_FLAG_CLEARED]
  ) {
    __typename
    type
    ... on PostEvent {
      post {
        postId
        feedType
      }
    }
    ... on CommentEvent {
      comment {
        commentId
      }
    }
    ... on StoryEvent {
      story {
        storyId
      }
    }
    ... on MessageEvent {
      chatMessage {
        messageId
      }
    }
    ... on UserEvent {
      user {
        userId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<QueueEventsSubscription, QueueEventsSubscriptionVariables>;
export const CheckTextDocument = new TypedDocumentString(`
    query CheckText($text: String!) {
  checkText(text: $text) {
    rule
    value
  }
}
    `) as unknown as TypedDocumentString<CheckTextQuery, CheckTextQueryVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview {
  serverStatus {
    version
    startedAt
    processes
    sockets
    liveConnections
    subscriptions
    webhookBacklog
    heapUsedBytes
    residentMemoryBytes
    database {
      kind
      bytes
      isReady
      isReadOnly
      problem
    }
    eventLoop {
      medianMs
      p99Ms
      maxMs
      utilization
    }
    traffic {
      periodSeconds
      requests
      errors
      serverErrors
      events
    }
  }
}
    `) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const PeopleDocument = new TypedDocumentString(`
    query People($first: Int!, $after: String, $keyword: String, $filter: UserFilter!, $isDeleted: Boolean) {
  users(
    first: $first
    after: $after
    keyword: $keyword
    filter: $filter
    isDeleted: $isDeleted
  ) {
    edges {
      node {
        ...PersonRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PersonRow on User {
  id
  userId
  displayName
  roles
  createdAt
  flagCount
  isGlobalBan
  isDeleted
  isBrand
  viewerCanBan
  viewerCanDelete
  viewerCanAssignRoles
}`) as unknown as TypedDocumentString<PeopleQuery, PeopleQueryVariables>;
export const PersonDetailsDocument = new TypedDocumentString(`
    query PersonDetails($userId: String!) {
  user(userId: $userId) {
    ...PersonRow
    description
    updatedAt
    permissions
    followCounts {
      followerCount
      followingCount
    }
  }
}
    fragment PersonRow on User {
  id
  userId
  displayName
  roles
  createdAt
  flagCount
  isGlobalBan
  isDeleted
  isBrand
  viewerCanBan
  viewerCanDelete
  viewerCanAssignRoles
}`) as unknown as TypedDocumentString<PersonDetailsQuery, PersonDetailsQueryVariables>;
export const AssignableRolesDocument = new TypedDocumentString(`
    query AssignableRoles {
  roles(first: 100) {
    edges {
      node {
        id
        roleId
        displayName
        rank
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AssignableRolesQuery, AssignableRolesQueryVariables>;
export const BanUserDocument = new TypedDocumentString(`
    mutation BanUser($input: BanUserInput!) {
  banUser(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<BanUserMutation, BanUserMutationVariables>;
export const UnbanUserDocument = new TypedDocumentString(`
    mutation UnbanUser($input: UnbanUserInput!) {
  unbanUser(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UnbanUserMutation, UnbanUserMutationVariables>;
export const DeleteUserDocument = new TypedDocumentString(`
    mutation DeleteUser($input: DeleteUserInput!) {
  deleteUser(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteUserMutation, DeleteUserMutationVariables>;
export const ClearUserFlagsDocument = new TypedDocumentString(`
    mutation ClearUserFlags($input: ClearUserFlagsInput!) {
  clearUserFlags(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ClearUserFlagsMutation, ClearUserFlagsMutationVariables>;
export const AssignNetworkRolesDocument = new TypedDocumentString(`
    mutation AssignNetworkRoles($input: AssignNetworkRolesInput!) {
  assignNetworkRoles(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AssignNetworkRolesMutation, AssignNetworkRolesMutationVariables>;
export const PersonErasureDocument = new TypedDocumentString(`
    query PersonErasure($userId: String!) {
  userErasure(userId: $userId) {
    userId
    content
    state
    requestedAt
    completedAt
    completedSteps
    totalSteps
  }
}
    `) as unknown as TypedDocumentString<PersonErasureQuery, PersonErasureQueryVariables>;
export const EraseUserDocument = new TypedDocumentString(`
    mutation EraseUser($input: EraseUserInput!) {
  eraseUser(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EraseUserMutation, EraseUserMutationVariables>;
export const PersonSessionsDocument = new TypedDocumentString(`
    query PersonSessions($userId: String!) {
  userSessions(userId: $userId) {
    sessionId
    deviceId
    createdAt
    expiresAt
    isOfRequest
  }
}
    `) as unknown as TypedDocumentString<PersonSessionsQuery, PersonSessionsQueryVariables>;
export const RevokeSessionsDocument = new TypedDocumentString(`
    mutation RevokeSessions($input: RevokeSessionsInput!) {
  revokeSessions(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeSessionsMutation, RevokeSessionsMutationVariables>;
export const ExportUserDocument = new TypedDocumentString(`
    mutation ExportUser($input: ExportUserInput!) {
  exportUser(input: $input) {
    __typename
    ... on ExportUserPayload {
      export {
        url
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ExportUserMutation, ExportUserMutationVariables>;
export const BansDocument = new TypedDocumentString(`
    query Bans($first: Int!, $after: String, $filter: BanFilter!) {
  bans(first: $first, after: $after, filter: $filter) {
    edges {
      node {
        kind
        userId
        user {
          userId
          displayName
        }
        communityId
        community {
          displayName
        }
        channelId
        channel {
          displayName
        }
        reason
        bannedAt
        expiresAt
        bannedBy {
          userId
          displayName
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<BansQuery, BansQueryVariables>;
export const LiftCommunityBanDocument = new TypedDocumentString(`
    mutation LiftCommunityBan($input: UnbanCommunityMembersInput!) {
  unbanCommunityMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<LiftCommunityBanMutation, LiftCommunityBanMutationVariables>;
export const LiftChannelBanDocument = new TypedDocumentString(`
    mutation LiftChannelBan($input: UnbanChannelMembersInput!) {
  unbanChannelMembers(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<LiftChannelBanMutation, LiftChannelBanMutationVariables>;
export const RolesDocument = new TypedDocumentString(`
    query Roles {
  roles(first: 100) {
    edges {
      node {
        id
        roleId
        displayName
        rank
        permissions
        viewerCanEdit
        viewerCanDelete
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RolesQuery, RolesQueryVariables>;
export const UpdateRoleDocument = new TypedDocumentString(`
    mutation UpdateRole($input: UpdateRoleInput!) {
  updateRole(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateRoleMutation, UpdateRoleMutationVariables>;
export const NetworkKeysDocument = new TypedDocumentString(`
    query NetworkKeys {
  networkKeys {
    keyId
    kind
    name
    prefix
    createdAt
    createdBy
    expiresAt
    hasExpired
    lastUsedAt
  }
}
    `) as unknown as TypedDocumentString<NetworkKeysQuery, NetworkKeysQueryVariables>;
export const TokenSecretsDocument = new TypedDocumentString(`
    query TokenSecrets {
  serverStatus {
    acceptedTokenSecrets {
      until
      hasEnded
    }
  }
}
    `) as unknown as TypedDocumentString<TokenSecretsQuery, TokenSecretsQueryVariables>;
export const CreateKeyDocument = new TypedDocumentString(`
    mutation CreateKey($input: CreateKeyInput!) {
  createKey(input: $input) {
    __typename
    ... on CreateKeyPayload {
      value
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateKeyMutation, CreateKeyMutationVariables>;
export const RenameKeyDocument = new TypedDocumentString(`
    mutation RenameKey($input: RenameKeyInput!) {
  renameKey(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RenameKeyMutation, RenameKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($input: RotateKeyInput!) {
  rotateKey(input: $input) {
    __typename
    ... on RotateKeyPayload {
      value
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RotateKeyMutation, RotateKeyMutationVariables>;
export const RetireKeyDocument = new TypedDocumentString(`
    mutation RetireKey($input: RetireKeyInput!) {
  retireKey(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetireKeyMutation, RetireKeyMutationVariables>;
export const ContentRulesDocument = new TypedDocumentString(`
    query ContentRules {
  contentRules {
    blockedWords
    allowedLinkDomains
  }
}
    `) as unknown as TypedDocumentString<ContentRulesQuery, ContentRulesQueryVariables>;
export const UpdateContentRulesDocument = new TypedDocumentString(`
    mutation UpdateContentRules($input: UpdateContentRulesInput!) {
  updateContentRules(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateContentRulesMutation, UpdateContentRulesMutationVariables>;
export const NetworkSettingsDocument = new TypedDocumentString(`
    query NetworkSettings {
  networkSettings {
    social
    chat
    webhook
    deepLinks
    createsUnknownUsers
  }
}
    `) as unknown as TypedDocumentString<NetworkSettingsQuery, NetworkSettingsQueryVariables>;
export const UpdateNetworkSettingsDocument = new TypedDocumentString(`
    mutation UpdateNetworkSettings($input: UpdateNetworkSettingsInput!) {
  updateNetworkSettings(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateNetworkSettingsMutation, UpdateNetworkSettingsMutationVariables>;
export const RevokeAllSessionsDocument = new TypedDocumentString(`
    mutation RevokeAllSessions($input: RevokeAllSessionsInput!) {
  revokeAllSessions(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeAllSessionsMutation, RevokeAllSessionsMutationVariables>;
export const WebhookEndpointsDocument = new TypedDocumentString(`
    query WebhookEndpoints($first: Int!, $after: String) {
  webhookEndpoints(first: $first, after: $after) {
    edges {
      node {
        id
        endpointId
        url
        enabled
        disabledReason
        failingSince
        events
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>;
export const WebhookDeliveriesDocument = new TypedDocumentString(`
    query WebhookDeliveries($endpointId: String!, $first: Int!, $after: String, $state: WebhookDeliveryState) {
  webhookEndpoint(endpointId: $endpointId) {
    id
    endpointId
    url
    deliveries(first: $first, after: $after, state: $state) {
      edges {
        node {
          id
          deliveryId
          event
          state
          attemptCount
          createdAt
          nextAttemptAt
          attempts {
            attemptedAt
            status
            error
            durationMs
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const CreateWebhookEndpointDocument = new TypedDocumentString(`
    mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    __typename
    ... on CreateWebhookEndpointPayload {
      secret
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookEndpointMutation, CreateWebhookEndpointMutationVariables>;
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    __typename
    ... on RotateWebhookSecretPayload {
      secret
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const EnableWebhookEndpointDocument = new TypedDocumentString(`
    mutation EnableWebhookEndpoint($input: EnableWebhookEndpointInput!) {
  enableWebhookEndpoint(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EnableWebhookEndpointMutation, EnableWebhookEndpointMutationVariables>;
export const DisableWebhookEndpointDocument = new TypedDocumentString(`
    mutation DisableWebhookEndpoint($input: DisableWebhookEndpointInput!) {
  disableWebhookEndpoint(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DisableWebhookEndpointMutation, DisableWebhookEndpointMutationVariables>;
export const DeleteWebhookEndpointDocument = new TypedDocumentString(`
    mutation DeleteWebhookEndpoint($input: DeleteWebhookEndpointInput!) {
  deleteWebhookEndpoint(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteWebhookEndpointMutation, DeleteWebhookEndpointMutationVariables>;
export const SendTestPingDocument = new TypedDocumentString(`
    mutation SendTestPing($input: SendTestPingInput!) {
  sendTestPing(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SendTestPingMutation, SendTestPingMutationVariables>;
export const ReplayWebhookDeliveryDocument = new TypedDocumentString(`
    mutation ReplayWebhookDelivery($input: ReplayWebhookDeliveryInput!) {
  replayWebhookDelivery(input: $input) {
    __typename
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ReplayWebhookDeliveryMutation, ReplayWebhookDeliveryMutationVariables>;
export const SignInDocument = new TypedDocumentString(`
    mutation SignIn($input: CreateSessionInput!) {
  createSession(input: $input) {
    __typename
    ... on CreateSessionPayload {
      session {
        accessToken
        refreshToken
        expiresAt
        user {
          userId
        }
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SignInMutation, SignInMutationVariables>;
export const ConsumeLoginLinkDocument = new TypedDocumentString(`
    mutation ConsumeLoginLink($input: ConsumeLoginLinkInput!) {
  consumeLoginLink(input: $input) {
    __typename
    ... on ConsumeLoginLinkPayload {
      session {
        accessToken
        refreshToken
        expiresAt
        user {
          userId
        }
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ConsumeLoginLinkMutation, ConsumeLoginLinkMutationVariables>;
export const RefreshDocument = new TypedDocumentString(`
    mutation Refresh($input: RefreshSessionInput!) {
  refreshSession(input: $input) {
    __typename
    ... on RefreshSessionPayload {
      session {
        accessToken
        refreshToken
        expiresAt
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RefreshMutation, RefreshMutationVariables>;
export const SignOutDocument = new TypedDocumentString(`
    mutation SignOut {
  revokeSession(input: {}) {
    __typename
    ... on RevokeSessionPayload {
      success
    }
    ... on OperationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SignOutMutation, SignOutMutationVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    id
    userId
    displayName
    roles
    permissions
  }
  viewerCommunities(first: 100) {
    edges {
      node {
        id
        viewerMembership {
          id
          permissions
        }
      }
    }
  }
  viewerChannels(first: 100) {
    edges {
      node {
        id
        viewerCanModerate
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;