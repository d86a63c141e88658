import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  AddRestReactionDocument,
  QueryReactionsDocument,
  type ReactionReferenceType,
  RemoveRestReactionDocument,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const reference = { referenceType: enumParam<ReactionReferenceType>('ReactionReferenceType'), referenceId: id() };
const params = z.object({ ...reference, reactionName: text({ max: 100 }) });

/** The answer names the reaction, and holds nothing else (legacy-facts §7). */
function answeredBy(name: 'addedId' | 'removedId') {
  return {
    params,
    variables: (input: z.output<typeof params>) => ({ input }),
    arrays: ['reactors'],
    wrap: ({ reactors }: { [key: string]: unknown }) => ({
      [name]: (reactors as [{ reactionId: string }])[0].reactionId,
    }),
    answerSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  };
}

type Reactor = { referenceType: string; referenceId: string };

export const reactions: Route[] = [
  route({
    ...answeredBy('addedId'),
    method: 'POST',
    path: '/api/v2/reactions',
    section: 'legacy-facts §7',
    summary: 'React to a post, comment, story or message.',
    document: AddRestReactionDocument,
  }),
  route({
    ...answeredBy('removedId'),
    method: 'DELETE',
    path: '/api/v2/reactions',
    section: 'legacy-facts §7',
    summary: 'Take a reaction back.',
    document: RemoveRestReactionDocument,
  }),
  route({
    method: 'GET',
    path: '/api/v3/reactions',
    section: 'legacy-facts §7',
    summary: 'Query who reacted.',
    params: z.object({
      ...reference,
      reactionName: text({ max: 100 }).optional(),
      options: pagingOptions(),
    }),
    document: QueryReactionsDocument,
    variables: ({ referenceType, referenceId, reactionName, options }) => ({
      referenceType,
      referenceId,
      reactionName: reactionName ?? null,
      ...connectionVariables(options),
    }),
    arrays: ['reactors', 'users', 'files'],
    paging: ['previous'],
    // One entry of what is reacted to holds its reactors, as in webhooks (interface §6.2).
    wrap: ({ reactors, ...rest }) => ({ reactions: together(reactors as Reactor[]), ...rest }),
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
  }),
];

function together(all: Reactor[]): object[] {
  const [first] = all;
  if (!first) return [];
  const { referenceType, referenceId } = first;
  return [
    { referenceType, referenceId, reactors: all.map(({ referenceType: _, referenceId: __, ...reactor }) => reactor) },
  ];
}
