import { viewerOf } from '../../src/context.ts';
import { listStoryTargets } from '../../src/domain/story/list-story-targets.ts';
import { getStoryTarget, seenOfTarget } from '../../src/domain/story/story-target.ts';
import type { StoryTargetRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { CommunityUser } from '../community/community-user.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { StoryTargetType } from './story.ts';

export const StoryTarget = nodeType<StoryTargetRecord>('StoryTarget', {
  description: 'A community or user that has had stories, with what the viewer has seen.',
  id: ({ targetType, targetId }) => `${targetType}:${targetId}`,
  load: async (context, id) => {
    const [, targetType, targetId] = /^(community|user):(.+)$/s.exec(id) ?? [];
    if (!targetId) return null;
    return getStoryTarget(context, { targetType: targetType as StoryTargetRecord['targetType'], targetId });
  },
});

const StoryTargetConnection = connectionType(StoryTarget, 'story targets');
const StorySeenState = restEnum('StorySeenState', 'Filter of story targets by what the viewer has seen.', {
  all: 'All communities with unexpired stories.',
  seen: 'Communities of which the viewer has seen every unexpired story.',
  unseen: 'Communities with at least one unexpired story that the viewer has not seen. Default.',
});

builder.objectFields(StoryTarget, (t) => ({
  targetType: t.expose('targetType', { type: StoryTargetType, description: 'Kind of place of the stories.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user.' }),
  targetUpdatedAt: t.expose('targetUpdatedAt', { type: 'DateTime', description: 'Creation time of the newest story.' }),
  lastStoryExpiresAt: t.expose('lastStoryExpiresAt', {
    type: 'DateTime',
    description: 'Expiry time of the story that expires last.',
  }),
  lastStorySeenExpiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Expiry time of the story that expires last among those the viewer has seen; null if there is none.',
    resolve: async (target, _, context) => (await seenOfTarget(context, target))?.lastStorySeenExpiresAt ?? null,
  }),
  community: t.field({
    type: Community,
    nullable: true,
    description: 'The community.',
    resolve: (target, _, { load }) =>
      target.targetType === 'community' ? load.communities.load(target.targetId) : null,
  }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'The user.',
    resolve: (target, _, context) => (target.targetType === 'user' ? loadUser(context, target.targetId) : null),
  }),
  viewerMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: 'Membership of the viewer in the community.',
    resolve: (target, _, context) =>
      target.targetType === 'community'
        ? context.load.communityUsers.load([target.targetId, viewerOf(context).userId])
        : null,
  }),
}));

builder.queryField('viewerStoryTargets', (t) =>
  t.connection(
    {
      type: StoryTarget,
      description: 'Communities with unexpired stories whose content the viewer can see, newest story first.',
      args: {
        seenState: t.arg({
          type: StorySeenState,
          required: true,
          defaultValue: 'unseen',
          description: 'Filter by what the viewer has seen.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) =>
        toConnection(await listStoryTargets(context, { seenState: args.seenState, request: pageRequest(args) })),
    },
    StoryTargetConnection,
  ),
);
