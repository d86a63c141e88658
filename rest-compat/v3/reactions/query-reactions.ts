import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions, text } from '../../params.ts';
import { route } from '../../route.ts';

type Reactor = { referenceType: string; referenceId: string };

export const queryReactions = route({
  method: 'GET',
  path: '/api/v3/reactions',
  reference: 'query-reactions',
  summary: 'List the reactions to a post, comment, story or message.',
  params: z.object({
    referenceType: enumParam('ReactionReferenceType'),
    referenceId: id(),
    reactionName: text({ max: 100 }).optional(),
    options: pagingOptions(),
  }),
  document: operation('QueryReactions'),
  variables: ({ referenceType, referenceId, reactionName, options }) => ({
    referenceType,
    referenceId,
    reactionName: reactionName ?? null,
    ...connectionVariables(options),
  }),
  arrays: ['reactors', 'users', 'files'],
  paging: ['previous'],
  // Reactors are grouped under the record they react to, as in webhooks: `docs/interface.md#query-reactions`.
  wrapReadsRecords: true,
  wrap: ({ reactors, ...rest }) => ({ reactions: groupReactors(reactors as Reactor[]), ...rest }),
  answerSchema: {
    type: 'object',
    properties: {
      reactions: { type: 'array', items: { type: 'object' } },
      users: { type: 'array', items: { type: 'object' } },
      files: { type: 'array', items: { type: 'object' } },
      paging: { type: 'object' },
    },
    required: ['reactions', 'users', 'files', 'paging'],
  },
});

/** All reactors of a page react to the same record. */
function groupReactors(reactors: Reactor[]): object[] {
  const [first] = reactors;
  if (!first) return [];
  const { referenceType, referenceId } = first;
  const withoutReference = ({ referenceType: _, referenceId: __, ...reactor }: Reactor) => reactor;
  return [{ referenceType, referenceId, reactors: reactors.map(withoutReference) }];
}
