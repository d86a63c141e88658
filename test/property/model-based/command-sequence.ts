import fc from 'fast-check';
import { CHAT } from './commands/chat.ts';
import type { CommandArguments, Commands } from './commands/command.ts';
import { COMMENTS } from './commands/comments.ts';
import { MEMBERSHIP } from './commands/membership.ts';
import { POLLS } from './commands/polls.ts';
import { POSTS } from './commands/posts.ts';
import { compare } from './compare.ts';
import { type Model, PEOPLE } from './model.ts';
import type { Real } from './real.ts';

const COMMANDS: Commands = { ...MEMBERSHIP, ...POSTS, ...COMMENTS, ...POLLS, ...CHAT, compares: compare };

class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #args: CommandArguments;

  constructor(name: string, args: CommandArguments) {
    this.#name = name;
    this.#args = args;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): Promise<void> {
    return COMMANDS[this.#name]!(model, real, this.#args);
  }

  toString(): string {
    const { actor, target, nested, value } = this.#args;
    return `${actor} ${this.#name} ${target} ${nested} ${value}`;
  }
}

const args = fc.record({
  actor: fc.constantFrom(...PEOPLE),
  target: fc.nat(20),
  nested: fc.nat(20),
  value: fc.nat(20),
});

/** Random sequences of up to 80 commands. */
export const commandSequence = fc.commands(
  Object.keys(COMMANDS).map((name) => args.map((chosen) => new Command(name, chosen))),
  { maxCommands: 80, size: 'max' },
);
