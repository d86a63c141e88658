import { withFlagOf } from '../../domain/flag/hash-flag.ts';
import type { HashFlag, ReactionCounts } from '../../store/records/base.ts';
import type { UserRecord } from '../../store/records/user.ts';
import type { SampleNetwork } from '../context.ts';

interface Flaggable {
  flagCount: number;
  hashFlag: HashFlag | null;
}

/** Counts the flags of each record, and adds the users to its flag filter. */
export function deriveFlags(network: Partial<SampleNetwork>): void {
  const { flags = [], users = [], posts = [], comments = [], stories = [], messages = [] } = network;
  if (flags.length === 0) return;
  const flaggable = new Map<string, Flaggable>([
    ...users.map((user) => [`user/${user.userId}`, user] as const),
    ...posts.map((post) => [`post/${post.postId}`, post] as const),
    ...comments.map((comment) => [`comment/${comment.commentId}`, comment] as const),
    ...stories.map((story) => [`story/${story.storyId}`, story] as const),
    ...messages.map((message) => [`message/${message.messageId}`, message] as const),
  ]);
  for (const flag of flags) {
    const record = found(flaggable, `${flag.referenceType}/${flag.referenceId}`);
    record.flagCount += 1;
    record.hashFlag = withFlagOf(record.hashFlag, flag.userId);
  }
}

type Reacted = Partial<Omit<SampleNetwork, 'users'>> & { users?: Array<Pick<UserRecord, 'userId' | 'displayName'>> };

/**
 * Counts the reactions of each record, in total and by name, and sets the latest reaction of messages. `users` must
 * contain the users who reacted to messages.
 */
export function deriveReactions(network: Reacted): void {
  const { reactions = [], users = [], posts = [], comments = [], stories = [], messages = [] } = network;
  const counted = new Map<string, { reactions: ReactionCounts; reactionsCount: number }>([
    ...posts.map((post) => [`post/${post.postId}`, post] as const),
    ...comments.map((comment) => [`comment/${comment.commentId}`, comment] as const),
    ...stories.map((story) => [`story/${story.storyId}`, story] as const),
  ]);
  const messagesById = new Map(messages.map((message) => [message.messageId, message]));
  const displayNames = new Map(users.map((user) => [user.userId, user.displayName]));
  for (const reaction of reactions) {
    const { referenceType, referenceId, reactionName } = reaction;
    if (referenceType !== 'message') {
      const record = found(counted, `${referenceType}/${referenceId}`);
      record.reactions[reactionName] = (record.reactions[reactionName] ?? 0) + 1;
      record.reactionsCount += 1;
      continue;
    }
    const message = found(messagesById, referenceId);
    message.reactions[reactionName] = (message.reactions[reactionName] ?? 0) + 1;
    message.reactionCount += 1;
    message.latestReaction = {
      referenceId,
      referenceType,
      reactionName,
      userId: reaction.userId,
      userDisplayName: displayNames.get(reaction.userId) ?? reaction.userId,
      reactionId: reaction.reactionId,
      eventName: 'add',
      createdAt: reaction.createdAt,
    };
  }
}

function found<Value>(map: Map<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The sample refers to ${key}, which does not exist`);
  return value;
}
