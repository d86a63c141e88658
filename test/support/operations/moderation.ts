import { AUDIT } from './audit.ts';

/** What the console requests of each item. */
const ITEM = `kind itemId states flagCount content { __typename ... on Post { postData: data { text } } ... on Comment { data } ... on Message { data } }
  flags(first: 3) { edges { node { reason detail user { displayName } } } } author { displayName } authorHistory { removals flags bans }
  community { displayName } channel { displayName }`;

/**
 * Budgets of the moderation queue. The queue reads each kind of record in one command, then the records on which access and
 * the fields depend; nothing grows with the number of items.
 */
export const MODERATION_OPERATIONS: Array<{ query: string; budget: number; as?: string }> = [
  { query: '{ moderationQueue(first: 20) { edges { node { kind itemId } } } }', budget: 14, as: 'admin' },
  { query: `{ moderationQueue(first: 20) { edges { node { ${ITEM} } } } }`, budget: 22, as: 'admin' },
  { query: `{ moderationQueue(first: 20) { edges { node { ${ITEM} } } } }`, budget: 22, as: 'alice' },
  { query: '{ moderationQueue(first: 20) { edges { node { itemId } } } }', budget: 6, as: 'heidi' },
  {
    query: '{ moderationQueue(first: 20, filter: { state: AWAITING_REVIEW }) { edges { node { itemId } } } }',
    budget: 4,
    as: 'admin',
  },
  {
    query:
      '{ moderationQueue(first: 20, filter: { kinds: [POST], communityId: "gardeners" }) { edges { node { itemId } } } }',
    budget: 5,
    as: 'admin',
  },
  {
    query: '{ moderationQueue(first: 20, filter: { authorId: "mallory" }) { edges { node { itemId } } } }',
    budget: 12,
    as: 'admin',
  },
  { query: '{ moderationItem(kind: POST, itemId: "miracle-fertiliser") { flagCount } }', budget: 4, as: 'admin' },
  {
    query:
      'mutation { resolveModerationItem(input: { kind: COMMENT, itemId: "tomatoes-ivan", action: CLEAR_FLAGS, reason: "Harmless" }) { __typename } }',
    budget: 20 + AUDIT,
    as: 'admin',
  },
  {
    query:
      'mutation { resolveModerationItems(input: { items: [{ kind: POST, itemId: "miracle-fertiliser" }], action: DELETE, reason: "Spam" }) { ... on ResolveModerationItemsPayload { results { code } } } }',
    budget: 20 + AUDIT,
    as: 'admin',
  },
  {
    query: '{ mutes { edges { node { reason user { displayName } channel { displayName } } } } }',
    budget: 5,
    as: 'admin',
  },
  { query: '{ mutes(filter: { channelId: "shed" }) { edges { node { reason } } } }', budget: 4, as: 'admin' },
  { query: '{ mutes(filter: { userId: "kim" }) { edges { node { reason } } } }', budget: 2, as: 'admin' },
];
