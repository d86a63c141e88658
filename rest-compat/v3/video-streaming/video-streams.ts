import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { forMutation } from '../../operation-params.ts';
import { connectionVariables } from '../../paging.ts';
import { boolOrBoth, id, list, pagingOptions } from '../../params.ts';
import { withSuccess } from '../../payload-fields.ts';
import { route } from '../../route.ts';

const STREAM = 'videoStreamings: videoStream { ...VideoStreamInFull }';

const shared = {
  reference: 'video-streams',
  // No record of a moderation is stored: clients expect the array.
  arrays: ['videoStreamings', 'videoStreamingChildren', 'videoStreamModerations', 'users', 'files'],
} as const;

const path = '/api/v3/video-streaming/:streamId';

export const videoStreams = [
  route({
    ...shared,
    ...forMutation('createVideoStream', STREAM),
    method: 'POST',
    path: '/api/v3/video-streaming',
    summary: 'Create a video stream.',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/video-streaming',
    summary: 'List the video streams that the viewer can see.',
    params: z.object({
      isLive: boolOrBoth().default(null),
      statuses: list(enumParam('VideoStreamStatus'), { max: 4 }).optional(),
      userPublicIds: list(id(50), { max: 20 }).optional(),
      sortBy: enumParam('VideoStreamSort').default('LAST_CREATED'),
      isDeleted: boolOrBoth().default(null),
      options: pagingOptions(),
    }),
    document: operation('QueryVideoStreams'),
    variables: ({ isLive, statuses, userPublicIds, sortBy, isDeleted, options }) => ({
      isLive,
      statuses: statuses ?? null,
      userIds: userPublicIds ?? null,
      sortBy,
      isDeleted,
      ...connectionVariables(options),
    }),
    paging: ['previous'],
    // Clients of all versions read the arrays of this list from `results`.
    wrap: ({ paging, ...arrays }) => ({ results: arrays, ...arrays, paging }),
  }),
  route({
    ...shared,
    method: 'GET',
    path,
    summary: 'Get one video stream.',
    params: z.object({ streamId: id() }),
    document: operation('GetVideoStream'),
    variables: ({ streamId }) => ({ streamId }),
    required: 'Video stream',
  }),
  route({
    ...shared,
    ...forMutation('updateVideoStream', STREAM),
    method: 'PUT',
    path,
    summary: 'Update a video stream.',
  }),
  route({
    ...shared,
    ...forMutation('stopVideoStream', STREAM),
    method: 'DELETE',
    path: `${path}/streaming-url`,
    summary: 'End a video stream.',
  }),
  route({
    ...shared,
    ...forMutation('deleteVideoStream', STREAM),
    method: 'DELETE',
    path,
    summary: 'Delete a video stream.',
    wrap: withSuccess,
  }),
];

const watched = z.looseObject({}).describe('A stream and the time for which it was watched.');

/** Clients report how long a stream was watched. The times are accepted and not stored. */
export const recordWatchTime = route({
  method: 'POST',
  path: '/api/v3/user-event/video-streaming',
  reference: 'video-streams',
  summary: 'Report how long video streams were watched.',
  params: z.object({ streams: list(watched, { max: 100 }).optional() }),
  document: operation('ReportWatchTime'),
  variables: () => ({}),
  arrays: [],
  wrap: () => ({ success: true }),
  answerSchema: { type: 'object', properties: { success: { type: 'boolean' } }, required: ['success'] },
});
