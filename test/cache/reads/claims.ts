import type { Client } from '../client.ts';
import type { Reply } from '../gateways.ts';
import { outcomes } from '../history.ts';
import { keyOf } from '../observe.ts';
import {
  blockOf,
  type Content,
  moderates,
  type Person,
  type Post,
  type Rights,
  rightsOf,
  seesInside,
  type World,
} from '../world.ts';
import type { Found } from './query.ts';

/** Requires that a list holds what the viewer sees, and nothing else. */
export function claimListed<Item extends Content>(
  { world, person: viewer }: Pick<Client, 'world' | 'person'>,
  reply: Reply,
  {
    what,
    items,
    found,
    isListed,
  }: {
    what: string;
    items: readonly Item[];
    found: ReadonlySet<string | null>;
    /** Whether the list holds an item; also called for authors whom the viewer blocked. */
    isListed: (item: Item) => Set<unknown>;
  },
): void {
  // A record that is created later has not been written yet when the request ends, so the list cannot hold it.
  for (const item of items) {
    world.history.claim(() => {
      const isFound = (item.id !== null && found.has(item.id)) || found.has(item.key);
      if (isListed(item).has(isFound)) return null;
      const interval = `${reply.start.toFixed(1)}–${reply.end.toFixed(1)}`;
      const state = [...rightsOf(world, viewer), item.life].map(
        (register) =>
          `\n    ${register.name}: ${register.versions
            .map(
              (version) => `${version.value} ${version.outcome} ${version.start.toFixed(1)}–${version.end.toFixed(1)}`,
            )
            .slice(-5)
            .join(', ')}`,
      );
      return `${reply.client} ${reply.label} at ${interval}, status ${reply.status}: ${what} ${isFound ? 'shows' : 'lacks'} ${item.key}${state.join('')}`;
    });
  }
}

/** Whether a viewer sees a post outside of lists. */
export const postVisibility = (world: World, viewer: Person, post: Post, reply: Reply): Set<unknown> =>
  outcomes(reply, [...rightsOf(world, viewer), post.life] as const, (isPublic, standing, network, life) => {
    const rights = [isPublic, standing, network] as const;
    return life !== 'none' && seesInside(rights) && (life === 'live' || moderates(rights));
  });

/** To whom a list shows deleted content. */
export type ShowsDeleted = (rights: Rights) => boolean;
export const toNobody: ShowsDeleted = () => false;
export const toEverybody: ShowsDeleted = () => true;

/** Whether lists show content to a viewer: they omit that of users whom the viewer blocked, except for moderators. */
export const listVisibility = (
  world: World,
  viewer: Person,
  content: Content,
  reply: Reply,
  showsDeleted: ShowsDeleted,
): Set<unknown> =>
  outcomes(
    reply,
    [...rightsOf(world, viewer), content.life, blockOf(viewer, content.author)] as const,
    (isPublic, standing, network, life, isBlocked) => {
      const rights = [isPublic, standing, network] as const;
      if (!seesInside(rights) || (isBlocked && !moderates(rights))) return false;
      return life === 'live' || (life === 'deleted' && showsDeleted(rights));
    },
  );

export function claimVisible({ world, person }: Client, reply: Reply, post: Post, isFound: boolean): void {
  world.history.claim(() =>
    postVisibility(world, person, post, reply).has(isFound)
      ? null
      : `${reply.client} ${reply.label} at ${reply.start.toFixed(1)}–${reply.end.toFixed(1)}: ${post.key} is ${isFound ? 'visible' : 'absent'}; ${[
          ...rightsOf(world, person),
          post.life,
        ]
          .map(
            (register) =>
              `${register.name}: ${register.versions
                .map(({ value, outcome, start, end }) => `${value} ${outcome} ${start.toFixed(1)}–${end.toFixed(1)}`)
                .slice(-5)
                .join(', ')}`,
          )
          .join('; ')}`,
  );
}

/** A post or a comment that is forbidden is reported exactly as one that does not exist. */
export function claimLooksAbsent({ world }: Client, reply: Reply, resource: string): void {
  world.history.claim(() => {
    const { status, message, code } = reply.body ?? {};
    const isAbsent =
      reply.status === 404 && status === 'error' && code === 400400 && message === `${resource} not found.`;
    return isAbsent
      ? null
      : `${reply.client} ${reply.label}: refused with ${JSON.stringify(reply.body)}, must look absent`;
  });
}

/** Requires that a list of posts shows those of the community that the viewer sees, or of `items` only. */
export function claimPosts(
  client: Client,
  reply: Reply,
  {
    what,
    list,
    items = client.world.posts,
    showsDeleted = toNobody,
  }: { what: string; list: Found[]; items?: readonly Post[]; showsDeleted?: ShowsDeleted },
): void {
  const found = new Set(list.flatMap(({ postId, data }) => [postId, keyOf(data?.text)]));
  claimListed(client, reply, {
    what,
    items,
    found,
    isListed: (post) => listVisibility(client.world, client.person, post, reply, showsDeleted),
  });
}
