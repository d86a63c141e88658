import type { Client } from '../client.ts';
import type { Reply } from '../gateways.ts';
import { Register } from '../history.ts';
import type { Content, Life, Person, World } from '../world.ts';

/** Upper bounds, so that one page holds all records. */
export const MAX_POSTS = 24;
export const MAX_COMMENTS = 16;
export const MAX_MESSAGES = 90;

export const pickLive = <Item extends Content>(client: Client, items: readonly Item[]): Item | undefined => {
  const live = items.filter(({ id, life }) => id !== null && life.latest === 'live');
  return live.length > 0 ? client.random.pick(live) : undefined;
};

export function newContent(world: World, kind: string, author: Person): Content {
  const key = world.nextKey(kind);
  return {
    key,
    id: null,
    author,
    life: new Register<Life>(`${key}.life`, 'none'),
    text: new Register(`${key}.text`, `${key} v0`),
  };
}

export const idIn = (
  reply: Reply,
  rest: (body: Reply['body']) => string,
  graphql: (answer: Reply['body']) => string,
): string => (reply.body.data ? graphql(reply.body.data.answer) : rest(reply.body));
