import { z } from 'zod';
import { MarkRestChannelsSeenDocument } from '../../generated/documents.ts';
import { id, int } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

const readToSegment = int({ min: 0, max: 2 ** 31 - 1 }).nullish();
const shared = {
  method: 'POST',
  section: 'legacy-facts §7',
  document: MarkRestChannelsSeenDocument,
  arrays: CHANNEL_ARRAYS,
} as const;

/** How far the caller has read in channels. */
export const channelsSeen: Route[] = [
  route({
    ...shared,
    path: '/api/v3/channels/seen',
    summary: 'Mark the messages of channels as read, each up to a segment.',
    params: z.object({
      channels: z
        .array(z.object({ channelId: id(), readToSegment }))
        .min(1)
        .max(100),
    }),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    path: '/api/v3/channels/:channelId/seen',
    summary: 'Mark the messages of a channel as read, up to a segment.',
    params: z.object({ channelId: id(), readToSegment }),
    variables: (channel) => ({ input: { channels: [channel] } }),
  }),
];
