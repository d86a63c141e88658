import { type Document, Int32 } from 'bson';
import type { Dice } from './dice.ts';
import type { Step } from './script.ts';

const findWith = (filter: Document) => (name: string) => ({ find: name, filter });
const stageOf = (stage: Document) => (name: string) => ({ aggregate: name, pipeline: [stage], cursor: {} });
const computing = (expression: Document) => stageOf({ $project: { z: expression } });

/** Features of MongoDB that the store rejects, with the name that the error message must contain. */
const REFUSED: readonly (readonly [name: string, command: (collection: string) => Document])[] = [
  ['$where', findWith({ $where: 'true' })],
  ['$text', findWith({ $text: { $search: 'a' } })],
  ['$jsonSchema', findWith({ $jsonSchema: {} })],
  ['$geoWithin', findWith({ x: { $geoWithin: { $center: [[0, 0], 1] } } })],
  ['$near', findWith({ x: { $near: [0, 0] } })],
  ['$bitsAllSet', findWith({ n: { $bitsAllSet: new Int32(1) } })],
  ['collation', (name) => ({ find: name, collation: { locale: 'en' } })],
  ['a positional projection', (name) => ({ find: name, filter: { l: 1 }, projection: { 'l.$': 1 } })],
  ['$out', stageOf({ $out: 'z' })],
  ['$merge', stageOf({ $merge: { into: 'z' } })],
  ['$graphLookup', stageOf({ $graphLookup: {} })],
  ['$bucket', stageOf({ $bucket: {} })],
  ['$setWindowFields', stageOf({ $setWindowFields: {} })],
  ['$function', computing({ $function: { body: 'x', args: [], lang: 'js' } })],
  ['$dateToString', computing({ $dateToString: { date: '$d' } })],
  ['$split', computing({ $split: ['$s', 'a'] })],
  ['$zip', computing({ $zip: { inputs: ['$l'] } })],
  ['$accumulator', stageOf({ $group: { _id: 1, a: { $accumulator: {} } } })],
  ['mapReduce', (name) => ({ mapReduce: name })],
  ['2dsphere', (name) => ({ createIndexes: name, indexes: [{ key: { x: '2dsphere' }, name: 'g' }] })],
  ['text', (name) => ({ createIndexes: name, indexes: [{ key: { s: 'text' }, name: 't' }] })],
  ['hashed', (name) => ({ createIndexes: name, indexes: [{ key: { s: 'hashed' }, name: 'h' }] })],
  ['renameCollection', () => ({ renameCollection: 'a.b', to: 'a.c' })],
];

export function refusedStep(dice: Dice, collection: string): Step {
  const [refuses, command] = dice.pick(REFUSED);
  return { command: command(collection), refuses };
}
