import { type Document, Int32 } from 'bson';
import { type Dice, diceOf } from './dice.ts';
import { type IndexSpec, indexSpec } from './indexes.ts';
import { pipeline } from './pipelines.ts';
import { refusedStep } from './refused.ts';
import { COLLECTIONS, type Script, type Step } from './script.ts';
import { retries, transactions } from './sessions.ts';
import { projection, sort } from './shapes.ts';
import { anyPath, fields, id, whole } from './values.ts';
import { type Bench, query, write } from './writes.ts';

/**
 * Generates the script of a seed: a few indexed collections, a dozen random commands, and a final read of everything.
 */
export function generateScript(seed: number): Script {
  const dice = diceOf(seed);
  // Creating and dropping collections costs a server more than all other steps.
  const isFresh = dice.chance(0.1);
  const bench: Bench = { dice, steps: [], indexes: new Map(COLLECTIONS.map((name) => [name, []])) };
  for (const name of COLLECTIONS) prepare(bench, name);
  for (let left = 4 + dice.below(5); left > 0; left--) addSteps(bench);
  for (const name of COLLECTIONS) inspect(bench, name);
  return { seed, isFresh, steps: bench.steps };
}

function prepare({ dice, steps, indexes }: Bench, name: string): void {
  const isMain = name === COLLECTIONS[0];
  const before = dice.chance(0.75);
  const createIndexes = (): void => {
    const drawn = dice.many(1, 2, () => indexSpec(dice));
    const specs = drawn.filter((spec, i) => drawn.findIndex((other) => other.name === spec.name) === i);
    steps.push({ command: { createIndexes: name, indexes: specs } });
    indexes.get(name)!.push(...specs);
  };
  if (isMain && before && dice.chance(0.33)) createIndexes();
  if (!isMain && dice.chance(0.1)) return;
  const documents = dice.many(isMain ? 3 : 1, isMain ? 9 : 4, () => ({ _id: id(dice), ...fields(dice) }));
  steps.push({ command: { insert: name, documents, ordered: false } });
  if (isMain && !before && dice.chance(0.3)) createIndexes();
}

function addSteps(bench: Bench): void {
  const { dice, steps } = bench;
  const name = dice.chance(0.88) ? COLLECTIONS[0] : COLLECTIONS[1];
  dice.weigh<void>([
    [22, () => void steps.push(find(bench, name))],
    [34, () => void steps.push(write(bench, name))],
    [22, () => void steps.push(aggregate(bench, name))],
    [3, () => void steps.push(count(bench, name))],
    [4, () => void steps.push(distinct(bench, name))],
    [2, () => changeIndexes(bench, name)],
    [4, () => cursor(bench, name)],
    [3.5, () => transactions(bench, name)],
    [2.5, () => retries(bench, name)],
    [1.5, () => void steps.push(refusedStep(dice, name))],
  ]);
}

/** The name or key of an index that may exist; occasionally of one that does not. */
const hint = ({ dice, indexes }: Bench, name: string): Document => {
  const known: readonly IndexSpec[] = indexes.get(name)!;
  if (known.length === 0 || !dice.chance(0.12)) return dice.chance(0.01) ? { hint: 'nope' } : {};
  const { key, name: indexName } = dice.pick(known);
  return { hint: dice.chance(0.5) ? indexName : key };
};

function find(bench: Bench, name: string): Step {
  const { dice } = bench;
  const base = { find: name, filter: query(bench, name), ...hint(bench, name) };
  const isTotal = dice.chance(0.7);
  const order = dice.chance(0.75) ? sort(dice, { isTotal }) : undefined;
  // MongoDB may project before it sorts, even where that changes the element at an array index.
  const isByPlace = Object.keys(order ?? {}).some((path) => /\.\d/.test(path));
  const shape = !isByPlace && dice.chance(0.45) ? { projection: projection(dice) } : {};
  if (!order) return { command: { ...base, ...shape }, order: 'any' };
  if (!isTotal) return { command: { ...base, sort: order }, order };
  const page = {
    ...(dice.chance(0.25) && { skip: whole(dice, 0, 3) }),
    ...(dice.chance(0.35) && { limit: whole(dice, 0, 4) }),
  };
  return { command: { ...base, ...shape, sort: order, ...page }, order: 'exact' };
}

