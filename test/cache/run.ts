import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Document } from 'mongodb';
import { signIn, type TestGateway } from '../support/gateway.ts';
import { ask, successfulMutations } from '../support/mutate.ts';
import { type Client, mutation, type SessionState, type WriteResult, write } from './client.ts';
import { createRandom, type Endpoint, type Random } from './gateways.ts';
import { History, Register } from './history.ts';
import { READS } from './reads/index.ts';
import type { Read } from './reads/query.ts';
import { createPerson, type Person, type Standing, type World } from './world.ts';
import { WRITES } from './writes/index.ts';

/** Names of the people of a run; `rita` reads, `eve` is banned from the network, `nora` moderates it, `zoe` is deleted. */
const PEOPLE = ['owner', 'ann', 'ben', 'cat', 'dan', 'rita', 'eve', 'nora', 'zoe'] as const;
/** How often a client writes. */
const WRITE_SHARE = 0.4;
/** How often a client reads through another gateway right after its write. */
const HOP_SHARE = 0.5;
/** How often a client sends several reads at the same time, and how often it sends one again and again to one gateway. */
const TOGETHER_SHARE = 0.2;
const REPEAT_SHARE = 0.15;
/** A list is cached at its second read, and an answer is kept: later ones are answered from memory. */
const REPEATS = 4;
/** How long a renamed category is cached (`CACHED_MS` of `src/store/loaders.ts`), and how late a timer may be. */
const CATEGORY_STALE_MS = 10_500;

export interface RunOptions {
  seed: number;
  /** A gateway on the same store, over which the run is set up. */
  gateway: TestGateway;
  endpoints: readonly Endpoint[];
  /** Operations of each client. */
  operations: number;
  /** Devices of each person. @default 1 */
  devices?: number;
  /** Whether a process that is no gateway writes as well. @default true */
  writesDirectly?: boolean;
  /** Runs beside the clients until the signal is aborted. */
  meanwhile?: (random: Random, done: AbortSignal) => Promise<void>;
}

export interface RunResult {
  problems: string[];
  /** Number of checked statements. */
  checked: number;
  /** Number of each operation, with its outcome for writes. */
  counts: { [operation: string]: number };
}

/**
 * Lets several users read and write through all gateways at the same time, each choosing one for every request, and
 * compares what they read with the history of all writes.
 */
export async function runClients(options: RunOptions): Promise<RunResult> {
  const { seed, gateway, endpoints, operations, devices = 1, meanwhile, writesDirectly = true } = options;
  const world = await createWorld(gateway, seed);
  const counts: RunResult['counts'] = {};
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const clients = await Promise.all(
    [...world.people].flatMap(([name, person], place) =>
      Array.from({ length: devices }, async (_, device): Promise<Client> => {
        const signInAs = (who: Person) => openSession(gateway, who, `${who.userId}#${device}`);
        return {
          name: `${name}#${device}`,
          person,
          world,
          random: createRandom(seed * 1_000 + place * 10 + device),
          endpoints,
          session: await signInAs(person),
          ended: [],
          signIn: signInAs,
        };
      }),
    ),
  );
  await fill(clients.filter(({ name }) => name.endsWith('#0')));
  const done = new AbortController();
  const beside = meanwhile?.(createRandom(seed + 1), done.signal);
  const admin = adminOf({ world, endpoints, seed, clients });
  await Promise.all([
    ...clients.map((client) => act(client, operations, count)),
    admin(await gateway.tokenOf('admin'), Math.ceil(operations / 2), count),
    ...(writesDirectly ? [writeDirectly(gateway, world, { seed, count: Math.ceil(operations / 2) })] : []),
  ]);
  done.abort();
  await beside;
  return { problems: world.history.check(), checked: world.history.size, counts };
}

async function act(client: Client, operations: number, count: (name: string) => void): Promise<void> {
  const { random } = client;
  const reads = Object.entries(READS);
  for (let done = 0; done < operations; done += 1) {
    if (client.person.isDeleted.latest || client.person.isBannedFromNetwork.latest) {
      // Only the ended sessions of deleted and banned users can still be used.
      await READS.endedSession!(client);
      await READS.viewer!(client);
      continue;
    }
    if (random.chance(WRITE_SHARE)) {
      const result = await writeSomething(client, count);
      if (result === null || !random.chance(HOP_SHARE)) continue;
    }
    const [name, read] = random.pick(reads);
    count(name);
    // Several requests of one client at the same time: they share batches and whatever is cached.
    if (random.chance(TOGETHER_SHARE)) await Promise.all([read(client), read(client), random.pick(reads)[1](client)]);
    else if (random.chance(REPEAT_SHARE)) await repeat(client, read);
    else await read(client);
  }
}

