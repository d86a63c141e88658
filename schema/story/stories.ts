import { listStories } from '../../src/domain/story/list-stories.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { User } from '../user/user.ts';
import { Story, StoryConnection, StoryTargetType } from './story.ts';

const DELETED = 'Whether to include deleted stories; requires the permission to manage stories.';
const EXPIRED = 'Whether to include expired stories; requires the permission to manage stories.';
const OLDEST_FIRST = 'Whether to list the oldest first.';

builder.objectField(Community, 'stories', (t) =>
  t.connection(
    {
      type: Story,
      nullable: true,
      description: 'Unexpired stories of the community, newest first; null if the viewer cannot see its content.',
      args: {
        withDeleted: t.arg.boolean({ required: true, defaultValue: false, description: DELETED }),
        withExpired: t.arg.boolean({ required: true, defaultValue: false, description: EXPIRED }),
      },
      resolve: async ({ communityId }, args, context) => {
        const target = { targetType: 'community', targetId: communityId } as const;
        const page = await listStories(context, { ...target, ...args, request: pageRequest(args) });
        return page && toConnection(page);
      },
    },
    StoryConnection,
  ),
);

builder.objectField(User, 'stories', (t) =>
  t.connection(
    {
      type: Story,
      nullable: true,
      description: 'Unexpired stories on the profile, newest first.',
      resolve: async ({ userId }, args, context) => {
        const page = await listStories(context, { targetType: 'user', targetId: userId, request: pageRequest(args) });
        return page && toConnection(page);
      },
    },
    StoryConnection,
  ),
);

builder.queryField('stories', (t) =>
  t.connection(
    {
      type: Story,
      nullable: true,
      description: 'Stories of a community or user; null if the viewer cannot see its content.',
      args: {
        targetType: t.arg({ type: StoryTargetType, required: true, description: 'Kind of place of the stories.' }),
        targetId: t.arg.string({ required: true, description: 'Public id of the community or user.' }),
        withDeleted: t.arg.boolean({ required: true, defaultValue: false, description: DELETED }),
        withExpired: t.arg.boolean({ required: true, defaultValue: false, description: EXPIRED }),
        oldestFirst: t.arg.boolean({ required: true, defaultValue: false, description: OLDEST_FIRST }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) => {
        const page = await listStories(context, { ...args, request: pageRequest(args) });
        return page && toConnection(page);
      },
    },
    StoryConnection,
  ),
);
