import { expect } from 'vitest';

type Row = Record<string, unknown>;

/**
 * The documented fields of each record, see docs/interface.md: `name:type`, with `?` if the value may be null and `-` if
 * the field may be absent.
 * Types: s string, i integer, n number, b boolean, t timestamp, o object, a array, s[] strings, o[] objects.
 */
const HASH_FLAG = 'hashFlag:o?';
export const RECORDS: Record<string, string> = {
  users: `userId:s _id:s path:s userInternalId:s userPublicId:s createdAt:t updatedAt:t roles:s[] permissions:a displayName:s
    profileHandle:s? description:s avatarFileId:s? avatarCustomUrl:s? flagCount:i ${HASH_FLAG} metadata:o isGlobalBan:b isBrand:b isDeleted:b`,
  reducedUsers: `userId:s createdAt:t updatedAt:t _id:s path:s roles:s[] displayName:s flagCount:i ${HASH_FLAG} metadata:o isDeleted:b`,
  webhookMessages: `_id:s path:s messageId:s channelId:s userId:s parentId:s? type:s data:o channelSegment:i flagCount:i childrenNumber:i
    reactionsCount:i tags:s[] ${HASH_FLAG} reactions:o myReactions:s[] latestReaction:o? isDeleted:b createdAt:t updatedAt:t editedAt:t? mentionees:o[]`,
  reactors: 'reactionName:s userId:s userPublicIdId:s userInternalId:s reactionId:s createdAt:t updatedAt:t',
  files: 'fileId:s fileUrl:s altText:s? accessType:s type:s createdAt:t updatedAt:t attributes:o',
  communities: `communityId:s channelId:s displayName:s _id:s path:s userId:s userPublicId:s userInternalId:s avatarFileId:s? description:s
    isOfficial:b isPublic:b onlyAdminCanPost:b isJoined:b isDeleted:b hasFlaggedComment:b hasFlaggedPost:b needApprovalOnPostCreation:b
    allowCommentInStory:b isDiscoverable:b requiresJoinApproval:b tags:s[] categoryIds:s[] metadata:o postsCount:i membersCount:i
    moderatorMemberCount:i createdAt:t updatedAt:t notificationMode:s type:s`,
  communityUsers: `userId:s userPublicId:s userInternalId:s channelId:s communityId:s notMemberReason:s? isBanned:b lastActivity:t lastJoin:t?
    createdAt:t updatedAt:t roles:s[] permissions:a communityMembership:s`,
  categories: 'categoryId:s name:s avatarFileId:s? metadata:o isDeleted:b createdAt:t updatedAt:t',
  feeds: 'targetId:s feedId:s postCount:i createdAt:t updatedAt:t feedType:s targetType:s',
  joinRequests: `_id:s networkId:s targetId:s targetType:s type:s userId:s status:s joinRequestId:s requestorId:s requestorPublicId:s
    requestorInternalId:s responderId:s? responderPublicId:s? responderInternalId:s? respondedAt:t? updatedAt:t createdAt:t`,
  roles: 'roleId:s displayName:s permissions:s[] isDeleted:b createdAt:t updatedAt:t',
  channels: `channelId:s _id:s path:s channelInternalId:s channelPublicId:s displayName:s avatarFileId:s? messagePreviewId:s? createdAt:t updatedAt:t
    muteTimeout:t? rateLimitTimeout:t? lastActivity:t isDistinct:b isMuted:b isRateLimited:b messageAutoDeleteEnabled:b isDeleted:b isPublic:b
    metadata:o tags:s[] rateLimit:i rateLimitWindow:i autoDeleteMessageByFlagLimit:i memberCount:i messageCount:i attachedTo:o? type:s notificationMode:s`,
  channelUsers: `userId:s userInternalId:s userPublicId:s channelId:s channelInternalId:s channelPublicId:s isBanned:b isMuted:b lastActivity:t
    muteTimeout:t? createdAt:t updatedAt:t roles:s[] permissions:a readToSegment:i lastMentionedSegment:i membership:s`,
  messagePreviews:
    'messageId:s channelId:s channelPublicId:s messageFeedId:s dataType:s data:o creatorId:s creatorPublicId:s parentId:s? segment:i isDeleted:b createdAt:t updatedAt:t',
  messageFeedsInfo: 'messageFeedId:s name:s messagePreviewId:s? createdAt:t updatedAt:t',
  messageFeeds: `messageFeedId:s channelId:s channelPublicId:s channelType:s name:s creatorId:s path:s lastMessageId:s? messagePreviewId:s?
    childCount:i isDeleted:b createdAt:t updatedAt:t lastMessageTimestamp:t? editedAt:t? creatorPublicId:s`,
  messages: `messageId:s networkId:s channelId:s channelType:s messageFeedId:s dataType:s fileId:s? thumbnailFileId:s? creatorId:s parentId:s? path:s
    segment:i reactionCount:i flagCount:i childCount:i data:o metadata:o tags:s[] mentionedUsers:o[] reactions:o myReactions:s[] isDeleted:b
    editedAt:t? createdAt:t updatedAt:t channelPublicId:s creatorPublicId:s referenceId:s?`,
  v3messages: `_id:s path:s messageId:s channelId:s userId:s parentId:s? fileId:s? data:o channelSegment:i flagCount:i childrenNumber:i reactionsCount:i
    tags:s[] metadata:o ${HASH_FLAG} reactions:o myReactions:s[] latestReaction:o? isDeleted:b createdAt:t updatedAt:t editedAt:t? mentionees:o[] type:s`,
  posts: `postId:s _id:s path:s parentPostId:s? postedUserId:s postedUserPublicId:s postedUserInternalId:s sharedUserId:s? targetId:s targetPublicId:s
    targetInternalId:s feedId:s data:o dataType:s structureType:s metadata:o flagCount:i sharedCount:i reactionsCount:i commentsCount:i childrenNumber:i
    impression:i reach:i ${HASH_FLAG} editedAt:t? createdAt:t updatedAt:t reactions:o myReactions:s[] comments:s[] children:s[] tags:s[] hashtags:s[]
    mentionees:o[] isDeleted:b hasFlaggedComment:b hasFlaggedChildren:b targetType:s feedType:s`,
  comments: `commentId:s _id:s path:s userId:s userPublicId:s userInternalId:s parentId:-s rootId:s referenceId:s dataType:s targetId:s dataTypes:a data:o
    metadata:o childrenNumber:i flagCount:i reactionsCount:i segmentNumber:i ${HASH_FLAG} reactions:o myReactions:s[] children:s[] isDeleted:b
    editedAt:t? createdAt:t updatedAt:t mentionees:o[] attachments:o[] referenceType:s targetType:s`,
  stories: `storyId:s path:s creatorId:s creatorPublicId:s targetId:s targetPublicId:s data:o items:a metadata:o flagCount:i reactionsCount:i
    commentsCount:i impression:i reach:i ${HASH_FLAG} reactions:o myReactions:s[] isDeleted:b hasFlaggedComment:b createdAt:t updatedAt:t expiresAt:t
    mentionedUsers:o[] dataType:s targetType:s comments:s[] referenceId:s?`,
  storyTargets:
    'targetId:s targetPublicId:s targetUpdatedAt:t lastStoryExpiresAt:t lastStorySeenExpiresAt:t? targetType:s',
  userMarkers: 'userId:s lastSyncAt:t? unreadCount:i isMentioned:b createdAt:t? updatedAt:t?',
  userFeedMarkers: `userId:s entityId:s feedId:s readToSegment:i deliveredToSegment:i unreadCount:i lastMentionSegment:i isMentioned:b createdAt:t updatedAt:t`,
  userEntityMarkers: 'userId:s entityId:s unreadCount:i isDeleted:b isMentioned:b createdAt:t updatedAt:t membership:s',
  feedMarkers: 'entityId:s feedId:s lastSegment:i isDeleted:b createdAt:t updatedAt:t',
  contentMarkers: 'contentId:s feedId:s creatorId:s readCount:i deliveredCount:i createdAt:t updatedAt:t',
  follows: 'from:s to:s status:s createdAt:t updatedAt:t',
  followCounts: 'userId:s followerCount:i followingCount:i pendingCount:i',
  searchResult: 'score:n',
  videoStreamModerations: 'moderationId:s',
  pins: 'referenceId:s referenceType:s placement:s pinnedBy:s pinnedByPublicId:s pinnedAt:t',
  pinTargets: 'targetId:s targetType:s lastPinsUpdatedAt:t',
  videoStreamings: `streamId:s userId:s userInternalId:s userPublicId:s thumbnailFileId:s? title:s description:s moderationId:s? postId:s? channelId:s?
    parentStreamId:s? isLive:b isDeleted:b channelEnabled:b isParent:b platform:o startedAt:t? endedAt:t? createdAt:t updatedAt:t metadata:o
    resolution:s streamerUrl:o recordings:o[] watcherUrl:o childStreamIds:a status:s`,
  rooms: `_id:s targetId:s referenceId:s liveChannelId:s? title:s roomId:s description:s thumbnailFileId:s? livePlaybackUrl:s? liveThumbnailUrl:s?
    parentRoomId:s? createdBy:s creatorInternalId:s deletedBy:s? path:s liveChatEnabled:b isDeleted:b participants:o[] recordedPlaybackInfos:o[]
    durationSeconds:i moderation:o? childRoomIds:a createdAt:t updatedAt:t liveAt:t? endedAt:t? recordedAt:t? deletedAt:t? metadata:o
    type:s status:s targetType:s targetVisibility:s referenceType:s`,
  polls: `pollId:s userId:s userInternalId:s userPublicId:s title:s question:s answerType:s closedAt:s createdAt:s answers:o[] isVoted:b status:s closedIn:i`,
};
RECORDS.postChildren = RECORDS.posts!;
RECORDS.commentChildren = RECORDS.comments!;
RECORDS.videoStreamingChildren = RECORDS.videoStreamings!;
RECORDS.roomChildrens = RECORDS.rooms!;

