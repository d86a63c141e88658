import { expect } from 'vitest';
import { type Model, moderates, type Outcome, type Person, type PostModel } from '../model.ts';
import type { Real } from '../real.ts';

/** What somebody does next. The same numbers mean the same thing again, so that a failing life can be told and shrunk. */
export interface Deed {
  who: Person;
  /** The person, post or message that it is done to, as far as there are so many. */
  which: number;
  /** The comment of that post. */
  inner: number;
  /** What is said, chosen or read. */
  what: number;
}

export type Act = (model: Model, real: Real, deed: Deed) => Promise<void>;
export interface Acts {
  readonly [name: string]: Act;
}

export const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(items.length, 1)];
export const places = <Item>(items: readonly Item[]): number[] => items.map((_, place) => place);

/** The post of a deed that still lives, and where it stands. */
export function livePost({ posts }: Model, { which }: Deed): { post: PostModel; place: number } | null {
  const place = pick(places(posts), which);
  const post = posts[place ?? -1];
  return post && !post.isDeleted ? { post, place: place! } : null;
}

/** Carries out a mutation and holds its outcome against what the model expects. */
export async function agree(
  real: Real,
  expected: Outcome,
  [as, operation, input, selection]: [as: Person, operation: string, input: object, selection?: string],
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely
): Promise<any> {
  const { outcome, payload } = await real.change(as, operation, input, selection);
  expect(outcome, `${operation} by ${as}`).toBe(expected);
  return payload;
}

/** Authors change what they made, and so do moderators. */
export const mayChange = (model: Model, who: Person, { author }: { author: Person }): boolean =>
  author === who || moderates(model, who);

/** What a change of something comes to that is absent for those who do not see it. */
export function changing(model: Model, who: Person, thing: { author: Person }, isSeen: boolean): Outcome {
  if (!isSeen) return 'NOT_FOUND';
  return mayChange(model, who, thing) ? 'done' : 'PERMISSION_DENIED';
}
