import { forMutation } from '../../operation-params.ts';
import { route } from '../../route.ts';

const REACTION = 'reactors: reaction { reactionId }';

/** The answer holds the id of the reaction and no arrays: `docs/interface.md#add-reaction`. */
function shared(idName: 'addedId' | 'removedId') {
  return {
    path: '/api/v2/reactions',
    reference: 'add-reaction',
    arrays: ['reactors'],
    wrapReadsRecords: true,
    wrap: ({ reactors }: { [key: string]: unknown }) => ({
      [idName]: (reactors as [{ reactionId: string }])[0].reactionId,
    }),
    answerSchema: { type: 'object', properties: { [idName]: { type: 'string' } }, required: [idName] },
  };
}

export const addReaction = [
  route({
    ...shared('addedId'),
    ...forMutation('addReaction', REACTION),
    method: 'POST',
    summary: 'Add a reaction to a post, comment, story or message.',
  }),
  route({
    ...shared('removedId'),
    ...forMutation('removeReaction', REACTION),
    method: 'DELETE',
    summary: 'Remove a reaction of the viewer.',
  }),
];
