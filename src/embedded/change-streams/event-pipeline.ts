import type { Document } from 'bson';
import { allowedFor, CommandError, describe, type FilterNode, isDocument, notSupported } from '../lib/index.ts';
import {
  compileFilter,
  compileStages,
  DEFAULT_CONTEXT,
  decode,
  encode,
  isStageName,
  joinTools,
  matchFilter,
  stageEntry,
} from '../query/index.ts';
import type { Selected } from './event.ts';

/** The compiled pipeline of a stream. */
export interface EventPipeline {
  /** The fields of its events, if it returns all events and only selects fields that need no lookup; else null. */
  selected: Selected | null;
  /** Whether an event may match, before documents are looked up. */
  wants(event: Buffer): boolean;
  /** Transforms an event; undefined if it is filtered out. @throws CommandError 280 if its token was changed */
  transform(event: Buffer, token: string): Buffer | undefined;
}

const PERMITTED = new Set(['$match', '$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith']);
/** Stages that MongoDB supports but does not permit here, in addition to other stages of this store. */
const FORBIDDEN = new Set([
  '$out',
  '$merge',
  '$graphLookup',
  '$bucket',
  '$bucketAuto',
  '$geoNear',
  '$setWindowFields',
  '$densify',
  '$fill',
]);

/**
 * Compiles the stages that follow `$changeStream`.
 *
 * @throws CommandError 20 for a stage that MongoDB does not permit here, 40324 for an unsupported one
 */
export function compileEventPipeline(stages: readonly Document[]): EventPipeline {
  const entries = stages.map(stageEntry);
  for (const [name] of entries) checkPermitted(name);
  const firstOther = entries.findIndex(([name]) => name !== '$match');
  const matches = firstOther < 0 ? entries : entries.slice(0, firstOther);
  const filters = matches.map(([, argument]) => compileFilter(matchFilter(argument), DEFAULT_CONTEXT));
  const early = filters.filter(({ node }) => !readsDocument(node));
  const late = filters.filter(({ node }) => readsDocument(node));
  const rest = stages.slice(matches.length);
  let decoded: Document = {};
  const allowed = (): number => allowedFor(decoded);
  const change =
    rest.length > 0
      ? compileStages(rest, joinTools({ lookup: () => [], allowedElements: allowed }, DEFAULT_CONTEXT))
      : undefined;
  return {
    selected: selectedBy(stages),
    wants: (event) => early.every((filter) => filter.matchesBytes(event)),
    transform(event, token) {
      if (!late.every((filter) => filter.matchesBytes(event))) return undefined;
      if (!change) return event;
      decoded = decode(event);
      const [changed] = change([decoded]);
      if (!changed) return undefined;
      assertToken(changed, token);
      return encode(changed, { allowed });
    },
  };
}

const KEY_FIELDS = ['operationType', 'ns', 'documentKey'];
const DOCUMENT_FIELD = /^fullDocument\.([^.$]+)$/;

/** What one projection selects; null if there are other stages, or fields that {@link Selected} does not have. */
function selectedBy([stage, ...others]: readonly Document[]): Selected | null {
  const fields: unknown = stage?.$project;
  if (others.length > 0 || !isDocument(fields) || !KEY_FIELDS.every((name) => name in fields)) return null;
  const selected = { documentFields: [] as string[], hasUpdate: 'updateDescription' in fields };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== 1) return null;
    const documentField = DOCUMENT_FIELD.exec(name)?.[1];
    if (documentField !== undefined) selected.documentFields.push(documentField);
    else if (!KEY_FIELDS.includes(name) && name !== 'updateDescription') return null;
  }
  return selected;
}

function checkPermitted(name: string): void {
  if (PERMITTED.has(name)) return;
  if (name === '$changeStream') throw stageNotFirst();
  if (isStageName(name) || FORBIDDEN.has(name)) {
    throw new CommandError(20, `${name} is not permitted in a $changeStream pipeline`);
  }
  throw notSupported(`${name} in a $changeStream pipeline`, 40324);
}

export const stageNotFirst = (): CommandError =>
  new CommandError(40602, '$changeStream is only valid as the first stage in a pipeline');

/** Whether a filter needs the looked-up documents; any expression may. */
function readsDocument(node: FilterNode): boolean {
  if (node.kind === 'expr') return true;
  if (node.kind === 'not') return readsDocument(node.child);
  if ('children' in node) return node.children.some(readsDocument);
  return node.path.split('.')[0]!.startsWith('fullDocument');
}

function assertToken(event: Document, token: string): void {
  const { _id: id } = event;
  if (isDocument(id) && id._data === token && Object.keys(id).length === 1) return;
  throw new CommandError(
    280,
    `The pipeline has changed the _id of an event, which holds its resume token: expected {_data: "${token}"}, found ${describe(id)}`,
    { labels: ['NonResumableChangeStreamError'] },
  );
}
