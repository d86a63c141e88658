import { z } from 'zod';
import { GetChannelDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

export const getChannel = route({
  method: 'GET',
  path: '/api/v3/channels/:channelId',
  section: 'legacy-facts §7',
  summary: 'Get one channel.',
  params: z.object({ channelId: id() }),
  document: GetChannelDocument,
  variables: ({ channelId }) => ({ channelId }),
  arrays: CHANNEL_ARRAYS,
  required: 'Channel',
});