/** The fields that identify a record. */
const IDS: Record<string, (row: Row) => string> = {
  communityUsers: (row) => `${row.communityId}/${row.userId}`,
  channelUsers: (row) => `${row.channelId}/${row.userId}`,
  userFeedMarkers: (row) => `${row.userId}/${row.feedId}`,
  userEntityMarkers: (row) => `${row.userId}/${row.entityId}`,
  pins: (row) => `${row.placement}/${row.referenceId}`,
  userMarkers: (row) => String(row.userId),
  feedMarkers: (row) => String(row.feedId),
  contentMarkers: (row) => String(row.contentId),
  follows: (row) => `${row.from}/${row.to}`,
  followCounts: (row) => String(row.userId),
  searchResult: (row) => String(row.postId ?? row.communityId),
  videoStreamModerations: (row) => String(row.moderationId),
  ...Object.fromEntries(
    Object.entries({
      users: 'userId',
      files: 'fileId',
      communities: 'communityId',
      categories: 'categoryId',
      feeds: 'feedId',
      joinRequests: 'joinRequestId',
      roles: 'roleId',
      channels: 'channelId',
      messagePreviews: 'messageId',
      messageFeedsInfo: 'messageFeedId',
      messageFeeds: 'messageFeedId',
      messages: 'messageId',
      posts: 'postId',
      postChildren: 'postId',
      comments: 'commentId',
      commentChildren: 'commentId',
      stories: 'storyId',
      storyTargets: 'targetId',
      pinTargets: 'targetId',
      videoStreamings: 'streamId',
      videoStreamingChildren: 'streamId',
      rooms: 'roomId',
      roomChildrens: 'roomId',
      polls: 'pollId',
    }).map(([array, field]) => [array, (row: Row) => String(row[field])]),
  ),
};

