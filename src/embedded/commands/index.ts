/** The database commands, and their dispatch. */

export { type Cursors, createCursors } from './cursors.ts';
export { createMessageHandler } from './dispatch.ts';
