import { type Client, isConflict, type Write, type WriteResult, write } from '../client.ts';
import type { Call } from '../gateways.ts';
import type { Register, RegistersOf } from '../history.ts';
import { observe } from '../observe.ts';
import { type Content, moderates, type Rights, rightsOf, seesInside } from '../world.ts';

/** Writes something. @returns whether it was done; null when there was nothing to write */
export type WriteOperation = (client: Client) => Promise<WriteResult | null>;

export interface Permission<Values extends readonly unknown[]> {
  of: RegistersOf<Values>;
  /** Whether the write is permitted; null where other tests check it. */
  derive: (...values: Values) => boolean | null;
}

/** Executes a write, and checks that it was permitted, or refused, by what was current during the request. */
export async function change<const Values extends readonly unknown[]>(
  client: Client,
  given: Write,
  permission?: Permission<Values>,
): Promise<WriteResult | null> {
  const written = await write(client, given, (reply, isDone) => {
    observe(client, reply);
    if (!permission) return;
    if (isConflict(reply)) {
      client.world.history.claim(() =>
        permission.of.some((register) => register.values(reply).length > 1)
          ? null
          : `${reply.client} ${reply.label}: CONFLICT, although nothing was changed meanwhile`,
      );
      return;
    }
    client.world.history.derived(reply, 'permission of the write', {
      of: permission.of,
      derive: (...values) => permission.derive(...values) ?? isDone,
      found: isDone,
    });
  });
  return written?.result ?? null;
}

export const rest = (method: string, path: string, body?: object): Call => ({ method, path, ...(body && { body }) });
export const either = (client: Client, one: Call, other: Call): Call => (client.random.chance(0.5) ? one : other);

/** Moderators of the community, for writes that only they may do; sometimes anybody tries. */
export const actsAsModerator = (client: Client): boolean =>
  client.person.standing.latest === 'moderator' || client.random.chance(0.15);

export const mayModerate = (client: Client) => ({
  of: rightsOf(client.world, client.person),
  derive: (...rights: Rights) => (client.person.moderatesNetwork.versions.length > 1 ? null : moderates(rights)),
});

/** Whether a person may change content: its author while they see it, and moderators. */
export const mayChange = (client: Client, content: Content) => ({
  of: rightsOf(client.world, client.person),
  derive: (...rights: Rights) => {
    if (client.person.moderatesNetwork.versions.length > 1) return null;
    return moderates(rights) || (content.author === client.person && seesInside(rights));
  },
});

/** Deleted content may still be refused or changed by moderators: only what is live is decided. */
export function whileLive(
  { of, derive }: Permission<Rights> | Permission<readonly unknown[]>,
  { life }: Content,
): Permission<readonly unknown[]> {
  return {
    of: [...(of as readonly Register[]), life as Register],
    derive: (...values) =>
      values.at(-1) === 'live' ? (derive as (...rights: unknown[]) => boolean | null)(...values.slice(0, -1)) : null,
  };
}

export const versionOf = (text: string): number => Number(text.split(' v')[1] ?? 0);
/** The next value of a text, with its key as the first word. */
export const nextText = ({ key, text }: Content): string => `${key} v${versionOf(text.latest) + 1}`;
export const nextName = (register: Register<string>, base: string): string =>
  `${base} v${versionOf(register.latest) + 1}`;
