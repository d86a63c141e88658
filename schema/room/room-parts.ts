import type { ModerationLabel, RoomRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

const RoomRole = restEnum('RoomRole', 'Role of a participant in a room.', {
  host: 'Creator of the room; cannot be removed from it.',
  coHost: 'User who was added by the host to stream in the same room.',
});

export const RoomParticipant = builder.objectRef<RoomRecord['participants'][number]>('RoomParticipant').implement({
  description: 'A participant of a room.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the user.' }),
    type: t.expose('type', { type: RoomRole, description: 'Role in the room.' }),
    canManageProductTags: t.exposeBoolean('canManageProductTags', {
      description: 'Whether the participant can tag products.',
    }),
  }),
});

export const RecordedPlayback = builder
  .objectRef<RoomRecord['recordedPlaybackInfos'][number]>('RecordedPlayback')
  .implement({
    description: 'A recording of a room.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'URL.' }),
      thumbnailUrl: t.exposeString('thumbnailUrl', { description: 'URL of the thumbnail.' }),
    }),
  });

const ModerationLabelType = builder.objectRef<ModerationLabel>('ModerationLabel').implement({
  description: 'A detection of automatic moderation.',
  fields: (t) => ({
    category: t.exposeString('category', { description: 'Detected category.' }),
    threshold: t.exposeInt('threshold', { description: 'Confidence threshold in percent.' }),
    detectedAt: t.expose('detectedAt', { type: 'DateTime', description: 'Time of detection.' }),
  }),
});

export const RoomModeration = builder.objectRef<NonNullable<RoomRecord['moderation']>>('RoomModeration').implement({
  description: 'Results of automatic moderation of a room.',
  fields: (t) => ({
    flagLabels: t.expose('flagLabels', { type: [ModerationLabelType], description: 'Labels that flagged the room.' }),
    terminateLabels: t.expose('terminateLabels', {
      type: [ModerationLabelType],
      description: 'Labels that ended the room.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});
