import { type Document, Int32 } from 'bson';
import type { Dice } from './dice.ts';
import { computed, harmless, type Yield } from './expressions.ts';
import { filter } from './filters.ts';
import { sort } from './shapes.ts';
import { anyPath, PATHS, whole } from './values.ts';

export interface RandomPipeline {
  pipeline: Document[];
  /** Whether the order of the reply is defined. */
  isOrdered: boolean;
  /** Whether the pipeline contains an expression that may fail. */
  mayFail: boolean;
}

interface Draft {
  dice: Dice;
  stages: Document[];
  isOrdered: boolean;
  /** Whether `_id` is still unique. */
  hasIds: boolean;
  others: readonly string[];
  depth: number;
  /** Whether a stage may fail: MongoDB may move a filter before it, so no filter may follow. */
  mayFail: boolean;
  /** Fields that were set or removed: setting a removed one again puts it elsewhere in each of MongoDB's engines. */
  touched: Set<string>;
  /** Fields of which a projection has included or excluded a part. */
  narrowed: Set<string>;
  /**
   * Whether the pipeline may group and join. MongoDB runs such stages, with all before them, in its other engine, which
   * has different error codes; so expressions of such a pipeline must not be able to fail.
   */
  isSafe: boolean;
}

/** A pipeline over documents of `values.ts`; `others` are collections to join. */
export function pipeline(
  dice: Dice,
  others: readonly string[],
  { depth = 1, isIndexed = false }: { depth?: number; isIndexed?: boolean } = {},
): RandomPipeline {
  const draft: Draft = {
    dice,
    stages: [],
    isOrdered: false,
    hasIds: true,
    others,
    depth,
    mayFail: false,
    touched: new Set(),
    narrowed: new Set(),
    isSafe: dice.chance(0.5),
  };
  const isHarmless = draft.isSafe || isIndexed;
  if (dice.chance(0.5)) draft.stages.push({ $match: filter(dice, 2, { isHarmless }) });
  draft.mayFail = !isHarmless && JSON.stringify(draft.stages).includes('"$expr"');
  order(draft);
  for (let left = dice.below(4); left > 0; left--) addStage(draft);
  if (dice.chance(0.1)) draft.stages.push({ $count: 'count' });
  return { pipeline: draft.stages, isOrdered: draft.isOrdered, mayFail: draft.mayFail };
}

function order(draft: Draft): void {
  const spec = draft.hasIds ? sort(draft.dice, { isTotal: true, isNamed: true }) : { _id: 1 };
  draft.stages.push({ $sort: spec });
  // A sort with arrays in two fields is an error.
  draft.mayFail ||= Object.keys(spec).length > 2;
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
    [draft.mayFail ? 0 : 3, () => void stages.push({ $match: filter(dice, 1, { isHarmless: true }) })],
    [4, () => project(draft)],
    [3, () => void stages.push({ [dice.pick(['$addFields', '$set'])]: additions(draft) })],
    [1, () => void stages.push({ $unset: removed(draft) })],
    [2, () => unwind(draft)],
    [draft.isSafe && draft.isOrdered ? 5 : 0, () => group(draft)],
    // A scan in index order stops at the limit, before a document that would fail.
    [draft.hasIds && draft.isOrdered && !draft.mayFail ? 2 : 0, () => void stages.push({ [dice.pick(['$skip', '$limit'])]: whole(dice, dice.chance(0.1) ? 0 : 1, 4) })],
    // MongoDB may remove a sort that another one follows, and so not report arrays in two of its fields.
    [draft.hasIds && !draft.mayFail ? 1 : 0, () => order(draft)],
    [0.7, () => replaceRoot(draft)],
    [draft.isSafe ? 1 : 0, () => sortByCount(draft)],
    [draft.isSafe && draft.depth > 0 ? 3 : 0, () => lookup(draft)],
    [draft.depth > 0 ? 0.6 : 0, () => facet(draft)],
    [draft.depth > 0 ? 0.5 : 0, () => union(draft)],
    [draft.others.length > 0 ? 0.05 : 0, () => void stages.push(dice.pick<Document>([{ $foo: 1 }, { $limit: 0 }, { $skip: -1 }, { $group: { n: 1 } }, { $match: 1 }, { $sort: {} }, { $unwind: 'l' }, { $count: '' }, { $project: {} }, { $limit: 'x' }, {}, { $match: {}, $sort: { a: 1 } }]))],
  ]); // biome-ignore format: one a line
}

