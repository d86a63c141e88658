import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileLinear } from '../../src/embedded/query/filter/linear-regex.ts';
import { compileRegex } from '../../src/embedded/query/filter/regex.ts';
import { parseRegex, safeLength } from '../../src/embedded/query/filter/regex-syntax.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

interface Item {
  _id: number;
  text: string;
}

/** A backtracking engine takes minutes or more on these texts. */
const ITEMS: Item[] = [
  { _id: 1, text: `${'a'.repeat(40)}b` },
  { _id: 2, text: 'a'.repeat(40) },
  { _id: 3, text: `${'ab'.repeat(30_000)}!` },
  { _id: 4, text: 'x\ny' },
];

let engine: TestEngine;
let client: MongoClient;
let items: Collection<Item>;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
  items = client.db('regex').collection('items');
  await items.insertMany(ITEMS);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const matching = async (pattern: string, options = ''): Promise<number[]> =>
  (await items.find({ text: { $regex: pattern, $options: options } }, { sort: { _id: 1 } }).toArray()).map(
    ({ _id }) => _id,
  );

describe('a regular expression takes time in proportion to the text', () => {
  it.each<[pattern: string, found: number[]]>([
    ['^(a+)+$', [2]],
    ['^(a|a)*$', [2]],
    ['^(a|aa)+$', [2]],
    ['^(a*)*b$', [1]],
    ['(a?){40}a{40}', [1, 2]],
    ['(.*)*(.*)*(.*)*=', []],
    ['([a-z]+)*\\d', []],
    ['.*.*.*.*.*=', []],
    ['^(?=(a+)+$)', [2]],
    ['(?<!(b|a)+)(a+)+!', []],
  ])('%s', async (pattern, found) => {
    expect(await matching(pattern)).toEqual(found);
  });

  it('within $not, $in, $nin, $all and $elemMatch', async () => {
    const hostile = /^(a+)+$/;
    expect(await items.countDocuments({ text: { $not: hostile } })).toBe(3);
    expect(await items.countDocuments({ text: { $in: [hostile, 'x\ny'] } })).toBe(2);
    expect(await items.countDocuments({ text: { $nin: [hostile] } })).toBe(3);
    expect(await items.countDocuments({ text: { $all: [hostile] } })).toBe(1);
    expect(await items.countDocuments({ text: { $elemMatch: { $regex: hostile } } })).toBe(0);
  });

  it('in writes', async () => {
    expect(await items.updateMany({ text: /^(a+)+$/ }, { $set: { text: 'a'.repeat(40) } })).toMatchObject({
      matchedCount: 1,
    });
  });
});

describe('the work of matching is limited', () => {
  const letters = Array.from({ length: 3000 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('|');
  const emoji = (count: number) => Array.from({ length: count }, (_, i) => String.fromCodePoint(0x1f000 + i)).join('');

  it('when many different characters are matched with many letters', async () => {
    const texts = client.db('regex').collection<Item>('emoji');
    await texts.insertOne({ _id: 1, text: emoji(2000) });
    const query = { text: { $regex: `^(?:(?:${letters}|)+)+$|(a+)+q`, $options: 'i' } };
    await expect(texts.find(query).toArray()).rejects.toMatchObject({ code: 51156 });
  });

  it('and a character beyond the Basic Multilingual Plane is compared with the letters once', () => {
    const test = compileLinear(parseRegex(`(?:${letters})+q`), 'iu');
    expect(test(emoji(50).repeat(2000))).toBe(false);
    expect(test(`${emoji(50)}\u4e00q`)).toBe(true);
  });

  it.each([
    ['(?:a?){12}b', 'a'.repeat(939)],
    ['^(?:a?){20}a{20}$', 'a'.repeat(19)],
    ['(?:a|b?){9}(?:a|b?){9}c', 'ab'.repeat(2000)],
  ])('by passing %s to the linear engine', (pattern, text) => {
    expect(safeLength(parseRegex(pattern))).toBeLessThan(text.length);
  });
});

it.each([
  ['[\\s\\S]+b', [1, 3]],
  ['x[\\s\\S]y', [4]],
  ['x[\\S]y', []],
  ['^[\\Sx]+$', [1, 2, 3]],
  ['[^\\S]', [4]],
  ['^[\\W\\D]+$', [1, 2, 3, 4]],
  ['x[\\s-_]y', [4]],
])('%s finds %j', async (pattern, found) => {
  const texts = client.db('regex').collection<Item>('classes');
  await texts.bulkWrite(
    ITEMS.map((item) => ({ replaceOne: { filter: { _id: item._id }, replacement: item, upsert: true } })),
  );
  const rows = await texts.find({ text: { $regex: pattern } }, { sort: { _id: 1 } }).toArray();
  expect(rows.map(({ _id }) => _id)).toEqual(found);
  expect(compileRegex('^[\\s-_]$', '').test('A')).toBe(false);
});

it.each([
  ['(a)\\1', 2, 'back reference'],
  ['(?<x>a)\\k<x>', 2, 'back reference'],
  [`${'('.repeat(300)}a${')'.repeat(300)}`, 51091, 'too deeply nested'],
  ['((a{1000}){1000})*b', 51091, 'too large'],
])('%.30s is refused', async (pattern, code, message) => {
  await expect(matching(pattern)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

describe('the linear engine agrees with the backtracking one', () => {
  const pieces = [
    'a',
    'b',
    '[^a]',
    '\\n',
    'é',
    '\\u{1f600}',
    '\\w',
    '^',
    '$',
    '\\b',
    '(?=\\n?$)',
    '(?=\\n|$)',
    '[^\\n]',
  ];
  const texts = ['', 'a', 'ab', 'ba\n', 'a\nb', '\n', 'é a', '\u{1f600}b', 'aab\n\n', 'B1', 'bab ba'];
  let state = 11;
  const below = (n: number): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % n;
  };
  function random(depth: number): string {
    if (depth === 0) return pieces[below(pieces.length)]!;
    const [one, other] = [random(depth - 1), random(below(depth))];
    const forms = [
      one + other,
      `(?:${one}|${other})`,
      `(${one})*${other}`,
      `(?:${other}){1,2}${one}`,
      `(?=${one})${other}`,
    ];
    forms.push(`(?!${one})${other}`, `${other}(?<=${one})`, `${other}(?<!${one})`, `(?:${one})+?${other}`);
    return forms[below(forms.length)]!;
  }

  it.each(['u', 'iu'])('on random patterns with flags %s', (flags) => {
    const differences: string[] = [];
    for (let i = 0; i < 2000; i++) {
      const source = random(3);
      const [backtracking, linear] = [new RegExp(source, flags), compileLinear(parseRegex(source), flags)];
      for (const text of texts) {
        if (backtracking.test(text) !== linear(text)) differences.push(JSON.stringify([source, text]));
      }
    }
    expect(differences).toEqual([]);
  });
});
