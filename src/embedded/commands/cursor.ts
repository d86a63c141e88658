import { Long } from 'bson';
import { arrayOption, type Command, countOption, longOption, readerProgressOf, textOption } from '../command.ts';

export const getMore: Command = {
  options: ['collection', 'batchSize'],
  isAllowedInTransaction: true,
  run(request) {
    const { engine, body, db, connectionId, transaction } = request;
    const id = longOption(body.getMore, 'getMore');
    const ns = `${db}.${textOption(body, 'collection')}`;
    const batchSize = countOption(body, 'batchSize') || undefined;
    const { assertWanted } = readerProgressOf(request);
    if (!engine.streams.has(id)) return engine.cursors.more({ id, ns, batchSize, transaction, assertWanted });
    return engine.streams.more({ id, ns, batchSize, waitMs: countOption(body, 'maxTimeMS'), connectionId });
  },
};

export const killCursors: Command = {
  options: ['cursors'],
  isAllowedInTransaction: true,
  run({ engine, body }) {
    const ids = arrayOption(body, 'cursors').map((id) => longOption(id, 'cursors'));
    const killed = ids.filter((id) => engine.cursors.kill(id) || engine.streams.kill(id));
    const others = ids.filter((id) => !killed.includes(id));
    return {
      cursorsKilled: killed.map((id) => Long.fromBigInt(id)),
      cursorsNotFound: others.map((id) => Long.fromBigInt(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
    };
  },
};
