import { BSON, type Document, Timestamp } from 'bson';
import { describe, expect, it } from 'vitest';
import { CommandError } from '../../src/embedded/lib/errors.ts';
import { indexKeys, isSparseMissing, valuesAt } from '../../src/embedded/lib/paths.ts';
import { DECODE } from '../../src/embedded/lib/types.ts';
import { DEFAULT_CONTEXT } from '../../src/embedded/query/compile-context.ts';
import { compileExpression } from '../../src/embedded/query/expression/expression.ts';
import { compileFilter } from '../../src/embedded/query/filter/filter.ts';
import { compilePipeline } from '../../src/embedded/query/pipeline/pipeline.ts';
import { compileProjection } from '../../src/embedded/query/projection/projection.ts';
import { compileUpdate } from '../../src/embedded/query/update/update.ts';

const environment = { lookup: () => [] };

function refusal(run: () => unknown): CommandError {
  try {
    run();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const options = { context: DEFAULT_CONTEXT };

const WAY_OUT = '(not supported by the embedded store; set MONGODB_URI to use a MongoDB server)';

describe('rejects what the embedded store does not support by name:', () => {
  const refused: [name: string, code: number, run: () => unknown][] = [
    ['$where', 2, () => compileFilter({ $where: 'true' }, DEFAULT_CONTEXT)],
    ['$text', 2, () => compileFilter({ $text: { $search: 'x' } }, DEFAULT_CONTEXT)],
    ['$jsonSchema', 2, () => compileFilter({ $jsonSchema: {} }, DEFAULT_CONTEXT)],
    ['$near', 2, () => compileFilter({ a: { $near: [0, 0] } }, DEFAULT_CONTEXT)],
    ['$bitsAllSet', 2, () => compileFilter({ a: { $bitsAllSet: 1 } }, DEFAULT_CONTEXT)],
    ['possessive quantifiers', 2, () => compileFilter({ a: { $regex: 'a++' } }, DEFAULT_CONTEXT)],
    ['(?>', 2, () => compileFilter({ a: { $regex: '(?>a)' } }, DEFAULT_CONTEXT)],
    ['\\K', 2, () => compileFilter({ a: { $regex: 'a\\Kb' } }, DEFAULT_CONTEXT)],
    ['$function', 168, () => compileExpression({ $function: { body: 'x', args: [], lang: 'js' } }, DEFAULT_CONTEXT)],
    ['$dateToString', 168, () => compileExpression({ $dateToString: { date: '$a' } }, DEFAULT_CONTEXT)],
    ['positional projection', 2, () => compileProjection({ 'a.$': 1 }, options)],
    ['$meta', 2, () => compileProjection({ a: { $meta: 'textScore' } }, options)],
    ['$out', 40324, () => compilePipeline([{ $out: 'x' }], environment, DEFAULT_CONTEXT)],
    ['$merge', 40324, () => compilePipeline([{ $merge: 'x' }], environment, DEFAULT_CONTEXT)],
    ['$graphLookup', 40324, () => compilePipeline([{ $graphLookup: {} }], environment, DEFAULT_CONTEXT)],
    [
      '$accumulator',
      15952,
      () => compilePipeline([{ $group: { _id: 1, a: { $accumulator: {} } } }], environment, DEFAULT_CONTEXT),
    ],
    ['$match in a pipeline update', 72, () => compileUpdate([{ $match: {} }], options)],
  ];

  it.each(refused)('%s', (name, code, run) => {
    const error = refusal(run);
    expect(error.code).toBe(code);
    expect(error.message).toContain(name);
    expect(error.message.endsWith(WAY_OUT)).toBe(true);
  });
});

describe('field names with a meaning in JavaScript', () => {
  const stored = BSON.deserialize(
    BSON.serialize(JSON.parse('{"_id": 1, "__proto__": {"x": 1}, "constructor": 2}')),
    DECODE,
  );
  const context = { filter: compileFilter({}, DEFAULT_CONTEXT), isUpsertInsert: false };

  it('are ordinary fields, and missing where they are not stored', () => {
    expect(compileFilter({ '__proto__.x': 1 }, DEFAULT_CONTEXT).matches(stored)).toBe(true);
    expect(compileFilter({ constructor: { $exists: true } }, DEFAULT_CONTEXT).matches({ _id: 1 })).toBe(false);
    expect(compileFilter({ toString: { $exists: true } }, DEFAULT_CONTEXT).matches({ _id: 1 })).toBe(false);
    expect(compileExpression('$constructor', DEFAULT_CONTEXT)({ _id: 1 })).toBeUndefined();
  });

  it('survive projections and updates without changing a prototype', () => {
    const projected = compileProjection(JSON.parse('{"__proto__": 1}'), options).apply(stored);
    expect(Object.keys(projected)).toEqual(['_id', '__proto__']);
    const updated = compileUpdate({ $set: JSON.parse('{"__proto__.y": 2, "constructor.prototype.z": 3}') }, options);
    const after = updated.apply({ _id: 1 }, context);
    expect(Object.keys(after)).toEqual(['_id', '__proto__', 'constructor']);
    expect(({} as Document).y).toBeUndefined();
    expect(({} as Document).z).toBeUndefined();
  });
});

describe('$currentDate', () => {
  const apply = (argument: unknown) =>
    compileUpdate({ $currentDate: { a: argument } }, options).apply(
      { _id: 1 },
      { filter: compileFilter({}, DEFAULT_CONTEXT), isUpsertInsert: false },
    );

  it('sets the current date or timestamp', () => {
    expect(Math.abs(apply(true).a.getTime() - Date.now())).toBeLessThan(60_000);
    expect(apply({ $type: 'date' }).a).toBeInstanceOf(Date);
    expect(apply({ $type: 'timestamp' }).a).toBeInstanceOf(Timestamp);
  });
});

describe('the keys of a document in an index', () => {
  it.each<[Document, string[], unknown[][]]>([
    [{ a: 1 }, ['a'], [[1]]],
    [{}, ['a'], [[null]]],
    [{ a: [] }, ['a'], [[undefined]]],
    [{ a: [1, 2, 1] }, ['a'], [[1], [2], [1]]],
    [{ a: [[1, 2]] }, ['a'], [[[1, 2]]]],
    [{ a: [{ b: 1 }, { c: 2 }, 3] }, ['a.b'], [[1], [null], [null]]],
    [{ a: [] }, ['a.b'], [[null]]],
    [
      { a: [{ b: 1, c: 2 }, { b: 3 }], d: 4 },
      ['a.b', 'd', 'a.c'],
      [
        [1, 4, 2],
        [3, 4, null],
      ],
    ],
    [{ a: [{ b: [1, 2] }] }, ['a.b'], [[1], [2]]],
    [{ a: [5, 6] }, ['a.1'], [[6], [6]]],
  ])('%j on %j', (document, paths, keys) => {
    expect(indexKeys(document, paths)).toEqual(keys);
  });

  it('are rejected for two arrays in one document', () => {
    expect(refusal(() => indexKeys({ a: [1], b: [2] }, ['a', 'b'])).code).toBe(171);
  });

  it('omit documents that a sparse index omits', () => {
    expect(isSparseMissing({ b: 1 }, ['a'])).toBe(true);
    expect(isSparseMissing({ a: null }, ['a'])).toBe(false);
    expect(isSparseMissing({ b: 1 }, ['a', 'b'])).toBe(false);
    expect(indexKeys({ a: [{ b: 1 }, {}] }, ['a.b'], { isSparse: true })).toEqual([[1]]);
  });
});

it('distinct returns the elements of arrays', () => {
  expect(valuesAt({ a: [{ b: 1 }, { b: [2, 3] }, 4] }, 'a.b')).toEqual([1, 2, 3]);
  expect(valuesAt({}, 'a')).toEqual([]);
});

it('a pipeline passes its first match, sort, skip and limit to the planner', () => {
  const pipeline = [
    { $match: { a: 1 } },
    { $match: { b: 2 } },
    { $sort: { c: 1 } },
    { $skip: 1 },
    { $limit: 2 },
    { $count: 'n' },
  ];
  const { rest, ...pushed } = compilePipeline(pipeline, environment, DEFAULT_CONTEXT);
  expect(pushed).toEqual({ filter: { $and: [{ a: 1 }, { b: 2 }] }, sort: { c: 1 }, skip: 1, limit: 2, taken: 5 });
  expect([...rest([{}, {}])]).toEqual([{ n: expect.objectContaining({ value: 2 }) }]);
});
