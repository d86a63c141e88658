import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, text } from '../../params.ts';
import { route } from '../../route.ts';

const reaction = z.object({
  reactionName: text({ max: 100 }),
  referencePublicId: id().describe('Id of the post.'),
  referenceType: z.literal('post'),
  occurredAt: z.iso.datetime({ offset: true }).nullish(),
});

export const addLiveReactions = route({
  method: 'POST',
  path: '/api/v1/reactions/live',
  reference: 'live-reactions',
  summary: 'React to a live room or video stream.',
  params: z.object({
    roomId: id().nullish(),
    liveStreamId: id().nullish().describe('Id of the video stream.'),
    reactions: z
      .array(reaction)
      .min(1)
      .max(50)
      .refine(([first, ...rest]) => rest.every((one) => one.referencePublicId === first?.referencePublicId), {
        message: 'must refer to one post',
      }),
  }),
  document: mutation('addLiveReactions', 'addedIds: reactionIds'),
  variables: ({ roomId, liveStreamId, reactions }) => ({
    input: {
      postId: reactions[0]!.referencePublicId,
      roomId: roomId ?? null,
      streamId: liveStreamId ?? null,
      reactions: reactions.map(({ reactionName, occurredAt }) => ({ reactionName, occurredAt: occurredAt ?? null })),
    },
  }),
  arrays: [],
});
