import { z } from 'zod';
import { bool, id, list, text } from './params.ts';

/** Parameters that the bodies of posts, comments and stories share. */
const users = z
  .object({ type: z.literal('user').nullish(), userIds: list(id(50), { max: 30 }) })
  .transform(({ userIds }) => ({ userIds }));

export const mentionParams = list(users, { max: 30 }).nullish();
export const metadataParam = z.record(z.string(), z.unknown()).nullish();
export const tagsParam = list(text({ max: 100 }), { max: 20 }).nullish();

/**  deletes the record irreversibly. */
export const permanentParam = bool().nullish();

/** Removes parameters that are absent from a request, so that an update leaves their fields unchanged. */
export function omitUndefined<Params extends object>(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Params;
}
