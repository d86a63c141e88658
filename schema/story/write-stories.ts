import { createStory } from '../../src/domain/story/create-story.ts';
import { deleteStory } from '../../src/domain/story/delete-story.ts';
import {
  createStoryInput,
  deleteStoryInput,
  storyData,
  storyItem,
  storyLink,
  storyVideo,
} from '../../src/domain/story/story-input.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { MentionInput } from '../shared/mentions.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ImageDisplayMode, Story, StoryDataType, StoryTargetType } from './story.ts';

const StoryVideoInput = inputType('StoryVideoInput', 'The file of a video.', { schema: storyVideo });

const StoryDataInput = inputType('StoryDataInput', 'Content of a story.', {
  schema: storyData,
  types: { imageDisplayMode: ImageDisplayMode, videoFileId: StoryVideoInput },
});

const StoryLinkInput = inputType('StoryLinkInput', 'A link to a web page.', { schema: storyLink });

const StoryItemType = restEnum('StoryItemType', 'Kind of overlay item of a story.', {
  hyperlink: 'A link to a web page. A story has at most one.',
});

const StoryItemInput = inputType('StoryItemInput', 'An overlay item of a story.', {
  schema: storyItem,
  types: { type: StoryItemType, data: StoryLinkInput },
});

mutationField(
  'createStory',
  inputOf(createStoryInput, {
    targetType: StoryTargetType,
    dataType: StoryDataType,
    data: StoryDataInput,
    items: StoryItemInput,
    mentionees: MentionInput,
  }),
  {
    description:
      'Publishes a story, in a community with the permission MANAGE_COMMUNITY_STORY, or on the profile of the viewer.',
    resolve: async (_, { input }, context) => ({ story: await createStory(context, input) }),
    ...causes('story.created'),
  },
  { outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The new story.' }) }) },
);

mutationField(
  'deleteStory',
  inputOf(deleteStoryInput),
  {
    description: 'Deletes a story. Allowed for its creator and for users with the permission to manage stories there.',
    resolve: async (_, { input }, context) => ({ story: await deleteStory(context, input) }),
    ...causes('story.deleted'),
  },
  { outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The deleted story.' }) }) },
);
