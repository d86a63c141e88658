import {
  isBanned,
  isMember,
  MODERATOR,
  type Model,
  moderates,
  PEOPLE,
  type Person,
  pickReaction,
  react,
} from '../model.ts';
import { type Commands, changeOutcome, mutateAndExpect, pick, places } from './command.ts';

/** The outcome of writing in the chat. */
function sendOutcome(model: Model, actor: Person) {
  if (isBanned(model, actor)) return 'NOT_FOUND';
  if (!isMember(model, actor)) return 'FORBIDDEN';
  return model.muted.has(actor) ? 'USER_MUTED' : 'done';
}

export const CHAT: Commands = {
  async sendsMessage(model, real, { actor, value }) {
    const expected = sendOutcome(model, actor);
    const text = `Message ${value}`;
    const input = { messageFeedId: real.messageFeedId, data: { text } };
    const sent = await mutateAndExpect(real, expected, [actor, 'sendMessage', input, 'chatMessage { messageId }']);
    if (expected !== 'done') return;
    const segment = model.messages.length + 1;
    model.messages.push({ author: actor, text, segment, isEdited: false, isDeleted: false, reactions: new Map() });
    // Sending a message marks the feed as read.
    model.read.set(actor, segment);
    real.messages.push(sent.chatMessage.messageId);
  },

  async editsMessage(model, real, { actor, target, value }) {
    const place = pick(places(model.messages), target);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const own = message.author === actor ? sendOutcome(model, actor) : 'PERMISSION_DENIED';
    const expected = isBanned(model, actor) ? 'NOT_FOUND' : moderates(model, actor) ? 'done' : own;
    const text = `Rephrased ${value}`;
    await mutateAndExpect(real, expected, [
      actor,
      'updateMessage',
      { messageId: real.messages[place!], data: { text } },
    ]);
    if (expected === 'done') Object.assign(message, { text, isEdited: true });
  },

  async deletesMessage(model, real, { actor, target }) {
    const place = pick(places(model.messages), target);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const expected = changeOutcome(model, actor, message, !isBanned(model, actor));
    await mutateAndExpect(real, expected, [actor, 'deleteMessage', { messageId: real.messages[place!] }]);
    if (expected === 'done') message.isDeleted = true;
  },

  async reactsToMessage(model, real, { actor, target, value }) {
    const place = pick(places(model.messages), target);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const reactionName = pickReaction(value);
    const has = message.reactions.get(reactionName)?.has(actor) ?? false;
    const expected = isMember(model, actor) ? 'done' : isBanned(model, actor) ? 'NOT_FOUND' : 'FORBIDDEN';
    const input = { referenceType: 'MESSAGE', referenceId: real.messages[place!], reactionName };
    await mutateAndExpect(real, expected, [actor, has ? 'removeReaction' : 'addReaction', input]);
    if (expected !== 'done') return;
    if (has) message.reactions.get(reactionName)!.delete(actor);
    else react(message, reactionName, actor);
  },

  async marksRead(model, real, { actor, value }) {
    const expected = isMember(model, actor) ? 'done' : isBanned(model, actor) ? 'NOT_FOUND' : 'FORBIDDEN';
    const input = { messageFeedId: real.messageFeedId, readToSegment: value };
    await mutateAndExpect(real, expected, [actor, 'markRead', input]);
    if (expected === 'done')
      model.read.set(actor, Math.max(model.read.get(actor) ?? 0, Math.min(value, model.messages.length)));
  },

  async mutes(model, real, { target }) {
    const others = PEOPLE.filter((person) => isMember(model, person) && !model.moderators.has(person));
    const other = pick(others, target);
    if (!other) return;
    const isMuting = !model.muted.has(other);
    const input = { channelId: real.channelId, userIds: [real.nameOf(other)], mutePeriod: isMuting ? -1 : 0 };
    await mutateAndExpect(real, 'done', [MODERATOR, 'muteChannelMembers', input]);
    if (isMuting) model.muted.add(other);
    else model.muted.delete(other);
  },
};
