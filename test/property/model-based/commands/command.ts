import { expect } from 'vitest';
import { type Model, moderates, type Outcome, type Person, type PostModel } from '../model.ts';
import type { Real } from '../real.ts';

/** The arguments of a command. They are deterministic, so that fast-check can print and shrink a failing sequence. */
export interface CommandArguments {
  actor: Person;
  /** Index of the person, post or message to change, modulo their number. */
  target: number;
  /** Index of the comment of that post. */
  nested: number;
  /** Selects the text, the answers or the position. */
  value: number;
}

export type RunCommand = (model: Model, real: Real, args: CommandArguments) => Promise<void>;
export interface Commands {
  readonly [name: string]: RunCommand;
}

export const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(items.length, 1)];
export const places = <Item>(items: readonly Item[]): number[] => items.map((_, place) => place);

/** The post that the arguments select and its index; null if it is deleted. */
export function existingPost(
  { posts }: Model,
  { target }: CommandArguments,
): { post: PostModel; place: number } | null {
  const place = pick(places(posts), target);
  const post = posts[place ?? -1];
  return post && !post.isDeleted ? { post, place: place! } : null;
}

/** Executes a mutation and compares its outcome with the expected one. */
export async function mutateAndExpect(
  real: Real,
  expected: Outcome,
  [as, operation, input, selection]: [as: Person, operation: string, input: object, selection?: string],
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely
): Promise<any> {
  const { outcome, payload } = await real.change(as, operation, input, selection);
  expect(outcome, `${operation} by ${as}`).toBe(expected);
  return payload;
}

/** Authors and moderators may change a record. */
export const mayChange = (model: Model, actor: Person, { author }: { author: Person }): boolean =>
  author === actor || moderates(model, actor);

/** The outcome of changeOutcome a record that does not exist for users who do not see it. */
export function changeOutcome(model: Model, actor: Person, record: { author: Person }, isSeen: boolean): Outcome {
  if (!isSeen) return 'NOT_FOUND';
  return mayChange(model, actor, record) ? 'done' : 'PERMISSION_DENIED';
}