type Refs = (row: Row) => unknown[];
const fields =
  (...names: string[]): Refs =>
  (row) =>
    names.map((name) => row[name]);
const videoIds = (data: Row | null | undefined): unknown[] => Object.values((data?.videoFileId as Row | null) ?? {});
const dataFiles: Refs = (row) => {
  const data = row.data as Row | null;
  return [data?.fileId, data?.thumbnailFileId, ...videoIds(data)];
};
const mentioned = (row: Row, key: string): unknown[] =>
  ((row[key] as Row[] | undefined) ?? []).flatMap((mention) => mention.userIds as unknown[]);

/** Ids that must resolve in a side array if the response has that array. */
const LINKS: Record<string, Record<string, Refs>> = {
  users: { files: fields('avatarFileId') },
  communities: {
    files: fields('avatarFileId'),
    users: fields('userId'),
    categories: (row) => row.categoryIds as unknown[],
  },
  communityUsers: { users: fields('userId'), communities: fields('communityId') },
  categories: { files: fields('avatarFileId') },
  joinRequests: { users: (row) => [row.requestorPublicId, row.responderPublicId] },
  channels: { files: fields('avatarFileId'), messagePreviews: fields('messagePreviewId') },
  channelUsers: { users: fields('userId'), channels: fields('channelId') },
  messagePreviews: { users: fields('creatorId'), files: dataFiles, messageFeedsInfo: fields('messageFeedId') },
  messageFeeds: { users: fields('creatorPublicId'), messages: fields('lastMessageId') },
  messages: {
    users: (row) => [
      row.creatorPublicId ?? row.userId,
      ...mentioned(row, row.creatorPublicId ? 'mentionedUsers' : 'mentionees'),
    ],
    files: fields('fileId', 'thumbnailFileId'),
    messageFeeds: fields('messageFeedId'),
  },
  posts: {
    users: (row) => [
      row.postedUserId,
      row.sharedUserId,
      ...mentioned(row, 'mentionees'),
      ...(row.targetType === 'user' ? [row.targetId] : []),
    ],
    files: dataFiles,
    communities: (row) => (row.targetType === 'community' ? [row.targetId] : []),
    feeds: fields('feedId'),
    comments: (row) => row.comments as unknown[],
    polls: (row) => [(row.data as Row).pollId],
    videoStreamings: (row) => [(row.data as Row).streamId],
    rooms: (row) => [(row.data as Row).roomId],
  },
  comments: {
    users: (row) => [row.userId, ...mentioned(row, 'mentionees')],
    files: (row) => (row.attachments as Row[]).map((one) => one.fileId),
    comments: (row) => row.children as unknown[],
  },
  stories: { users: (row) => [row.creatorPublicId], files: dataFiles },
  storyTargets: {
    communities: (row) => (row.targetType === 'community' ? [row.targetId] : []),
    users: (row) => (row.targetType === 'user' ? [row.targetId] : []),
  },
  follows: { users: fields('from', 'to') },
  searchResult: { posts: fields('postId'), communities: fields('communityId') },
  pins: { users: fields('pinnedByPublicId'), posts: fields('referenceId') },
  videoStreamings: {
    users: fields('userId'),
    files: fields('thumbnailFileId'),
    videoStreamingChildren: (row) => row.childStreamIds as unknown[],
  },
  rooms: {
    users: (row) => [row.createdBy, ...(row.participants as Row[]).map((one) => one.userId)],
    files: fields('thumbnailFileId'),
    roomChildrens: (row) => row.childRoomIds as unknown[],
  },
  polls: { users: fields('userId'), files: (row) => (row.answers as Row[]).map((one) => one.fileId) },
};
LINKS.postChildren = { users: LINKS.posts!.users!, files: LINKS.posts!.files! };
LINKS.commentChildren = LINKS.comments!;
LINKS.videoStreamingChildren = { users: LINKS.videoStreamings!.users!, files: LINKS.videoStreamings!.files! };
LINKS.roomChildrens = { users: LINKS.rooms!.users!, files: LINKS.rooms!.files! };

