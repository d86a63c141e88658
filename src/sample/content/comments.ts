import type { CommentRecord, PostRecord, StoryRecord } from '../../store/records/content.ts';
import { commentRecord, mentionOf } from '../builders/content.ts';
import type { SampleContext } from '../context.ts';

/** Comments of ten users on the post `seedlings`. */
const ON_SEEDLINGS: Array<[userId: string, text: string]> = [
  ['bob', 'I stand corrected.'],
  ['carol', 'Which soil did you use?'],
  ['frank', 'Keep them warm at night.'],
  ['grace', 'Mine took three weeks.'],
  ['heidi', 'So green!'],
  ['ivan', 'Not carrots, but fine.'],
  ['judy', 'The frogs approve.'],
  ['kim', 'Do you water from below?'],
  ['leo', 'You will need a bigger bed.'],
  ['mia', 'Save one for the shade.'],
];

interface Known {
  posts: PostRecord[];
  stories: StoryRecord[];
}

/** Comments in the order of creation. */
export function sampleComments(context: SampleContext, { posts, stories }: Known): CommentRecord[] {
  const post = (postId: string): PostRecord => posts.find((one) => one.postId === postId)!;
  const seedlings = ON_SEEDLINGS.map(([userId, text], index) =>
    commentRecord(context, {
      on: post('seedlings'),
      commentId: `seedlings-${userId}`,
      userId,
      text,
      createdAt: context.at(101 + index),
    }),
  );
  const grafting = commentRecord(context, {
    on: post('grafting'),
    commentId: 'grafting-grace',
    userId: 'grace',
    text: 'Wax is in the bag.',
    createdAt: context.at(185),
  });
  const fence = commentRecord(context, {
    on: post('over-the-fence'),
    commentId: 'fence-alice',
    userId: 'alice',
    text: 'Come over, we do not bite.',
    createdAt: context.at(205),
  });
  const morningDew = stories.find(({ storyId }) => storyId === 'morning-dew')!;
  const dew = commentRecord(context, {
    on: morningDew,
    commentId: 'dew-kim',
    userId: 'kim',
    text: 'Worth getting up for.',
    createdAt: context.at(225),
  });
  const rude = commentRecord(context, {
    on: morningDew,
    commentId: 'dew-ivan',
    userId: 'ivan',
    text: 'Only fools get up at six.',
    createdAt: context.at(226),
  });
  return [...seedlings, ...thread(context, post('tomatoes')), grafting, fence, dew, rude];
}

/** Replies at two levels, an image, a mention, an edited, a flagged and a deleted comment. */
function thread(context: SampleContext, tomatoes: PostRecord): CommentRecord[] {
  const asked = commentRecord(context, {
    on: tomatoes,
    commentId: 'tomatoes-carol',
    userId: 'carol',
    text: 'Is this leaf spot? @bob',
    dataTypes: ['text', 'image'],
    attachments: [{ type: 'image', fileId: 'leaf-spot' }],
    mentionees: [mentionOf(context, 'bob')],
    metadata: { bed: 2 },
    createdAt: context.at(112),
    updatedAt: context.at(113),
    editedAt: context.at(113),
  });
  const answered = commentRecord(context, {
    on: tomatoes,
    parent: asked,
    commentId: 'tomatoes-carol-bob',
    userId: 'bob',
    text: 'Looks like it. Take the leaf off.',
    createdAt: context.at(114),
  });
  return [
    asked,
    answered,
    commentRecord(context, {
      on: tomatoes,
      parent: answered,
      commentId: 'tomatoes-carol-bob-carol',
      userId: 'carol',
      text: 'Done, thank you.',
      createdAt: context.at(115),
    }),
    commentRecord(context, {
      on: tomatoes,
      parent: asked,
      commentId: 'tomatoes-carol-dave',
      userId: 'dave',
      text: 'You are doing it all wrong.',
      isDeleted: true,
      createdAt: context.at(116),
      updatedAt: context.at(118),
    }),
    commentRecord(context, {
      on: tomatoes,
      commentId: 'tomatoes-ivan',
      userId: 'ivan',
      text: 'Buy my fertiliser.',
      createdAt: context.at(117),
    }),
    commentRecord(context, {
      on: tomatoes,
      commentId: 'tomatoes-alice',
      userId: 'alice',
      text: 'Yellow, every time.',
      createdAt: context.at(119),
    }),
  ];
}
