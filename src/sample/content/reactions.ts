import type { FlagRecord, ReactionRecord } from '../../store/records/content.ts';
import { flagRecord, reactionRecord } from '../builders/content.ts';
import type { SampleContext } from '../context.ts';

type ReferenceType = ReactionRecord['referenceType'];

const REACTIONS: Array<[type: ReferenceType, referenceId: string, reactionName: string, userIds: string[]]> = [
  ['post', 'seedlings', 'like', ['bob', 'carol', 'grace', 'heidi']],
  ['post', 'seedlings', 'love', ['bob', 'mia']],
  ['post', 'tomatoes', 'like', ['alice', 'carol', 'ivan']],
  ['post', 'tomatoes-1', 'yum', ['kim']],
  ['post', 'grafting', 'like', ['grace']],
  ['post', 'over-the-fence', 'laugh', ['alice']],
  ['comment', 'seedlings-bob', 'laugh', ['alice', 'carol']],
  ['comment', 'seedlings-judy', 'love', ['mia']],
  ['comment', 'tomatoes-carol-bob', 'like', ['carol']],
  ['story', 'morning-dew', 'love', ['carol', 'kim']],
  ['story', 'morning-dew', 'like', ['bob']],
];

/** Reactions to messages, by the name of the message. */
const MESSAGE_REACTIONS: Array<[name: string, reactionName: string, userIds: string[]]> = [
  ['welcome', 'like', ['bob', 'carol']],
  ['welcome', 'love', ['heidi']],
  ['secret-plan', 'like', ['bob']],
];

export function sampleReactions(context: SampleContext): ReactionRecord[] {
  const onMessages = MESSAGE_REACTIONS.map(
    ([name, reactionName, userIds]) => ['message', context.hex('message', name), reactionName, userIds] as const,
  );
  return [...REACTIONS, ...onMessages].flatMap(([referenceType, referenceId, reactionName, userIds], row) =>
    userIds.map((userId, index) =>
      reactionRecord(context, {
        referenceType,
        referenceId,
        reactionName,
        userId,
        createdAt: context.at(560 + row * 10 + index),
      }),
    ),
  );
}

const FLAGS: Array<[type: FlagRecord['referenceType'], referenceId: string, userId: string, reason: string]> = [
  ['post', 'miracle-fertiliser', 'bob', 'Spam or scams'],
  ['post', 'miracle-fertiliser', 'carol', 'Selling and promoting restricted items'],
  ['post', 'tomatoes-2', 'ivan', 'False information or misinformation'],
  ['comment', 'tomatoes-ivan', 'carol', 'Spam or scams'],
  ['story', 'morning-dew', 'ivan', 'Others'],
  ['comment', 'dew-ivan', 'kim', 'Harassment or bullying'],
  ['user', 'ivan', 'bob', 'Spam or scams'],
  ['user', 'dave', 'carol', 'Harassment or bullying'],
];

export function sampleFlags(context: SampleContext): FlagRecord[] {
  const offer = context.hex('message', 'offer');
  const flags: typeof FLAGS = [...FLAGS, ['message', offer, 'carol', 'Spam or scams']];
  return flags.map(([referenceType, referenceId, userId, reason], row) =>
    flagRecord(context, {
      referenceType,
      referenceId,
      userId,
      reason,
      detail: reason === 'Others' ? 'I do not believe it was six.' : '',
      createdAt: context.at(700 + row),
    }),
  );
}