export interface AnswerRules {
  /** The required arrays, in the documented order. */
  arrays: readonly string[];
  /** Responses of v3 hold messages in another form. */
  messages?: 'v3' | 'v5';
  /** Documented fields that the records of an event must not have. */
  without?: { readonly [array: string]: readonly string[] };
  /** Arrays whose records have exactly the fields of another form, by its name in {@link RECORDS}. */
  forms?: { readonly [array: string]: string };
  /** Links that this endpoint cannot resolve, as `array>array`; the caller comments on the reason. */
  unresolved?: readonly string[];
}

/** Checks a response: arrays, fields, types, unique records, and that every link resolves. */
export function checkAnswer(body: Row, rules: AnswerRules): void {
  expect(problemsOf(body, rules)).toEqual([]);
}

export function problemsOf(
  body: Row,
  { arrays, messages = 'v5', without = {}, forms = {}, unresolved = [] }: AnswerRules,
): string[] {
  const problems: string[] = [];
  for (const array of arrays) {
    const rows = body[array];
    if (!Array.isArray(rows)) {
      problems.push(`${array} is missing`);
      continue;
    }
    const table = forms[array] ?? (array === 'messages' && messages === 'v3' ? 'v3messages' : array);
    for (const row of rows as Row[]) {
      const where = `${array}[${IDS[array]!(row)}]`;
      const lacking = without[array] ?? [];
      problems.push(...fieldProblems(where, row, RECORDS[table]!, lacking));
      for (const name of lacking) if (Object.hasOwn(row, name)) problems.push(`${where}.${name} must not be there`);
      if (forms[array]) problems.push(...strangersIn(where, row, RECORDS[table]!));
    }
    const ids = (rows as Row[]).map(IDS[array]!);
    for (const id of ids.filter((one, index) => ids.indexOf(one) !== index))
      problems.push(`${array}[${id}] stands twice`);
    for (const [target, refs] of Object.entries(LINKS[array] ?? {})) {
      if (!arrays.includes(target) || unresolved.includes(`${array}>${target}`)) continue;
      const known = new Set((body[target] as Row[] | undefined)?.map(IDS[target]!));
      if (target === 'comments')
        for (const row of (body.commentChildren as Row[] | undefined) ?? []) known.add(IDS.comments!(row));
      for (const row of rows as Row[]) {
        for (const ref of refs(row)) {
          if (typeof ref === 'string' && ref !== '' && !known.has(ref))
            problems.push(`${array}[${IDS[array]!(row)}] refers to ${target}[${ref}], which is missing`);
        }
      }
    }
  }
  return [...new Set(problems)];
}