/** Sends the same requests several times to one gateway. */
async function repeat(client: Client, read: Read): Promise<void> {
  const endpoints = [client.random.pick(client.endpoints)];
  const seed = client.random.below(2 ** 32);
  for (let done = 0; done < REPEATS; done += 1) await read({ ...client, endpoints, random: createRandom(seed) });
}

/** Executes one of the writes that the client can do now. */
async function writeSomething(client: Client, count: (name: string) => void): Promise<WriteResult | null> {
  const names = Object.keys(WRITES);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const name = client.random.pick(names);
    const result = await WRITES[name]!(client);
    if (result === null) continue;
    count(`${name} ${result}`);
    return result;
  }
  return null;
}

/** Gives the community members and content, so that the clients find something from the start. */
async function fill(clients: readonly Client[]): Promise<void> {
  const [owner, ...others] = clients as [Client, ...Client[]];
  await Promise.all(others.slice(0, 3).map((client) => WRITES.joins!(client)));
  for (const name of ['createsPost', 'createsPost', 'createsPost', 'sends', 'createsComment', 'createsComment'])
    await WRITES[name]!(owner);
}

interface Parts {
  world: World;
  endpoints: readonly Endpoint[];
  seed: number;
  clients: readonly Client[];
}

/** What an administrator changes: the category, bans from the network, roles in it, and a deleted user. */
function adminOf({ world, endpoints, seed, clients }: Parts) {
  const person = createPerson('admin');
  return async (token: string, operations: number, count: (name: string) => void): Promise<void> => {
    const client: Client = {
      name: 'admin',
      person,
      world,
      random: createRandom(seed * 7 + 3),
      endpoints,
      session: { token, hasEnded: new Register('admin.session', false) },
      ended: [],
      signIn: () => Promise.reject(new Error('The administrator stays signed in.')),
    };
    const sessionsOf = (who: Person) =>
      clients.filter((each) => each.person === who).map(({ session }) => [session.hasEnded, true] as const);
    const [eve, nora, zoe] = ['eve', 'nora', 'zoe'].map((name) => world.people.get(name)!) as [Person, Person, Person];
    for (let done = 0; done < operations; done += 1) {
      const choice = done === operations - 1 ? 9 : client.random.below(4);
      if (choice === 0) {
        const name = `Category v${Number(world.categoryName.latest.split(' v')[1]) + 1}`;
        await write(client, {
          changes: [[world.categoryName, name]],
          call: mutation('updateCategory', { categoryId: world.categoryId, name }),
        });
        count('renames category');
      } else if (choice === 1) {
        const isBanning = !eve.isBannedFromNetwork.latest;
        const written = await write(client, {
          changes: [[eve.isBannedFromNetwork, isBanning], ...(isBanning ? sessionsOf(eve) : [])],
          call: mutation(isBanning ? 'banUser' : 'unbanUser', { userId: eve.userId }),
        });
        if (written?.result === 'done' && !isBanning) await signInAgain(clients, eve);
        count(`bans from network ${written?.result}`);
      } else if (choice === 2) {
        const isAdding = !nora.moderatesNetwork.latest;
        const written = await write(client, {
          changes: [[nora.moderatesNetwork, isAdding]],
          call: mutation(isAdding ? 'addUserRoles' : 'removeUserRoles', {
            userId: nora.userId,
            roleIds: ['moderator'],
          }),
        });
        count(`assigns network role ${written?.result}`);
      } else if (choice === 9) {
        const written = await write(client, {
          changes: [[zoe.isDeleted, true], ...sessionsOf(zoe)],
          call: mutation('deleteUser', { userId: zoe.userId }),
        });
        count(`deletes user ${written?.result}`);
      } else {
        for (const read of client.random.chance(0.5) ? [READS.user!, READS.users!] : [READS.categories!])
          await read(client);
      }
    }
  };
}

