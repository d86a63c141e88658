import { Long } from 'bson';
import { arrayOption, type Command, countOption, longOption, textOption } from '../command.ts';

export const getMore: Command = {
  options: ['collection', 'batchSize'],
  isAllowedInTransaction: true,
  run({ engine, body, db, transaction }) {
    return engine.cursors.more({
      id: longOption(body.getMore, 'getMore'),
      ns: `${db}.${textOption(body, 'collection')}`,
      batchSize: countOption(body, 'batchSize') || undefined,
      transaction,
    });
  },
};

export const killCursors: Command = {
  options: ['cursors'],
  isAllowedInTransaction: true,
  run({ engine, body }) {
    const ids = arrayOption(body, 'cursors').map((id) => longOption(id, 'cursors'));
    const killed = ids.filter((id) => engine.cursors.kill(id));
    const others = ids.filter((id) => !killed.includes(id));
    return {
      cursorsKilled: killed.map((id) => Long.fromBigInt(id)),
      cursorsNotFound: others.map((id) => Long.fromBigInt(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
    };
  },
};
