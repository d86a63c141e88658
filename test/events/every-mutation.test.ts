import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { CONTENT_ROWS } from './rows/content.ts';
import { PEOPLE_AND_CHAT_ROWS } from './rows/people-and-chat.ts';

/** Mutations that nobody is told of, and why. */
const SILENT: { [mutation: string]: string } = {
  recordViews: 'Who looked at what is for the author to ask; as an event each look would be one.',
  markStorySeen: 'As recordViews.',
  mintAuthToken: 'A token is given to its bearer alone, and nothing is stored.',
  revokeSession: "Sessions are their own user's; no record that others see changes.",
  blockUser: 'Whom a user blocks is for nobody else to know.',
  unblockUser: 'As blockUser.',
};

test('every mutation has a row that says what it appends, or a reason why it appends nothing', () => {
  const told = new Set([...CONTENT_ROWS, ...PEOPLE_AND_CHAT_ROWS].map(({ operation }) => operation));
  const known = [...told, ...Object.keys(SILENT)].sort();
  expect(known).toEqual(Object.keys(schema.getMutationType()!.getFields()).sort());
});
