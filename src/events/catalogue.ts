import type { EventKind, PayloadOf } from './event-payloads.ts';

export interface EventDefinition {
  kind: EventKind;
  /** What happened: a clause without a capital letter or a full stop. */
  meaning: string;
  /** Whether clients can subscribe to it: over GraphQL, and as `/realtime/<name>`. */
  realtime: boolean;
  /** Name of the webhook it is delivered to, in the form that published receivers expect; null for none. */
  webhook: string | null;
  /** Whether the record was deleted: it is delivered without its content. */
  isRemoval: boolean;
  /** Whether the actor is withheld from everyone: flags and votes are secret. */
  isAnonymous: boolean;
}

type Options = Partial<Pick<EventDefinition, 'realtime' | 'isRemoval' | 'isAnonymous'>>;

const define =
  <Kind extends EventKind>(kind: Kind) =>
  (
    meaning: string,
    webhook: string | null = null,
    { realtime = true, isRemoval = false, isAnonymous = false }: Options = {},
  ) => ({ kind, meaning, webhook, realtime, isRemoval, isAnonymous });

const post = define('post');
const postReaction = define('postReaction');
const comment = define('comment');
const commentReaction = define('commentReaction');
const story = define('story');
const storyReaction = define('storyReaction');
const community = define('community');
const communityUsers = define('communityUsers');
const channel = define('channel');
const channelUsers = define('channelUsers');
const messageFeed = define('messageFeed');
const message = define('message');
const messageReaction = define('messageReaction');
const user = define('user');
const follow = define('follow');
const marker = define('marker');
const feedMarker = define('feedMarker');
const poll = define('poll');
const videoStream = define('videoStream');
const room = define('room');
const roomParticipant = define('roomParticipant');
const liveReaction = define('liveReaction');
const joinRequest = define('joinRequest');
const role = define('role');
const category = define('category');
const file = define('file');

const removal = { isRemoval: true };
const anonymous = { isAnonymous: true };
const webhookOnly = { realtime: false };

/**
 * Every event by name (docs/reference/events.md): the one source for the log, GraphQL, REST, webhooks and the AsyncAPI
 * document. Events that published clients do not know follow the naming pattern of those that they do.
 */
