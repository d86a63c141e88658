import { type Document, Int32 } from 'bson';
import { isDocument } from '../../../src/embedded/lib/values.ts';
import type { Dice } from './dice.ts';
import { filter, upsertFilter } from './filters.ts';
import type { IndexSpec } from './indexes.ts';
import type { Step } from './script.ts';
import { projection, sort } from './shapes.ts';
import { update } from './updates.ts';
import { fields, id } from './values.ts';

/** The state of a script under construction: its steps so far and the indexes that may exist. */
export interface Bench {
  dice: Dice;
  steps: Step[];
  indexes: Map<string, IndexSpec[]>;
}

/** A filter on a collection. */
export const query = ({ dice, indexes }: Bench, name: string, depth = 2): Document =>
  filter(dice, depth, { isHarmless: indexes.get(name)!.length > 0 });

/** A write command of any kind. */
export function write(bench: Bench, name: string): Step {
  const { dice } = bench;
  return dice.weigh<Step>([
    [10, () => updateCommand(bench, name)],
    [3, () => findAndModify(bench, name)],
    [3, () => insert(dice, name)],
    [2.5, () => remove(bench, name)],
  ]);
}

/** Without indexes the first match is the first document of the collection; with them, the id selects one. */
function oneOf(bench: Bench, name: string): Document {
  const { dice, indexes } = bench;
  const chosen = query(bench, name);
  const isPlain = indexes.get(name)!.length === 0 && !JSON.stringify(chosen).includes('_id');
  if (isPlain && dice.chance(0.6)) return chosen;
  const byId = { _id: id(dice) };
  return dice.chance(0.6) ? byId : { ...filter(dice, 2, { isHarmless: true }), ...byId };
}

const position = (command: string, dice: Dice): Document => (dice.chance(0.05) ? { [command]: true } : {});

/**
 * If several documents may match, the first one must be defined: an upsert of a single document then filters by id.
 * A pipeline would see the fields that an upsert takes from its filter, whose order is undefined.
 */
function upserting(bench: Bench, name: string, { isMulti, u }: { isMulti: boolean; u: unknown }): Document {
  const { dice, indexes } = bench;
  if (Array.isArray(u)) return { _id: id(dice) };
  const chosen = upsertFilter(dice);
  if (!isMulti && isDocument(chosen._id)) return { _id: id(dice) };
  const isPlain = isMulti || '_id' in chosen || indexes.get(name)!.length === 0;
  return isPlain && (isMulti || !JSON.stringify(chosen).includes('_id') || '_id' in chosen)
    ? chosen
    : { _id: id(dice) };
}

function updateStatement(bench: Bench, name: string): Document {
  const { dice } = bench;
  const isMulti = dice.chance(0.3);
  const { u, arrayFilters } = update(dice, { mayReplace: !isMulti });
  const isUpsert = dice.chance(0.18);
  return {
    q: isUpsert ? upserting(bench, name, { isMulti, u }) : isMulti ? query(bench, name) : oneOf(bench, name),
    u,
    ...(isMulti && { multi: true }),
    ...(isUpsert && { upsert: true }),
    ...(arrayFilters && { arrayFilters }),
  };
}

export function updateCommand(bench: Bench, name: string): Step {
  const { dice, indexes } = bench;
  const updates = dice.many(1, dice.chance(0.2) ? 3 : 1, () => updateStatement(bench, name));
  const isUnsure = indexes.get(name)!.length > 0 && updates.some(({ multi }) => multi);
  const hasIds = updates.some(({ q, multi }) => multi && JSON.stringify(q).includes('_id'));
  return {
    command: { update: name, updates, ...(dice.chance(0.3) && { ordered: false }) },
    ...((isUnsure || hasIds) && { endsIfFailed: true }),
  };
}

export function findAndModify(bench: Bench, name: string): Step {
  const { dice } = bench;
  const sorted = dice.chance(0.5);
  const isUpsert = dice.chance(0.2);
  const { u, arrayFilters } = update(dice);
  const target = isUpsert
    ? { query: upserting(bench, name, { isMulti: false, u }) }
    : sorted
      ? { query: query(bench, name), sort: sort(dice, { isTotal: true }) }
      : { query: oneOf(bench, name) };
  const shape = dice.chance(0.3) ? { fields: projection(dice) } : {};
  if (!isUpsert && dice.chance(0.2)) return { command: { findAndModify: name, ...target, remove: true, ...shape } };
  return {
    command: {
      findAndModify: name,
      ...target,
      update: u,
      ...(arrayFilters && { arrayFilters }),
      ...(dice.chance(0.5) && { new: true }),
      ...(isUpsert && { upsert: true }),
      ...shape,
      ...position('remove', dice),
    },
  };
}

export const insert = (dice: Dice, name: string): Step => ({
  command: {
    insert: name,
    documents: dice.many(1, 3, () => ({ ...(dice.chance(0.95) && { _id: id(dice) }), ...fields(dice) })),
    ...(dice.chance(0.4) && { ordered: false }),
  },
});

export const remove = (bench: Bench, name: string): Step => ({
  command: {
    delete: name,
    deletes: bench.dice.many(1, 2, () =>
      bench.dice.chance(0.6)
        ? { q: oneOf(bench, name), limit: new Int32(1) }
        : { q: query(bench, name), limit: new Int32(0) },
    ),
    ...(bench.dice.chance(0.3) && { ordered: false }),
  },
});
