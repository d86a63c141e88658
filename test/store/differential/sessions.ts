import { type Document, Int32 } from 'bson';
import { pipeline } from './pipelines.ts';
import type { Step } from './script.ts';
import { sort } from './shapes.ts';
import { update } from './updates.ts';
import { anyPath, fields, id, whole } from './values.ts';
import { type Bench, findAndModify, insert, query, remove, updateCommand } from './writes.ts';

interface Open {
  session: number;
  number: number;
  hasStarted: boolean;
}

/** One or two concurrent transactions, with statements in between that belong to neither. */
export function transactions(bench: Bench, name: string): void {
  const { dice, steps, indexes } = bench;
  // Creates the collection first: another statement that creates it would wait for a lock of the transaction.
  steps.push({ command: { insert: name, documents: [{ _id: new Int32(20) }] } });
  const base = steps.length * 10;
  const open: Open[] = dice.many(1, 2, (session) => ({ session, number: base, hasStarted: false }));
  const isUnique = indexes.get(name)!.some(({ unique }) => unique);
  for (let left = 3 + dice.below(6); left > 0; left--) {
    if (dice.chance(0.25)) steps.push(outside(bench, name, isUnique));
    else steps.push(statement(dice.pick(open), within(bench, name)));
  }
  for (const one of dice.chance(0.5) ? open : open.toReversed()) {
    const end = dice.chance(0.7) ? 'commitTransaction' : 'abortTransaction';
    steps.push(ending(one, end));
    if (dice.chance(0.15)) steps.push(ending(one, dice.pick(['commitTransaction', 'abortTransaction'])));
    if (dice.chance(0.1)) steps.push(statement({ ...one, hasStarted: dice.chance(0.5) }, { command: { find: name } }));
    if (dice.chance(0.08))
      steps.push(statement({ ...one, number: one.number - 1, hasStarted: false }, { command: { find: name } }));
  }
}

function statement(open: Open, step: Step): Step {
  const role = open.hasStarted ? 'continues' : 'starts';
  open.hasStarted = true;
  return { ...step, session: open.session, number: open.number, role };
}

const ending = ({ session, number }: Open, name: string): Step => ({
  command: { [name]: 1 },
  session,
  number,
  role: 'ends',
});

/** A statement outside of transactions. To avoid lock waits it writes only documents that no transaction writes. */
function outside(bench: Bench, name: string, isUnique: boolean): Step {
  const { dice } = bench;
  if (isUnique || dice.chance(0.5)) return read(bench, name);
  const _id = whole(dice, 20, 23);
  return dice.weigh<Step>([
    [2, () => ({ command: { insert: name, documents: [{ _id, ...fields(dice) }] } })],
    [1, () => ({ command: { update: name, updates: [{ q: { _id }, ...update(dice) }] } })],
    [1, () => ({ command: { delete: name, deletes: [{ q: { _id }, limit: new Int32(1) }] } })],
  ]);
}

function read(bench: Bench, name: string): Step {
  const { dice, indexes } = bench;
  return dice.weigh<Step>([
    [4, () => ({ command: { find: name, filter: query(bench, name), sort: sort(dice, { isTotal: true }) } })],
    [2, () => ({ command: { find: name, filter: query(bench, name) }, order: 'any' })],
    [2, () => {
      const { pipeline: stages, isOrdered } = pipeline(dice, [], { depth: 0, isIndexed: indexes.get(name)!.length > 0 });
      return { command: { aggregate: name, pipeline: stages, cursor: {} }, order: isOrdered ? 'exact' : 'any' };
    }],
    [indexes.get(name)!.length > 0 ? 0 : 1, () => ({ command: { distinct: name, key: anyPath(dice), query: {} }, order: 'any' })],
  ]); // biome-ignore format: one a line
}

/**
 * A statement of a transaction. It writes by id, since the order of its own writes in an unsorted scan is undefined.
 */
function within(bench: Bench, name: string): Step {
  const { dice } = bench;
  const _id = id(dice);
  return dice.weigh<Step>([
    [5, () => read(bench, name)],
    [6, () => ({ command: { update: name, updates: [{ q: { _id }, ...update(dice), ...(dice.chance(0.2) && { upsert: true }) }] } })],
    [2, () => ({ command: { findAndModify: name, query: { _id }, update: { $inc: { n: 1 } }, new: dice.chance(0.5) } })],
    [3, () => ({ command: { insert: name, documents: [{ _id: dice.chance(0.5) ? _id : whole(dice, 10, 15), ...fields(dice) }] } })],
    [2, () => ({ command: { delete: name, deletes: [{ q: { _id }, limit: new Int32(1) }] } })],
    [1, () => ({ command: { update: name, updates: [{ q: query(bench, name), u: { $set: { y: _id } }, multi: true }] } })],
    [0.1, () => ({ command: { count: name } })],
    [0.1, () => ({ command: dice.pick<Document>([{ listIndexes: name, cursor: {} }, { validate: name }, { ping: 1 }, { dropIndexes: name, index: '*' }]) })],
  ]); // biome-ignore format: one a line
}

/** Retryable writes, repeated as a driver does after a lost reply. */
export function retries(bench: Bench, name: string): void {
  const { dice, steps } = bench;
  const session = 5;
  let number = steps.length * 10;
  for (let left = 1 + dice.below(2); left > 0; left--, number++) {
    const step: Step = {
      ...dice.weigh<Step>([
        [3, () => updateCommand(bench, name)],
        [2, () => findAndModify(bench, name)],
        [2, () => insert(dice, name)],
        [1, () => remove(bench, name)],
      ]),
      session,
      number,
    };
    steps.push(step);
    if (dice.chance(0.8)) steps.push(step);
    if (dice.chance(0.15)) steps.push({ ...step, number: number - 1 });
    if (dice.chance(0.1) && 'insert' in step.command) steps.push({ ...insert(dice, name), session, number });
  }
}