const others = (dice: Dice): string[] => (dice.chance(0.95) ? [...COLLECTIONS] : ['nowhere']);

function aggregate(bench: Bench, name: string): Step {
  const { dice, indexes } = bench;
  // A join through an index yields another order than one through the collection.
  const plain = others(dice).filter((other) => (indexes.get(other)?.length ?? 0) === 0);
  const { pipeline: stages, isOrdered } = pipeline(dice, plain.length > 0 ? plain : ['nowhere'], {
    isIndexed: indexes.get(name)!.length > 0,
  });
  return { command: { aggregate: name, pipeline: stages, cursor: {} }, order: isOrdered ? 'exact' : 'any' };
}

const count = (bench: Bench, name: string): Step => ({
  command: {
    count: name,
    query: query(bench, name),
    ...(bench.dice.chance(0.2) && { limit: whole(bench.dice, -2, 3) }),
    ...(bench.dice.chance(0.2) && { skip: whole(bench.dice, 0, 3) }),
    ...hint(bench, name),
  },
});

/** Avoids indexes, which store a missing field as null: with an index MongoDB returns that as a value. */
function distinct(bench: Bench, name: string): Step {
  const { dice, indexes } = bench;
  return {
    command: {
      distinct: name,
      key: indexes.get(name)!.length > 0 ? '_id' : anyPath(dice),
      query: dice.chance(0.5) ? {} : query(bench, name, 1),
    },
    order: 'any',
  };
}

function changeIndexes({ dice, steps, indexes }: Bench, name: string): void {
  const known = indexes.get(name)!;
  if (known.length > 0 && dice.chance(0.4)) {
    const one = dice.pick(known);
    const index = dice.weigh<unknown>([
      [3, () => one.name],
      [2, () => one.key],
      [1, () => '*'],
      [0.3, () => 'nope'],
    ]);
    steps.push({ command: { dropIndexes: name, index } });
  } else {
    const again = known.length > 0 && dice.chance(0.3) ? { ...dice.pick(known) } : undefined;
    const spec = again ?? indexSpec(dice);
    if (again && dice.chance(0.5)) again.unique = true;
    if (again && dice.chance(0.3)) again.name = 'other';
    steps.push({ command: { createIndexes: name, indexes: [spec] } });
    known.push(spec);
  }
  steps.push({ command: { listIndexes: name, cursor: {} } });
}

/** A cursor read in small batches, sometimes closed before its end. */
function cursor(bench: Bench, name: string): void {
  const { dice, steps, indexes } = bench;
  const key = `k${steps.length}`;
  const batchSize = whole(dice, 0, 3);
  // While it tries several plans, MongoDB may notice the end of a cursor early: allow only one plan.
  const isIndexed = indexes.get(name)!.length > 0;
  const order = isIndexed ? { _id: new Int32(1) } : sort(dice, { isTotal: true });
  const isServed = isIndexed || Object.keys(order)[0] === '_id';
  const first: Step = dice.chance(0.6)
    ? {
        command: {
          find: name,
          filter: isServed || dice.chance(0.5) ? {} : query(bench, name),
          sort: order,
          batchSize,
          ...(dice.chance(0.3) && { limit: whole(dice, 1, 5) }),
          ...(dice.chance(0.05) && { singleBatch: true }),
        },
      }
    : {
        command: {
          aggregate: name,
          pipeline: [{ $sort: order }, ...(dice.chance(0.5) ? [{ $unwind: '$l' }] : [])],
          cursor: { batchSize },
        },
      };
  steps.push({ ...first, opens: key });
  for (let left = 1 + dice.below(3); left > 0; left--) {
    steps.push({
      command: { getMore: 0, collection: name, ...(dice.chance(0.8) && { batchSize: whole(dice, 1, 3) }) },
      cursor: key,
    });
  }
  if (dice.chance(0.5)) steps.push({ command: { killCursors: name, cursors: [] }, cursor: key });
}

/** Reads the whole collection, its indexes, and the counts of `validate`. */
function inspect({ dice, steps, indexes }: Bench, name: string): void {
  steps.push({ command: { find: name, filter: {}, sort: { _id: new Int32(1) } } });
  if (indexes.get(name)!.length === 0) return;
  steps.push({ command: { listIndexes: name, cursor: {} } });
  if (dice.chance(0.3)) steps.push({ command: { validate: name } });
}