async function signInAgain(clients: readonly Client[], person: Person): Promise<void> {
  for (const client of clients.filter((each) => each.person === person)) {
    client.ended.push(client.session);
    client.session = await client.signIn(person);
  }
}

/** Writes descriptions in the database, as migrations and imports do. */
async function writeDirectly(
  gateway: TestGateway,
  world: World,
  { seed, count }: { seed: number; count: number },
): Promise<void> {
  const random = createRandom(seed * 31 + 5);
  const users = gateway.services.store.db.collection('users') as Collection<Document>;
  const people = [...world.people].flatMap(([name, person]) => (name === 'zoe' ? [] : [person]));
  for (let done = 0; done < count; done += 1) {
    const { userId, description } = random.pick(people);
    const version = description.begin(`description v${done}`, performance.now());
    await users.updateOne({ networkId: gateway.networkId, userId }, { $set: { description: version.value } });
    Object.assign(version, { outcome: 'done', end: performance.now() });
    await pause(random.below(20));
  }
}

/** How often a sign-in is repeated that was answered with 503, as while a killed gateway still holds locks. */
const MAX_SIGN_INS = 20;

async function openSession(gateway: TestGateway, person: Person, deviceId: string): Promise<SessionState> {
  const attempt = async (left: number): Promise<string> =>
    signIn(gateway, person.userId, deviceId).catch(async (error: Error) => {
      if (left === 0 || !error.message.includes(' answered 503: ')) throw error;
      await pause(500);
      return attempt(left - 1);
    });
  const token = await attempt(MAX_SIGN_INS);
  return { token, hasEnded: new Register(`session of ${person.userId}`, false) };
}

let runs = 0;

/** Users and a community of their own, whose owner and `rita` are members, and a category. */
async function createWorld(gateway: TestGateway, seed: number): Promise<World> {
  runs += 1;
  const run = `run${seed}-${runs}`;
  const change = successfulMutations(gateway);
  const people = new Map(PEOPLE.map((name) => [name as string, createPerson(`${run}-${name}`)]));
  const owner = people.get('owner')!;
  await Promise.all([...people.values()].map(({ userId }) => gateway.tokenOf(userId)));
  const { category } = await change('admin', 'createCategory', { name: 'Category v0' }, 'category { categoryId }');
  const { community } = await change(
    owner.userId,
    'createCommunity',
    { displayName: 'Community v0', isPublic: true, categoryIds: [category.categoryId] },
    'community { communityId channelId channel { defaultMessageFeedId } }',
  );
  const { communityId, channelId } = community;
  const rita = people.get('rita')!;
  await change(rita.userId, 'joinCommunity', { communityId });
  Object.assign(owner, { standing: new Register<Standing>(`${owner.userId}.standing`, 'moderator') });
  Object.assign(rita, { standing: new Register<Standing>(`${rita.userId}.standing`, 'member') });
  const found = await ask(gateway, 'query ($ids: [String!]!) { usersByIds(userIds: $ids) { userId displayName } }', {
    as: owner.userId,
    variables: { ids: [...people.values()].map(({ userId }) => userId) },
  });
  for (const { userId, displayName } of found.usersByIds) {
    const person = [...people.values()].find((each) => each.userId === userId)!;
    person.displayName.versions[0]!.value = displayName;
  }
  let keys = 0;
  return {
    history: new History(),
    people,
    owner,
    communityId,
    channelId,
    messageFeedId: community.channel.defaultMessageFeedId,
    displayName: new Register('community.displayName', 'Community v0'),
    isPublic: new Register('community.isPublic', true),
    categoryId: category.categoryId,
    categoryName: new Register('category.name', 'Category v0', { staleMs: CATEGORY_STALE_MS }),
    posts: [],
    messages: [],
    async standingOf({ userId }) {
      const record = await gateway.services.store.db
        .collection('communityUsers')
        .findOne({ networkId: gateway.networkId, communityId, userId });
      if (record?.communityMembership === 'banned') return 'banned';
      if (record?.communityMembership !== 'member') return 'none';
      return record.roles.includes('community-moderator') ? 'moderator' : 'member';
    },
    nextKey(kind) {
      keys += 1;
      return `${kind}${keys}x${run.replaceAll('-', 'x')}`;
    },
  };
}
