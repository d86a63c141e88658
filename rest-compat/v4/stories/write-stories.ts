import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { forMutation, operationParams } from '../../operation-params.ts';
import { withSuccess } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { STORY_ARRAYS } from '../../side-arrays.ts';

const STORY = 'stories: story { ...StoryInFull }';

const shared = { reference: 'write-stories', arrays: STORY_ARRAYS } as const;

/** The interface names the mentions `mentionedUsers`. */
const { mentionees, ...newStory } = operationParams('createStory').shape;

export const writeStories = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v4/stories',
    summary: 'Create a story.',
    params: z.object({ ...newStory, mentionedUsers: mentionees }),
    document: mutation('createStory', STORY),
    variables: ({ mentionedUsers, ...params }) => ({ input: { ...params, mentionees: mentionedUsers ?? null } }),
  }),
  route({
    ...shared,
    ...forMutation('deleteStory', STORY, { absentAsNull: true }),
    method: 'DELETE',
    path: '/api/v4/stories/:storyId',
    summary: 'Delete a story.',
    wrap: withSuccess,
  }),
];
