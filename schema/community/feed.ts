import type { OwnedFeed } from '../../src/domain/community/feeds/get-feed.ts';
import { getFeed } from '../../src/domain/community/feeds/get-feed.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';

export const FeedTypeEnum = restEnum('FeedType', 'Publication state of the posts of a feed.', {
  published: 'Posts visible to every user with access to the community or user. Default for lists of posts.',
  reviewing: 'Posts in review; visible to their authors and to moderators.',
  declined: 'Posts declined by a moderator; visible to their authors and to moderators.',
});
export const FeedTargetType = restEnum('FeedTargetType', 'Kind of owner of a feed.', {
  community: 'A community.',
  user: 'A user.',
});

export const Feed = nodeType<OwnedFeed>('Feed', {
  description: 'A list of the posts of a community or user with the same publication state.',
  id: 'feedId',
  load: (context, feedId) => getFeed(context, { feedId }),
});

builder.objectFields(Feed, (t) => ({
  feedId: t.exposeString('feedId', { description: 'Public id.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user.' }),
  targetType: t.expose('targetType', { type: FeedTargetType, description: 'Kind of place of the posts.' }),
  feedType: t.expose('feedType', { type: FeedTypeEnum, description: 'Publication state of the posts.' }),
  postCount: t.exposeInt('postCount', { description: 'Number of parent posts that are not deleted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time of the feed.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change of its posts.' }),
}));

builder.queryField('feed', (t) =>
  t.field({
    type: Feed,
    nullable: true,
    description: 'A feed by its public id.',
    args: { feedId: t.arg.string({ required: true, description: 'Public id of the feed.' }) },
    resolve: (_, args, context) => getFeed(context, args),
  }),
);
