import { type Document, Int32 } from 'bson';
import type { Dice } from './dice.ts';
import { computed } from './expressions.ts';
import { filter } from './filters.ts';
import { sort } from './shapes.ts';
import { anyPath, PATHS, whole } from './values.ts';

export interface RandomPipeline {
  pipeline: Document[];
  /** Whether the answer's order is defined. */
  isOrdered: boolean;
}

interface Draft {
  dice: Dice;
  stages: Document[];
  isOrdered: boolean;
  /** Whether `_id` still tells the documents apart. */
  hasIds: boolean;
  others: readonly string[];
  depth: number;
}

/** A pipeline over documents as `values.ts` makes them; `others` are collections to join with. */
export function pipeline(dice: Dice, others: readonly string[], depth = 1): RandomPipeline {
  const draft: Draft = { dice, stages: [], isOrdered: false, hasIds: true, others, depth };
  if (dice.chance(0.5)) draft.stages.push({ $match: filter(dice) });
  order(draft);
  for (let left = dice.below(4); left > 0; left--) addStage(draft);
  if (dice.chance(0.1)) draft.stages.push({ $count: 'count' });
  return { pipeline: draft.stages, isOrdered: draft.isOrdered };
}

function order(draft: Draft): void {
  draft.stages.push({ $sort: draft.hasIds ? sort(draft.dice, { isTotal: true }) : { _id: 1 } });
  draft.isOrdered = draft.hasIds;
}

const fieldPath = (dice: Dice): string =>
  dice.pick(
    Object.values(PATHS)
      .flat()
      .filter((path) => !/\d/.test(path)),
  );

function addStage(draft: Draft): void {
  const { dice, stages } = draft;
  dice.weigh<void>([
    [3, () => void stages.push({ $match: filter(dice, 1) })],
    [4, () => project(draft)],
    [3, () => void stages.push({ [dice.pick(['$addFields', '$set'])]: additions(dice) })],
    [1, () => void stages.push({ $unset: dice.chance(0.5) ? fieldPath(dice).replace(/^_id$/, 'n') : ['n', 'o.q', 'm.v'] })],
    [2, () => unwind(draft)],
    [3, () => group(draft)],
    [draft.hasIds && draft.isOrdered ? 2 : 0, () => void stages.push({ [dice.pick(['$skip', '$limit'])]: whole(dice, dice.chance(0.1) ? 0 : 1, 4) })],
    [draft.hasIds ? 1 : 0, () => order(draft)],
    [0.7, () => replaceRoot(draft)],
    [0.5, () => sortByCount(draft)],
    [draft.depth > 0 ? 1.5 : 0, () => lookup(draft)],
    [draft.depth > 0 ? 0.6 : 0, () => facet(draft)],
    [draft.depth > 0 ? 0.5 : 0, () => union(draft)],
    [0.05, () => void stages.push(dice.pick<Document>([{ $foo: 1 }, { $limit: 0 }, { $skip: -1 }, { $group: { n: 1 } }, { $match: 1 }, { $sort: {} }, { $unwind: 'l' }, { $count: '' }, { $project: {} }, { $limit: 'x' }, {}, { $match: {}, $sort: { a: 1 } }]))],
  ]); // biome-ignore format: one a line
}

const additions = (dice: Dice): Document =>
  Object.fromEntries(
    dice.many(1, 2, () => [dice.pick(['z', 'n', 's', 'o.p', 'm.k', 'o.z', 'l']), computed(dice, 'any', 3)] as const),
  );

function project({ dice, stages }: Draft): void {
  const isInclusion = dice.chance(0.75);
  const spec: Document = {};
  for (const path of dice.many(1, 3, () => anyPath(dice))) {
    if (path !== '_id')
      spec[path] = isInclusion ? (dice.chance(0.6) ? new Int32(1) : computed(dice, 'any', 2)) : new Int32(0);
  }
  if (dice.chance(0.1)) spec.o = { p: new Int32(isInclusion ? 1 : 0) };
  stages.push({ $project: Object.keys(spec).length > 0 ? spec : { n: 1 } });
}

function unwind(draft: Draft): void {
  const { dice, stages } = draft;
  const path = `$${dice.chance(0.8) ? dice.pick(['l', 'm', 'o.r', 'm.k', 'x']) : fieldPath(dice)}`;
  const options = {
    ...(dice.chance(0.5) && { preserveNullAndEmptyArrays: dice.chance(0.7) }),
    ...(dice.chance(0.4) && { includeArrayIndex: dice.pick(['i', 'o.i', 'n']) }),
  };
  stages.push({ $unwind: Object.keys(options).length === 0 && dice.chance(0.7) ? path : { path, ...options } });
  draft.hasIds = false;
}