function entriesOf(table: string): Array<[name: string, type: string]> {
  return table
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string]);
}

function strangersIn(where: string, row: Row, table: string): string[] {
  const known = new Set(entriesOf(table).map(([name]) => name));
  return Object.keys(row).flatMap((name) => (known.has(name) ? [] : [`${where}.${name} must not be there`]));
}

function fieldProblems(where: string, row: Row, table: string, lacking: readonly string[]): string[] {
  return entriesOf(table)
    .filter(([name]) => !lacking.includes(name))
    .flatMap(([name, typeText]) => {
      const value = row[name];
      if (value === undefined) return typeText.startsWith('-') ? [] : [`${where}.${name} is missing`];
      if (value === null) return typeText.endsWith('?') ? [] : [`${where}.${name} is null`];
      return hasType(value, typeText.replace(/[?-]/, ''))
        ? []
        : [`${where}.${name} is not ${typeText}: ${JSON.stringify(value)}`];
    });
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 's':
      return typeof value === 'string';
    case 'i':
      return Number.isInteger(value);
    case 'n':
      return typeof value === 'number';
    case 'b':
      return typeof value === 'boolean';
    case 't':
      return typeof value === 'string' && TIMESTAMP.test(value);
    case 'o':
      return isObject(value);
    case 'a':
      return Array.isArray(value);
    case 's[]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    default:
      return Array.isArray(value) && value.every(isObject);
  }
}