export const EVENTS = {
  'post.created': post('a post was published, or entered review', 'v3.post.didCreate'),
  'post.updated': post('the content of a post changed', 'v3.post.didUpdate'),
  'post.deleted': post('a post was deleted', 'v3.post.didDelete', removal),
  'post.approved': post('a post in review was published', 'v3.post.didApprove'),
  'post.declined': post('a post in review was declined', 'v3.post.didDecline'),
  'post.flagged': post('a user flagged a post', 'v3.post.didFlag', anonymous),
  'post.unflagged': post('a user withdrew a flag on a post', 'v3.post.didUnflag', anonymous),
  'post.flagsCleared': post('a moderator removed the flags on a post', 'v3.post.didClearFlags'),
  'post.pinned': post('a post was pinned', 'v3.post.didPin'),
  'post.unpinned': post('a post was unpinned', 'v3.post.didUnpin'),
  'post.addReaction': postReaction('a reaction was added to a post', 'v3.post.didAddReaction'),
  'post.removeReaction': postReaction('a reaction was removed from a post', 'v3.post.didRemoveReaction'),
  'mention-post.created': post(
    'a published post mentions users',
    'push-notification/mention-post.created',
    webhookOnly,
  ),
  'post.need-reviewing': post('a post entered review', 'push-notification/post.need-reviewing', webhookOnly),

  'comment.created': comment('a user commented or replied', 'v3.comment.didCreate'),
  'comment.replied': comment('a user replied to a comment', 'v3.comment.didReply', webhookOnly),
  'comment.updated': comment('a comment changed', 'v3.comment.didUpdate'),
  'comment.deleted': comment('a comment was deleted', 'v3.comment.didDelete', removal),
  'comment.flagged': comment('a user flagged a comment', 'v3.comment.didFlag', anonymous),
  'comment.unflagged': comment('a user withdrew a flag on a comment', 'v3.comment.didUnflag', anonymous),
  'comment.flagsCleared': comment('a moderator removed the flags on a comment', 'v3.comment.didClearFlags'),
  'comment.addReaction': commentReaction('a reaction was added to a comment', 'v3.comment.didAddReaction'),
  'comment.removeReaction': commentReaction('a reaction was removed from a comment', 'v3.comment.didRemoveReaction'),

  'story.created': story('a story was published', 'story.didCreate'),
  'story.updated': story('the comments of a story changed', 'story.didUpdate'),
  'story.deleted': story('a story was deleted', 'story.didDelete', removal),
  'story.flagged': story('a user flagged a story', 'story.didFlag', anonymous),
  'story.unflagged': story('a user withdrew a flag on a story', 'story.didUnflag', anonymous),
  'story.flagsCleared': story('a moderator removed the flags on a story', 'story.didClearFlags'),
  'story.reactionAdded': storyReaction('a reaction was added to a story', 'story.didAddReaction'),
  'story.reactionRemoved': storyReaction('a reaction was removed from a story', 'story.didRemoveReaction'),

  'community.created': community('a community was created', 'v3.community.didCreate'),
  'community.updated': community('a community changed', 'v3.community.didUpdate'),
  'community.deleted': community('a community was deleted', 'v3.community.didDelete', removal),
  'community.joined': communityUsers('a user joined a community', 'v3.community.didJoin'),
  'community.left': communityUsers('a user left a community', 'v3.community.didLeave'),
  'community.userAdded': communityUsers('users were added to a community', 'v3.community.didAddUsers'),
  'community.userRemoved': communityUsers('members were removed from a community', 'v3.community.didRemoveUsers'),
  'community.userBanned': communityUsers('users were banned from a community', 'v3.community.didBan'),
  'community.userUnbanned': communityUsers('users were unbanned from a community', 'v3.community.didUnban'),
  'community.userChanged': communityUsers(
    'users joined or left a community, or were added, removed, banned or unbanned',
  ),
  'community.roleAdded': communityUsers('roles were assigned to members of a community', 'v3.community.didRoleChange'),
  'community.roleRemoved': communityUsers(
    'roles were removed from members of a community',
    'v3.community.didRoleChange',
  ),

  'channel.created': channel('a channel was created', 'channel.didCreate'),
  'channel.updated': channel('a channel changed', 'channel.didUpdate'),
  'channel.deleted': channel('a channel was deleted', 'channel.didClose', removal),
  'channel.setMuted': channel('a channel was muted or unmuted', 'channel.didMute'),
  'channel.joined': channelUsers('a user joined a channel', 'channel.didJoin'),
  'channel.left': channelUsers('a user left a channel', 'channel.didLeave'),
  'channel.membersAdded': channelUsers('users were added to a channel', 'channel.didAddUsers'),
  'channel.membersRemoved': channelUsers('members were removed from a channel', 'channel.didRemoveUsers'),
  'channel.banned': channelUsers('users were banned from a channel', 'channel.didBan'),
  'channel.unbanned': channelUsers('users were unbanned from a channel', 'channel.didUnban'),
  'channel.setMutedUsers': channelUsers('members of a channel were muted or unmuted', 'channel.didMuteUsers'),
  'channel.roleAdded': channelUsers('a role was assigned to members of a channel', 'channel.didRoleChange'),
  'channel.roleRemoved': channelUsers('a role was removed from members of a channel', 'channel.didRoleChange'),

  'message-feed.created': messageFeed('a message feed was created', 'message-feed.didCreate'),
  'message-feed.updated': messageFeed('a message feed changed', 'message-feed.didUpdate'),
  'message-feed.deleted': messageFeed('a message feed was deleted', 'message-feed.didDelete', removal),

  'message.created': message('a message was sent', 'v5.message.didCreate'),
  'message.updated': message('a message changed', 'v5.message.didUpdate'),
  'message.deleted': message('a message was deleted', 'v5.message.didDelete', removal),
  'message.flagged': message('a user flagged a message', 'message.didFlag', anonymous),
  'message.unflagged': message('a user withdrew a flag on a message', 'message.didUnflag', anonymous),
  'message.flagCleared': message('a moderator removed the flags on a message', 'message.didClearflag'),
  'message.reactionAdded': messageReaction('a reaction was added to a message', 'message.didAddReaction'),
  'message.reactionRemoved': messageReaction('a reaction was removed from a message', 'message.didRemoveReaction'),

  'user.created': user('a user signed in for the first time', 'user.didCreate'),
  'user.updated': user('the profile or the roles of a user changed', 'user.didUpdate'),
  'user.deleted': user('an account was deleted', 'user.didDelete', removal),
  'user.flagged': user('a user was flagged', 'user.didFlag', anonymous),
  'user.unflagged': user('a flag on a user was withdrawn', 'user.didUnflag', anonymous),
  'user.flagCleared': user('a moderator removed the flags on a user', 'user.didClearFlag'),
  'user.didGlobalBan': user('a user was banned from the network', 'moderation.didBan'),
  'user.didGlobalUnban': user('a user was unbanned from the network', 'moderation.didUnban'),

  'follow.created': follow('a user followed another', 'follow.didCreate'),
  'follow.requested': follow('a user requested to follow another', 'follow.didRequest'),
  'follow.accepted': follow('a user accepted a request to follow them', 'follow.didAccept'),
  'follow.unfollowed': follow('a user stopped following another', 'follow.didUnfollow'),
  'follow.requestCanceled': follow('a request to follow a user was withdrawn', 'follow.didCancelRequest'),
  'follow.requestDeclined': follow('a request to follow a user was declined', 'follow.didDeclineRequest'),
  'follow.followerDeleted': follow('a user removed a follower', 'follow.didDeleteFollower'),

  'marker.userFeed-updated': marker("a user's read or delivery positions in message feeds advanced"),
  'marker.user-sync': marker("a user's number of unread messages changed because the user read messages"),
  'marker.marked-message': feedMarker('a member read or received messages of a message feed'),
  'marker.feed-updated': feedMarker('a message feed has a new message'),

  'poll.created': poll('a poll was created', 'poll.didCreate'),
  'poll.updated': poll('a poll, its votes or its status changed', 'poll.didUpdate'),
  'poll.voted': poll('a user voted in a poll or withdrew a vote', 'poll.didVote', anonymous),
  'poll.deleted': poll('a poll was deleted', 'poll.didDelete', removal),

  'video-streaming.created': videoStream('a video stream was created', 'video-streaming.didCreate'),
  'video-streaming.updated': videoStream('a video stream changed', 'video-streaming.didUpdate'),
  'video-streaming.didStart': videoStream('a video stream went live', 'video-streaming.didStart'),
  'video-streaming.didStop': videoStream('a video stream ended', 'video-streaming.didStop'),
  'video-streaming.didRecord': videoStream(
    'the recording of a video stream became available',
    'video-streaming.didRecord',
  ),
  'video-streaming.deleted': videoStream('a video stream was deleted', 'video-streaming.didDelete', removal),

  'room.created': room('a room was created', 'room.didCreate'),
  'room.updated': room('a room, its participants or its moderation changed', 'room.didUpdate'),
  'room.didStart': room('a room went live', 'room.didStart'),
  'room.didStop': room('a room ended', 'room.didStop'),
  'room.didRecord': room('the recording of a room became available', 'room.didRecord'),
  'room.deleted': room('a room was deleted', 'room.didDelete', removal),
  'room.startBroadcasting': room('a room went live; the same change as `room.didStart`'),
  'room.waitingReconnect': room('the connection of a live room was lost', 'room.didWaitReconnect'),
  'room.endBroadcasting': room('a room ended, unless automatic moderation ended it'),
  'room.terminated': room('automatic moderation ended a room', 'room.didTerminate'),
  'room.recordedAvailable': room('the recording of a room became available; the same change as `room.didRecord`'),
  'room.didUpdate': room('a room, its participants or its moderation changed; the same change as `room.updated`'),
  'room.participantJoined': roomParticipant('a user was added to a room', 'room.didAddParticipant'),
  'room.participantRemoved': roomParticipant('a user was removed from a room', 'room.didRemoveParticipant'),

  'liveReaction.created': liveReaction('a viewer of a live room or video stream reacted to it'),

  'join-request.created': joinRequest('a user requested to join a community', 'join-request.didCreate'),
  'join-request.approved': joinRequest('a join request was approved', 'join-request.didApprove'),
  'join-request.rejected': joinRequest('a join request was rejected', 'join-request.didReject'),
  'join-request.cancelled': joinRequest('a join request was cancelled', 'join-request.didCancel'),

  'role.created': role('a role was created', 'role.didCreate'),
  'role.updated': role('a role changed', 'role.didUpdate'),
  'role.deleted': role('a role was deleted', 'role.didDelete', removal),

  'category.created': category('a category was created', 'category.didCreate'),
  'category.updated': category('a category changed', 'category.didUpdate'),
  'category.deleted': category('a category was deleted', 'category.didDelete', removal),

  'file.created': file('a file was uploaded', 'file.didCreate'),
  'file.updated': file('the record of a file changed', 'file.didUpdate'),
  'file.deleted': file('a file was deleted', 'file.didDelete', removal),
} as const satisfies { [name: string]: EventDefinition };

export type EventName = keyof typeof EVENTS;
export type KindOf<Name extends EventName> = (typeof EVENTS)[Name]['kind'];
/** Names of the events of one kind. */
export type NameOf<Kind extends EventKind> = {
  [Name in EventName]: KindOf<Name> extends Kind ? Name : never;
}[EventName];
export type EventData<Name extends EventName = EventName> = PayloadOf<KindOf<Name>>;

/** The `version` field of every envelope. */
export const EVENT_VERSION = '1';

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** Events that clients can subscribe to. */
export const REALTIME_NAMES = EVENT_NAMES.filter((name) => EVENTS[name].realtime);

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

export function definitionOf(name: string): EventDefinition | null {
  return isEventName(name) ? EVENTS[name] : null;
}

/** Names of the events of one kind. */
export function namesOf(kind: EventKind): EventName[] {
  return EVENT_NAMES.filter((name) => EVENTS[name].kind === kind);
}
