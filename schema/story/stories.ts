import { listStories } from '../../src/domain/story/list-stories.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { User } from '../user/user.ts';
import { Story, StoryConnection, StoryTargetType } from './story.ts';

const DELETED = 'Also deleted ones; for managers of stories.';
const EXPIRED = 'Also expired ones; for managers of stories.';
const OLDEST_FIRST = 'The oldest first, rather than the newest.';

builder.objectField(Community, 'stories', (t) =>
  t.connection(
    {
      type: Story,
      nullable: true,
      description: 'Its live stories, newest first; null when its inside is not to be seen.',
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
      description: 'The live stories on the profile, newest first.',
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
      description: 'The stories of one community or user; null when its inside is not to be seen.',
      args: {
        targetType: t.arg({ type: StoryTargetType, required: true, description: 'Where they are shown.' }),
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
