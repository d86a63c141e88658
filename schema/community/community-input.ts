import type { builder } from '../builder.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** What may be said of a community when it is made or changed, beside its name. */
export const communityInputFields = (t: InputFields) => ({
  description: t.string({ description: 'What it is about, at most 1,000 characters.' }),
  avatarFileId: t.string({ description: 'File id of the picture, one that you uploaded.' }),
  isPublic: t.boolean({ description: 'Whether everybody may see what is inside. Yes unless told.' }),
  isDiscoverable: t.boolean({
    description: 'Whether those outside may ask to join although it is private. Yes unless told.',
  }),
  requiresJoinApproval: t.boolean({ description: "Whether joining needs a moderator's approval. No unless told." }),
  onlyAdminCanPost: t.boolean({ description: 'Whether only moderators may post. No unless told.' }),
  needApprovalOnPostCreation: t.boolean({ description: 'Whether posts of members wait for review. No unless told.' }),
  allowCommentInStory: t.boolean({ description: 'Whether stories may be commented on. Yes unless told.' }),
  tags: t.stringList({ description: 'At most 20 tags of at most 100 characters.' }),
  categoryIds: t.stringList({ description: 'At most 20 public ids of categories.' }),
  metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, at most 64 KiB.' }),
});