const ACCUMULATORS = ['$sum', '$avg', '$min', '$max', '$first', '$last', '$push', '$addToSet', '$mergeObjects'];

function accumulator(dice: Dice): Document {
  const name = dice.pick(ACCUMULATORS);
  if (dice.chance(0.15)) return dice.pick<Document>([{ $sum: 1 }, { $count: {} }]);
  if (name === '$mergeObjects') return { [name]: dice.chance(0.85) ? '$o' : computed(dice, 'document', 2) };
  return { [name]: computed(dice, name === '$sum' || name === '$avg' ? 'number' : 'any', 2) };
}

/** A group; its order is not defined, nor that of a set, so a union with nothing puts sets in order. */
function group(draft: Draft): void {
  const { dice, stages } = draft;
  const names = dice.many(0, 3, (position) => `${'abc'[position]}`);
  const accumulators = names.map((name) => [name, accumulator(dice)] as const);
  const key = dice.weigh<unknown>([
    [2, () => null],
    [4, () => `$${fieldPath(dice)}`],
    [1, () => ({ a: `$${fieldPath(dice)}`, b: computed(dice, 'any', 1) })],
    [1, () => computed(dice, 'any', 2)],
  ]);
  stages.push({ $group: { _id: key, ...Object.fromEntries(accumulators) } });
  const sets = accumulators.filter(([, one]) => '$addToSet' in one).map(([name]) => name);
  if (sets.length > 0) {
    stages.push({ $addFields: Object.fromEntries(sets.map((name) => [name, { $setUnion: [`$${name}`] }])) });
  }
  draft.hasIds = true;
  draft.isOrdered = false;
  if (dice.chance(0.5)) order(draft);
}

function replaceRoot(draft: Draft): void {
  const { dice, stages } = draft;
  const root = dice.chance(0.6)
    ? { $mergeObjects: ['$$ROOT', dice.pick(['$o', '$x', { z: 1 }])] }
    : computed(dice, 'document', 2);
  stages.push(dice.chance(0.5) ? { $replaceRoot: { newRoot: root } } : { $replaceWith: root });
  draft.hasIds = false;
}

function sortByCount(draft: Draft): void {
  draft.stages.push({ $sortByCount: `$${fieldPath(draft.dice)}` }, { $sort: { count: -1, _id: 1 } });
  draft.hasIds = true;
  draft.isOrdered = true;
}

function lookup({ dice, stages, others }: Draft): void {
  const from = dice.pick(others);
  stages.push({
    $lookup: dice.weigh<Document>([
      [4, () => ({ from, localField: anyPath(dice), foreignField: anyPath(dice), as: 'j' })],
      [2, () => ({ from, let: { v: `$${fieldPath(dice)}` }, pipeline: [
        { $match: { $expr: { [dice.pick(['$eq', '$gte', '$in'])]: [`$${fieldPath(dice)}`, '$$v'] } } }, { $sort: { _id: 1 } }, ...(dice.chance(0.5) ? [{ $project: { n: 1, z: '$$v' } }] : []),
      ], as: dice.pick(['j', 'o.j', 'n']) })],
      [1, () => ({ from, localField: anyPath(dice), foreignField: anyPath(dice), pipeline: [{ $sort: { _id: -1 } }, { $limit: 2 }], as: 'j' })],
      [1, () => ({ from, pipeline: pipeline(dice, [], 0).pipeline, as: 'j' })],
    ]), // biome-ignore format: one a line
  });
  if (dice.chance(0.3)) stages.push({ $unwind: { path: '$j', preserveNullAndEmptyArrays: dice.chance(0.5) } });
  if (dice.chance(0.3)) stages.push({ $project: { j: dice.pick(['$j._id', '$j.n', { $size: '$j' }]) } });
}

function facet(draft: Draft): void {
  const { dice, stages } = draft;
  if (!draft.isOrdered) return;
  const branch = (): Document[] => {
    const inner: Draft = { ...draft, stages: [], depth: 0 };
    for (let left = 1 + dice.below(2); left > 0; left--) addStage(inner);
    return inner.isOrdered ? inner.stages : [...inner.stages, { $count: 'count' }];
  };
  stages.push({ $facet: { a: branch(), ...(dice.chance(0.6) && { b: branch() }) } });
  draft.hasIds = false;
}

function union(draft: Draft): void {
  const { dice, stages, others } = draft;
  const coll = dice.pick(others);
  const { pipeline: inner, isOrdered } = pipeline(dice, [], 0);
  const isPlain = dice.chance(0.3);
  stages.push({ $unionWith: isPlain ? coll : { coll, pipeline: inner } });
  draft.isOrdered &&= !isPlain && isOrdered;
  draft.hasIds = false;
}
