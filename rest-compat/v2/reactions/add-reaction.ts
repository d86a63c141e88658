import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id, text } from '../../params.ts';
import { route } from '../../route.ts';

const REACTION = 'reactors: reaction { reactionId }';

const params = z.object({
  referenceType: enumParam('ReactionReferenceType'),
  referenceId: id(),
  reactionName: text({ max: 100 }),
});

/** The answer holds the id of the reaction and no arrays: `docs/interface.md#add-reaction`. */
function shared(idName: 'addedId' | 'removedId') {
  return {
    path: '/api/v2/reactions',
    reference: 'add-reaction',
    params,
    variables: (input: z.output<typeof params>) => ({ input }),
    arrays: ['reactors'],
    wrap: ({ reactors }: { [key: string]: unknown }) => ({
      [idName]: (reactors as [{ reactionId: string }])[0].reactionId,
    }),
    answerSchema: { type: 'object', properties: { [idName]: { type: 'string' } }, required: [idName] },
  };
}

export const addReaction = [
  route({
    ...shared('addedId'),
    method: 'POST',
    summary: 'React to a post, comment, story or message.',
    document: mutation('addReaction', REACTION),
  }),
  route({
    ...shared('removedId'),
    method: 'DELETE',
    summary: 'Remove a reaction.',
    document: mutation('removeReaction', REACTION),
  }),
];