/** An expression; after one that may fail, others may fail too. */
function compute(draft: Draft, wanted: Yield, depth: number): unknown {
  if (draft.isSafe || (!draft.mayFail && draft.dice.chance(0.5))) return harmless(draft.dice, depth);
  draft.mayFail = true;
  return computed(draft.dice, wanted, depth);
}

function additions(draft: Draft): Document {
  const { dice, touched } = draft;
  const free = ['z', 'n', 's', 'o.p', 'm.k', 'o.z', 'l', 'y', 'w'].filter((name) => !touched.has(name.split('.')[0]!));
  const chosen = dice.pick(free.length > 0 ? free : [`f${touched.size}`]);
  const added: Document = { [chosen]: compute(draft, 'any', 3) };
  // Which of two errors is reported is undefined.
  if (!touched.has('v') && dice.chance(0.4)) added.v = harmless(dice);
  for (const name of [chosen.split('.')[0]!, 'v']) touched.add(name);
  return added;
}

function removed({ dice, touched }: Draft): unknown {
  const path = fieldPath(dice).replace(/^_id$/, 'n');
  for (const name of [path.split('.')[0]!, 'n', 'o', 'm']) touched.add(name);
  return dice.chance(0.5) ? path : ['n', 'o.q', 'm.v'];
}

function project(draft: Draft): void {
  const { dice, stages } = draft;
  const isInclusion = dice.chance(0.75);
  const spec: Document = {};
  for (const path of dice.many(1, 3, () => anyPath(dice))) {
    if (path === '_id') continue;
    // A projection that includes a computed field may compute it itself, which changes the field's position.
    if (isInclusion && draft.touched.has(path)) continue;
    if (!isInclusion) spec[path] = new Int32(0);
    // Which of two errors is reported is undefined.
    else if (dice.chance(0.6) || (path.includes('.') && draft.touched.has(path.split('.')[0]!)))
      spec[path] = new Int32(1);
    else spec[path] = Object.keys(spec).length === 0 ? compute(draft, 'any', 3) : harmless(dice);
    draft.touched.add(path.split('.')[0]!);
    if (path.includes('.')) draft.narrowed.add(path.split('.')[0]!);
  }
  if (dice.chance(0.1)) {
    spec.o = { p: new Int32(isInclusion ? 1 : 0) };
    draft.touched.add('o');
  }
  // Whether an array keeps elements in which a path is missing depends on MongoDB's optimizer.
  if (Object.values(spec).some((value) => !(value instanceof Int32)))
    for (const path of Object.keys(spec)) if (path.includes('.') && spec[path] instanceof Int32) delete spec[path];
  stages.push({ $project: Object.keys(spec).length > 0 ? spec : { n: 1 } });
}

function unwind(draft: Draft): void {
  const { dice, stages } = draft;
  const path = `$${dice.chance(0.8) ? dice.pick(['l', 'm', 'o.r', 'm.k', 'x']) : fieldPath(dice)}`;
  // MongoDB may unwind before it projects, even if that leaves another array to unwind.
  if (draft.narrowed.has(path.slice(1).split('.')[0]!)) return;
  const options = {
    ...(dice.chance(0.5) && { preserveNullAndEmptyArrays: dice.chance(0.7) }),
    ...(dice.chance(0.4) && { includeArrayIndex: draft.touched.has('n') ? 'i' : dice.pick(['i', 'n']) }),
  };
  for (const name of ['n', path.slice(1).split('.')[0]!]) draft.touched.add(name);
  stages.push({ $unwind: Object.keys(options).length === 0 && dice.chance(0.7) ? path : { path, ...options } });
  draft.hasIds = false;
}

const ACCUMULATORS = ['$sum', '$avg', '$min', '$max', '$first', '$last', '$push', '$addToSet', '$mergeObjects'];

function accumulator(draft: Draft): Document {
  const { dice } = draft;
  const name = dice.pick(ACCUMULATORS);
  if (dice.chance(0.15)) return dice.pick<Document>([{ $sum: 1 }, { $count: {} }]);
  if (name === '$mergeObjects') return { [name]: { $cond: [{ $eq: [{ $type: '$o' }, 'object'] }, '$o', null] } };
  // Which of two equal numbers of different types is kept is undefined, so `$min` and `$max` get no numbers.
  if (name === '$min' || name === '$max') return { [name]: dice.pick(['$_id', '$s', '$d']) };
  return { [name]: compute(draft, name === '$sum' || name === '$avg' ? 'number' : 'any', 2) };
}

