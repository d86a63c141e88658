import { mutation, write } from '../client.ts';
import { blockOf } from '../world.ts';
import { change, either, nextName, rest, type WriteOperation } from './change.ts';
import { othersOf } from './subjects.ts';

export const peopleWrites: { [name: string]: WriteOperation } = {
  renamesSelf(client) {
    const { person } = client;
    const displayName = nextName(person.displayName, person.userId);
    const call = either(
      client,
      rest('PUT', '/api/v3/users', { userId: person.userId, displayName }),
      mutation('updateUser', { displayName }),
    );
    return change(client, { changes: [[person.displayName, displayName]], call });
  },

  changesPicture(client) {
    const { person } = client;
    const number = Number(/\d+$/.exec(person.avatarUrl.latest ?? '0')![0]) + 1;
    const avatarCustomUrl = `https://pictures.test/${person.userId}/${number}`;
    const call = mutation('updateUser', { avatarCustomUrl });
    return change(client, { changes: [[person.avatarUrl, avatarCustomUrl]], call });
  },

  async blocks(client) {
    const other = client.random.pick(othersOf(client));
    const block = blockOf(client.person, other);
    const isAdding = !block.latest;
    const call = either(
      client,
      rest(isAdding ? 'POST' : 'DELETE', `/api/v4/me/user-blocks/${other.userId}`),
      mutation(isAdding ? 'blockUser' : 'unblockUser', { userId: other.userId }),
    );
    return change(client, { changes: [[block, isAdding]], call });
  },

  /** Ends the session on this device and signs in again; the ended token stays in use. */
  async signsOut(client) {
    const { session } = client;
    const call = either(client, rest('DELETE', '/api/v4/sessions'), mutation('revokeSession', {}));
    // Meanwhile nobody bans or deletes the user, so that it is known which sessions that ends.
    const onDone = async (): Promise<void> => {
      client.ended.push(session);
      client.session = await client.signIn(client.person);
    };
    const written = await write(client, { changes: [[session.hasEnded, true]], call, onDone });
    return written?.result ?? null;
  },
};
