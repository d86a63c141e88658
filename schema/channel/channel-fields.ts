import type { builder } from '../builder.ts';
import { NotificationMode } from '../community/community.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** What any channel looks like. */
export const lookFields = (t: InputFields) => ({
  avatarFileId: t.string({ description: "File id of the picture, one of the viewer's own." }),
  tags: t.stringList({ description: 'Tags, at most 20 of 1 to 100 characters.' }),
  metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
  notificationMode: t.field({ type: NotificationMode, description: 'Who is told of news.' }),
});

/** What becomes of flagged messages there. */
export const flagFields = (t: InputFields) => ({
  messageAutoDeleteEnabled: t.boolean({ description: 'Whether flags delete messages.' }),
  autoDeleteMessageByFlagLimit: t.int({ description: 'How many flags delete a message, at most 10,000; 0: never.' }),
});

export const channelIdField = (t: InputFields) => ({
  channelId: t.string({ required: true, description: 'Public id of the channel.' }),
});

export const memberFields = (t: InputFields) => ({
  ...channelIdField(t),
  userIds: t.stringList({ required: true, description: '1 to 100 public ids of users.' }),
});

export const mutePeriodField = (t: InputFields) => ({
  mutePeriod: t.int({
    required: true,
    description: 'How long, in milliseconds; −1 for good, 0 to end a mute.',
  }),
});