/** A group; its order is undefined, and so is that of a set, so a union with an empty list sorts sets. */
function group(draft: Draft): void {
  const { dice, stages } = draft;
  const names = dice.many(0, 3, (position) => `${'abc'[position]}`);
  const accumulators = names.map((name) => [name, accumulator(draft)] as const);
  // Two arrays may be equal in a sort, so the result has a total order only with documents.
  const [key, isTotal] = dice.weigh<[unknown, boolean]>([
    [2, () => [null, true]],
    [3, () => [`$${fieldPath(dice)}`, false]],
    [3, () => [{ a: `$${fieldPath(dice)}`, ...(dice.chance(0.3) && { b: harmless(dice) }) }, true]],
  ]);
  stages.push({ $group: { _id: key, ...Object.fromEntries(accumulators) } });
  const sets = accumulators.filter(([, one]) => '$addToSet' in one).map(([name]) => name);
  if (sets.length > 0) {
    stages.push({ $addFields: Object.fromEntries(sets.map((name) => [name, { $setUnion: [`$${name}`] }])) });
  }
  draft.hasIds = isTotal;
  draft.isOrdered = false;
  if (isTotal) {
    stages.push({ $sort: { _id: 1 } });
    draft.isOrdered = true;
  }
}

function replaceRoot(draft: Draft): void {
  const { dice, stages } = draft;
  const root = dice.chance(0.6)
    ? { $mergeObjects: ['$$ROOT', dice.pick(['$o', '$x', { z: 1 }])] }
    : compute(draft, 'document', 2);
  // MongoDB 7.0 fails on an `$ifNull` whose first constant is null if it is the whole root.
  const whole = JSON.stringify(root).startsWith('{"$ifNull"') ? { $mergeObjects: [root] } : root;
  stages.push(dice.chance(0.5) ? { $replaceRoot: { newRoot: whole } } : { $replaceWith: whole });
  draft.hasIds = false;
}

function sortByCount(draft: Draft): void {
  draft.stages.push({ $sortByCount: `$${fieldPath(draft.dice)}` });
  draft.hasIds = false;
  draft.isOrdered = false;
}

function innerOf(draft: Draft): Document[] {
  const { pipeline: inner, isOrdered, mayFail } = pipeline(draft.dice, [], { depth: 0, isIndexed: true });
  draft.mayFail ||= mayFail;
  return isOrdered ? inner : [...inner, { $count: 'count' }];
}

function lookup(draft: Draft): void {
  const { dice, stages, others } = draft;
  // In MongoDB a computed field without a value keeps its position, so none is joined here.
  const free = ['j', 'o.j', 'n'].filter((path) => !draft.touched.has(path.split('.')[0]!));
  if (!free.includes('j')) return;
  draft.touched.add('j');
  const from = dice.pick(others);
  stages.push({
    $lookup: dice.weigh<Document>([
      [4, () => ({ from, localField: anyPath(dice), foreignField: anyPath(dice), as: 'j' })],
      [2, () => ({ from, let: { v: `$${fieldPath(dice)}` }, pipeline: [
        { $match: { $expr: { [dice.pick(['$eq', '$gte', '$lte'])]: [`$${fieldPath(dice)}`, '$$v'] } } }, { $sort: { _id: 1 } }, ...(dice.chance(0.5) ? [{ $project: { n: 1, z: '$$v' } }] : []),
      ], as: dice.pick(free) })],
      [1, () => ({ from, localField: anyPath(dice), foreignField: anyPath(dice), pipeline: [{ $sort: { _id: -1 } }, { $limit: 2 }], as: 'j' })],
      [1, () => ({ from, pipeline: innerOf(draft), as: 'j' })],
    ]), // biome-ignore format: one a line
  });
  if (dice.chance(0.3)) stages.push({ $unwind: { path: '$j', preserveNullAndEmptyArrays: dice.chance(0.5) } });
  if (!dice.chance(0.3)) return;
  const chosen = dice.pick(['$j._id', '$j.n', { $size: '$j' }]);
  draft.mayFail ||= typeof chosen !== 'string';
  stages.push({ $project: { j: chosen } });
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
  const { pipeline: inner, isOrdered, mayFail } = pipeline(dice, [], { depth: 0, isIndexed: true });
  const isPlain = dice.chance(0.3);
  stages.push({ $unionWith: isPlain ? coll : { coll, pipeline: inner } });
  draft.isOrdered &&= !isPlain && isOrdered;
  draft.mayFail ||= mayFail;
  draft.hasIds = false;
}
