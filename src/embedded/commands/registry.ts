import { aggregate } from './aggregate.ts';
import { bulkWrite } from './bulk-write.ts';
import { collStats, create, dbStats, drop, dropDatabase, listCollections, listDatabases } from './collections.ts';
import type { Command } from './command.ts';
import { count, distinct } from './count.ts';
import { getMore, killCursors } from './cursor-commands.ts';
import { remove } from './delete.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { collMod, createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { insert } from './insert.ts';
import { buildInfo, connectionStatus, getParameter, hello, ping, serverStatus } from './server-commands.ts';
import { abortTransaction, commitTransaction, endSessions, killSessions, refreshSessions } from './session-commands.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';

/** All supported commands. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    abortTransaction,
    aggregate,
    buildInfo,
    buildinfo: buildInfo,
    bulkWrite,
    collMod,
    collStats,
    commitTransaction,
    connectionStatus,
    count,
    create,
    createIndexes,
    dbStats,
    delete: remove,
    distinct,
    drop,
    dropDatabase,
    dropIndexes,
    endSessions,
    explain,
    find,
    findAndModify,
    findandmodify: findAndModify,
    getMore,
    getParameter,
    hello,
    insert,
    isMaster: hello,
    ismaster: hello,
    killCursors,
    killSessions,
    listCollections,
    listDatabases,
    listIndexes,
    ping,
    refreshSessions,
    serverStatus,
    update,
    validate,
  }),
);
