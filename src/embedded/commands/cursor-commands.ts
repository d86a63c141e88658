import type { Document } from 'bson';
import { badValue, newSlice, pause } from '../lib/index.ts';
import {
  arrayOption,
  type Command,
  countOption,
  longOption,
  readerProgressOf,
  refuseUnknown,
  textOption,
} from './command.ts';
import type { NewCursor } from './cursors.ts';

export const getMore: Command = {
  readConcernLevels: ['local', 'majority', 'linearizable', 'available', 'snapshot'],
  options: ['collection', 'batchSize'],
  isAllowedInTransaction: true,
  run(request) {
    const { engine, body, db, connectionId, transaction } = request;
    const id = longOption(body.getMore, 'getMore');
    const ns = `${db}.${textOption(body, 'collection')}`;
    const batchSize = countOption(body, 'batchSize') || undefined;
    const { assertWanted } = readerProgressOf(request);
    if (!engine.streams.has(id)) {
      if (body.maxTimeMS !== undefined && engine.cursors.has(id)) {
        throw badValue('cannot set maxTimeMS on getMore command for a non-awaitData cursor');
      }
      request.readsDurable = engine.cursors.readsDurable(id);
      return engine.cursors.more({ id, ns, batchSize, transaction, api: request.api, assertWanted });
    }
    const waitMs = countOption(body, 'maxTimeMS');
    return engine.streams.more({ id, ns, batchSize, waitMs, connectionId }).then((reply) => {
      request.operationTime = engine.changes.time;
      return reply;
    });
  },
};

/** The cursor options of a command that lists collections or indexes. */
export function listing(body: Document, rows: Uint8Array[]): Pick<NewCursor, 'rows' | 'batchSize' | 'most'> {
  const cursor: Document = body.cursor ?? {};
  refuseUnknown("'cursor'", cursor, ['batchSize']);
  return { rows, batchSize: countOption(cursor, 'batchSize'), most: rows.length };
}

export const killCursors: Command = {
  options: ['cursors'],
  isAllowedInTransaction: true,
  async run({ engine, body }) {
    const given = arrayOption(body, 'cursors');
    const ids = given.map((id) => longOption(id, 'cursors'));
    const killed = new Set<bigint>();
    const cursorsKilled: unknown[] = [];
    const cursorsNotFound: unknown[] = [];
    let isOver = newSlice();
    for (const [i, id] of ids.entries()) {
      if (engine.cursors.kill(id) || engine.streams.kill(id)) {
        killed.add(id);
        cursorsKilled.push(given[i]);
      } else if (!killed.has(id)) cursorsNotFound.push(given[i]);
      if (!isOver()) continue;
      await pause();
      isOver = newSlice();
    }
    await pause();
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },
};
