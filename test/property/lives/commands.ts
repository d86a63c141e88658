import fc from 'fast-check';
import { compare } from './compare.ts';
import { CHAT } from './deeds/chat.ts';
import { COMMENTS } from './deeds/comments.ts';
import type { Acts, Deed } from './deeds/deed.ts';
import { MEMBERSHIP } from './deeds/membership.ts';
import { POLLS } from './deeds/polls.ts';
import { POSTS } from './deeds/posts.ts';
import { type Model, PEOPLE } from './model.ts';
import type { Real } from './real.ts';

const ACTS: Acts = { ...MEMBERSHIP, ...POSTS, ...COMMENTS, ...POLLS, ...CHAT, looks: compare };

class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #deed: Deed;

  constructor(name: string, deed: Deed) {
    this.#name = name;
    this.#deed = deed;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): Promise<void> {
    return ACTS[this.#name]!(model, real, this.#deed);
  }

  toString(): string {
    const { who, which, inner, what } = this.#deed;
    return `${who} ${this.#name} ${which} ${inner} ${what}`;
  }
}

const deed = fc.record({
  who: fc.constantFrom(...PEOPLE),
  which: fc.nat(20),
  inner: fc.nat(20),
  what: fc.nat(20),
});

/** A life: some dozens of deeds. */
export const life = fc.commands(
  Object.keys(ACTS).map((name) => deed.map((chosen) => new Command(name, chosen))),
  { maxCommands: 80, size: 'max' },
);
