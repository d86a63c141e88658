import { createStory } from '../../src/domain/story/create-story.ts';
import { deleteStory } from '../../src/domain/story/delete-story.ts';
import { builder } from '../builder.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ImageDisplayMode, Story, StoryDataType, StoryTargetType } from './story.ts';

const StoryVideoInput = builder.inputType('StoryVideoInput', {
  description: 'The file of a video.',
  fields: (t) => ({ original: t.string({ description: 'As uploaded.' }) }),
});

const StoryDataInput = builder.inputType('StoryDataInput', {
  description: 'What a story shows.',
  fields: (t) => ({
    text: t.string({ description: 'Text, at most 20,000 characters; needed for `TEXT`.' }),
    fileId: t.string({ description: 'The file of an `IMAGE` or `VIDEO`: one of the viewer.' }),
    thumbnailFileId: t.string({ description: 'The still of a video.' }),
    imageDisplayMode: t.field({
      type: ImageDisplayMode,
      description: 'How a picture fills the screen; `FIT` unless told.',
    }),
    videoFileId: t.field({ type: StoryVideoInput, description: 'The file of a video, as REST clients name it.' }),
  }),
});

const StoryLinkInput = builder.inputType('StoryLinkInput', {
  description: 'A link.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'An http or https address, at most 1,000 characters.' }),
    customText: t.string({ description: 'What it is shown as, at most 30 characters.' }),
  }),
});

const StoryItemType = restEnum('StoryItemType', 'Kind of overlay item of a story.', {
  hyperlink: 'A link to a web page. A story has at most one.',
});

const StoryItemInput = builder.inputType('StoryItemInput', {
  description: 'Something laid over a story.',
  fields: (t) => ({
    type: t.field({ type: StoryItemType, required: true, description: 'What it is.' }),
    data: t.field({ type: StoryLinkInput, required: true, description: 'The link.' }),
  }),
});

mutationField(
  'createStory',
  {
    description: 'Where to show a story, and what.',
    inputFields: (t) => ({
      targetType: t.field({ type: StoryTargetType, required: true, description: 'In a community or on a profile.' }),
      targetId: t.string({ required: true, description: 'Public id of the community, or of the viewer.' }),
      dataType: t.field({ type: StoryDataType, required: true, description: 'What it shows.' }),
      data: t.field({ type: StoryDataInput, description: 'The content.' }),
      items: t.field({ type: [StoryItemInput], description: 'What is laid over it: at most one link.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, 64 KiB at most.' }),
      mentionees: t.field({ type: [MentionInput], description: 'Who is mentioned.' }),
      referenceId: t.string({ description: 'Client-made id of the upload.' }),
      expiresAt: t.field({
        type: 'DateTime',
        description: 'Until when it is shown: 24 hours unless told, 7 days at most.',
      }),
    }),
  },
  {
    description: 'Shows a story: in a community whoever holds MANAGE_COMMUNITY_STORY, on a profile its user.',
    resolve: async (_, { input }, context) => ({ story: await createStory(context, input) }),
  },
  {
    description: 'The new story.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The new story.' }) }),
  },
);

mutationField(
  'deleteStory',
  {
    description: 'Which story.',
    inputFields: (t) => ({
      storyId: t.string({ required: true, description: 'Public id.' }),
      permanent: t.boolean({
        description: 'Whether what it showed is erased for good; for whoever manages stories there.',
      }),
    }),
  },
  {
    description: 'Deletes a story: its creator does, and whoever manages stories there.',
    resolve: async (_, { input }, context) => ({ story: await deleteStory(context, input) }),
  },
  {
    description: 'The deleted story.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The deleted story.' }) }),
  },
);
