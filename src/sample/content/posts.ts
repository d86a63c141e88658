import type { PostRecord } from '../../store/records/content.ts';
import { childPostRecord, mentionOf, postRecord } from '../builders/content.ts';
import type { SampleContext } from '../context.ts';

/** Posts of every type; `seedlings` has ten comments by ten users. */
export function samplePosts(context: SampleContext): PostRecord[] {
  return [...gardenersPosts(context), ...livePosts(context), ...orchardPosts(context), ...userPosts(context)];
}

const GARDENERS = { targetType: 'community', targetId: 'gardeners' } as const;
const ORCHARD = { targetType: 'community', targetId: 'orchard-keepers' } as const;

function gardenersPosts(context: SampleContext): PostRecord[] {
  const tomatoes = postRecord(context, {
    ...GARDENERS,
    postId: 'tomatoes',
    postedUserId: 'bob',
    data: { title: 'Red or yellow?', text: 'Both ripened in the same week, against all advice.' },
    structureType: 'image',
    impression: 210,
    reach: 41,
    createdAt: context.at(110),
  });
  const compost = postRecord(context, {
    ...GARDENERS,
    postId: 'compost',
    postedUserId: 'carol',
    data: { text: 'My guide to compost, on one page.' },
    structureType: 'file',
    createdAt: context.at(120),
  });
  const pruning = postRecord(context, {
    ...GARDENERS,
    postId: 'pruning',
    postedUserId: 'alice',
    data: { text: 'Where to cut, in two seconds.' },
    structureType: 'video',
    createdAt: context.at(130),
  });
  const cropPoll = postRecord(context, {
    ...GARDENERS,
    postId: 'crop-poll',
    postedUserId: 'alice',
    data: { text: 'Let us decide what goes into the shared bed.' },
    createdAt: context.at(140),
  });
  const videoFileId = {
    original: 'pruning-original',
    low: 'pruning-low',
    medium: 'pruning-medium',
    high: 'pruning-high',
  };
  return [
    postRecord(context, {
      ...GARDENERS,
      postId: 'seedlings',
      postedUserId: 'alice',
      data: { title: 'Seedlings are up', text: 'Eleven days, and @bob said they never would. #spring #seedlings' },
      metadata: { bed: 3 },
      tags: ['news'],
      hashtags: ['spring', 'seedlings'],
      mentionees: [mentionOf(context, 'bob')],
      sharedCount: 1,
      impression: 480,
      reach: 73,
      createdAt: context.at(100),
      updatedAt: context.at(105),
      editedAt: context.at(105),
    }),
    tomatoes,
    childPostRecord(context, tomatoes, { postId: 'tomatoes-1', dataType: 'image', data: { fileId: 'tomatoes-red' } }),
    childPostRecord(context, tomatoes, {
      postId: 'tomatoes-2',
      dataType: 'image',
      data: { fileId: 'tomatoes-yellow' },
      createdAt: context.at(111),
    }),
    compost,
    childPostRecord(context, compost, { postId: 'compost-1', dataType: 'file', data: { fileId: 'compost-guide' } }),
    pruning,
    childPostRecord(context, pruning, {
      postId: 'pruning-1',
      dataType: 'video',
      data: { thumbnailFileId: 'pruning-thumbnail', videoFileId },
    }),
    cropPoll,
    childPostRecord(context, cropPoll, {
      postId: 'crop-poll-1',
      dataType: 'poll',
      structureType: 'text',
      data: { pollId: 'shared-bed' },
    }),
    postRecord(context, {
      ...GARDENERS,
      postId: 'miracle-fertiliser',
      postedUserId: 'ivan',
      data: { text: 'Doubles the size of everything, order now, message me for a price.' },
      createdAt: context.at(150),
    }),
    postRecord(context, {
      ...GARDENERS,
      postId: 'salt-on-slugs',
      postedUserId: 'leo',
      data: { text: 'Just pour salt everywhere.' },
      isDeleted: true,
      createdAt: context.at(155),
      updatedAt: context.at(400),
    }),
  ];
}

function livePosts(context: SampleContext): PostRecord[] {
  const greenhouse = postRecord(context, {
    ...GARDENERS,
    postId: 'greenhouse',
    postedUserId: 'alice',
    data: { text: 'Live from the greenhouse, come and ask.' },
    createdAt: context.at(160),
  });
  const springShow = postRecord(context, {
    ...GARDENERS,
    postId: 'spring-show',
    postedUserId: 'carol',
    data: { text: 'Last spring, for those who missed it.' },
    createdAt: context.at(165),
  });
  const potting = postRecord(context, {
    ...GARDENERS,
    postId: 'potting',
    postedUserId: 'bob',
    data: { text: 'Potting together, bring your own soil.' },
    createdAt: context.at(170),
  });
  const seedSwap = postRecord(context, {
    ...GARDENERS,
    postId: 'seed-swap',
    postedUserId: 'alice',
    data: { text: 'The recording of our seed swap.' },
    createdAt: context.at(175),
  });
  const live = (parent: PostRecord, streamId: string) =>
    childPostRecord(context, parent, { postId: `${parent.postId}-1`, dataType: 'liveStream', data: { streamId } });
  const room = (parent: PostRecord, roomId: string) =>
    childPostRecord(context, parent, { postId: `${parent.postId}-1`, dataType: 'room', data: { roomId } });
  return [
    greenhouse,
    live(greenhouse, 'greenhouse-tour'),
    springShow,
    live(springShow, 'spring-show'),
    potting,
    room(potting, 'potting-bench'),
    seedSwap,
    room(seedSwap, 'seed-swap'),
  ];
}

/** Posts of a private community that reviews posts: one published, one waiting, one declined. */
function orchardPosts(context: SampleContext): PostRecord[] {
  return [
    postRecord(context, {
      ...ORCHARD,
      postId: 'grafting',
      postedUserId: 'frank',
      data: { title: 'Grafting day', text: 'Saturday, bring a sharp knife and @grace brings the wax.' },
      mentionees: [mentionOf(context, 'grace')],
      createdAt: context.at(180),
    }),
    postRecord(context, {
      ...ORCHARD,
      postId: 'which-rootstock',
      postedUserId: 'grace',
      data: { text: 'Which rootstock for heavy clay?' },
      feedType: 'reviewing',
      createdAt: context.at(190),
    }),
    postRecord(context, {
      ...ORCHARD,
      postId: 'cider-for-sale',
      postedUserId: 'carol',
      data: { text: 'Forty litres, going cheap.' },
      feedType: 'declined',
      createdAt: context.at(195),
    }),
  ];
}

function userPosts(context: SampleContext): PostRecord[] {
  return [
    postRecord(context, {
      targetType: 'user',
      targetId: 'erin',
      postId: 'over-the-fence',
      postedUserId: 'erin',
      data: { text: 'Looks as if somebody next door is growing something.' },
      impression: 5,
      reach: 4,
      createdAt: context.at(200),
    }),
    postRecord(context, {
      targetType: 'user',
      targetId: 'bob',
      postId: 'i-was-wrong',
      postedUserId: 'bob',
      sharedUserId: 'alice',
      sharedPostId: 'seedlings',
      data: { text: 'They did come up after all.' },
      metadata: { sharedPostId: 'seedlings' },
      createdAt: context.at(210),
    }),
  ];
}
