import type { ModerationLabel, RoomRecord } from '../../src/store/records/media.ts';
import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

const RoomRole = restEnum('RoomRole', 'Role of a participant in a room.', {
  host: 'Creator of the room; cannot be removed from it.',
  coHost: 'User who was added by the host to stream in the same room.',
});

export const RoomParticipant = builder.objectRef<RoomRecord['participants'][number]>('RoomParticipant').implement({
  description: 'Somebody who takes part in a room.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the user.' }),
    type: t.expose('type', { type: RoomRole, description: 'What they do there.' }),
    canManageProductTags: t.exposeBoolean('canManageProductTags', { description: 'Whether they may tag products.' }),
  }),
});

export const RecordedPlayback = builder
  .objectRef<RoomRecord['recordedPlaybackInfos'][number]>('RecordedPlayback')
  .implement({
    description: 'A recording of a room.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Where it is.' }),
      thumbnailUrl: t.exposeString('thumbnailUrl', { description: 'Where its still is.' }),
    }),
  });

const ModerationLabelType = builder.objectRef<ModerationLabel>('ModerationLabel').implement({
  description: 'Something that automatic moderation saw.',
  fields: (t) => ({
    category: t.exposeString('category', { description: 'What it saw.' }),
    threshold: t.exposeInt('threshold', { description: 'From which certainty on, in percent.' }),
    detectedAt: t.expose('detectedAt', { type: 'DateTime', description: 'When.' }),
  }),
});

export const RoomModeration = builder.objectRef<NonNullable<RoomRecord['moderation']>>('RoomModeration').implement({
  description: 'What automatic moderation saw in a room.',
  fields: (t) => ({
    flagLabels: t.expose('flagLabels', { type: [ModerationLabelType], description: 'What flagged the room.' }),
    terminateLabels: t.expose('terminateLabels', { type: [ModerationLabelType], description: 'What ended it.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last looked.' }),
  }),
});
