import { expect, test } from 'vitest';
import { type Import, imports } from './import-graph.ts';

/**
 * Pairs of folders of `src/domain` that import each other, with the reason. The list only shrinks: a pair that no longer
 * exists fails the test too, and new code goes where it adds none.
 */
const ALLOWED = {
  'channel <-> marker': 'Joining a channel creates markers; moving a marker updates the position in the membership.',
  'channel <-> message': 'Messages update their channel; a list of channels can be limited to those with flags.',
  'channel <-> message-feed': 'A channel is created with its default feed; access to a feed follows from its channel.',
  'channel <-> room': 'A room is created with its chat; access to the chat follows from the room.',
  'channel <-> user': 'Members are users; a renamed or deleted user is updated in their memberships.',
  'channel <-> video-stream': 'A stream is created with its chat; access to the chat follows from the stream.',
  'community <-> user': 'Members are users; a renamed or deleted user is updated in their memberships.',
  'file <-> user': 'An uploaded file has a user; an avatar is a file.',
  'marker <-> message': 'A message updates markers; a new marker starts at the messages that precede it.',
  'message <-> message-feed': 'Messages update their feed; deleting a feed erases its messages.',
  'post <-> room': 'A post claims the room that it contains; access to the room follows from the post.',
  'post <-> video-stream': 'A post claims the stream that it contains; access to the stream follows from the post.',
  'role <-> user': 'Roles give users their permissions; changing a role checks those of the user again.',
  'session <-> user': 'Signing in can create a user; bans and changes of roles apply to the sessions of the user.',
};

/** Pairs of folders of `src/domain` with imports in both directions, type imports included. */
function pairsAmong(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  const folderOf = (path: string) => /^src\/domain\/([^/]+)\//.exec(path)?.[1];
  const arrows = new Set(edges.map(({ from, to }) => `${folderOf(from)} ${folderOf(to)}`));
  const folders = [...new Set(edges.flatMap(({ from, to }) => [folderOf(from), folderOf(to)]))]
    .filter((folder) => folder !== undefined)
    .sort();
  return folders.flatMap((one, index) =>
    folders
      .slice(index + 1)
      .filter((other) => arrows.has(`${one} ${other}`) && arrows.has(`${other} ${one}`))
      .map((other) => `${one} <-> ${other}`),
  );
}

test('finds folders that import each other', () => {
  const edge = (from: string, to: string) => ({ from: `src/domain/${from}.ts`, to: `src/domain/${to}.ts` });
  expect(
    pairsAmong([
      edge('a/x', 'b/y/z'),
      edge('b/w', 'a/v'),
      edge('b/w', 'c/u'),
      edge('b/w', 'root'),
      edge('root', 'b/w'),
    ]),
  ).toEqual(['a <-> b']);
});

test('folders of the domain import each other only in the listed pairs', () => {
  expect(pairsAmong(imports)).toEqual(Object.keys(ALLOWED));
});
