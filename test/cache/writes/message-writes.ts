import { mutation } from '../client.ts';
import type { Reply } from '../gateways.ts';
import { isIn, type Message } from '../world.ts';
import { change, either, nextText, rest, type WriteOperation } from './change.ts';
import { MAX_MESSAGES, newContent, pickLive } from './content.ts';

export const messageWrites: { [name: string]: WriteOperation } = {
  async sends(client) {
    const { world, person } = client;
    if (world.messages.length >= MAX_MESSAGES || person.userId.endsWith('rita')) return null;
    const message: Message = { ...newContent(world, 'message', person), segment: null };
    world.messages.push(message);
    const call = mutation(
      'sendMessage',
      { messageFeedId: world.messageFeedId, data: { text: message.text.latest } },
      'chatMessage { messageId segment }',
    );
    const onDone = ({ body }: Reply): void => {
      message.id = body.data.answer.chatMessage.messageId;
      message.segment = body.data.answer.chatMessage.segment;
    };
    return change(
      client,
      { changes: [[message.life, 'live']], call, onDone },
      {
        of: [person.standing, person.isMuted, person.moderatesNetwork],
        derive: (standing, isMuted, network) => (network ? null : isIn(standing) && !isMuted),
      },
    );
  },

  async editsMessage(client) {
    const { world, person } = client;
    const message = pickLive(
      client,
      world.messages.filter(({ author }) => author === person),
    );
    if (!message || message.life.isBusy) return null;
    const data = { text: nextText(message) };
    return change(client, {
      changes: [[message.text, data.text]],
      call: mutation('updateMessage', { messageId: message.id, data }),
    });
  },

  async deletesMessage(client) {
    const { world, person } = client;
    const message = pickLive(
      client,
      world.messages.filter(({ author }) => author === person),
    );
    if (!message) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v5/messages/${message.id}`),
      mutation('deleteMessage', { messageId: message.id }),
    );
    return change(client, { changes: [[message.life, 'deleted']], call });
  },

  async marksRead(client) {
    const { world, person } = client;
    if (person !== world.people.get('rita')) return null;
    const segments = world.messages.flatMap(({ segment }) => (segment === null ? [] : [segment]));
    const readToSegment = Math.max(
      person.readTo.latest,
      ...(segments.length > 0 ? [client.random.pick(segments)] : []),
    );
    if (readToSegment === person.readTo.latest) return null;
    const call = mutation('markRead', { messageFeedId: world.messageFeedId, readToSegment });
    return change(client, { changes: [[person.readTo, readToSegment]], call });
  },
};
