import { z } from 'zod';
import { bool, id, list, text } from './params.ts';

/** What bodies of posts, comments and stories share. */
const users = z
  .object({ type: z.literal('user').nullish(), userIds: list(id(50), { max: 30 }) })
  .transform(({ userIds }) => ({ userIds }));

export const mentionParams = list(users, { max: 30 }).nullish();
export const metadataParam = z.record(z.string(), z.unknown()).nullish();
export const tagsParam = list(text({ max: 100 }), { max: 20 }).nullish();

/** `permanent` of a deletion. */
export const permanentParam = bool().nullish();

/** Only what was given, so that an update leaves the rest alone. */
export function givenParams<Params extends object>(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Params;
}
