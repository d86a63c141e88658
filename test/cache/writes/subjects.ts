import type { Client } from '../client.ts';
import type { Person, Standing, World } from '../world.ts';

export const othersOf = (client: Client): Person[] =>
  [...client.world.people.values()].filter((person) => person !== client.person && !person.isDeleted.latest);

/** Members whose standing may change. */
export const subjects = ({ world }: Client): Person[] =>
  [...world.people.values()].filter((person) => changesStanding(world, person));

export const changesStanding = (world: World, person: Person): boolean =>
  person !== world.owner && !FIXED.some((name) => world.people.get(name) === person);

/** People with a part of their own in a run, who neither join, leave, nor are banned from the community. */
const FIXED = ['rita', 'eve', 'nora', 'zoe'];

export function pickStanding(client: Client, standing: Standing): Person | undefined {
  const found = subjects(client).filter((person) => person.standing.latest === standing && !person.standing.isBusy);
  return found.length > 0 ? client.random.pick(found) : undefined;
}

/** Whether the database holds this standing: for writes that a broken connection left undecided. */
export function resolveStanding({ world }: Client, person: Person, standing: Standing): () => Promise<boolean> {
  return async () => (await world.standingOf(person)) === standing;
}
