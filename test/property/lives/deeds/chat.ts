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
import { type Acts, agree, changing, pick, places } from './deed.ts';

/** What writing in the chat comes to. */
function speaking(model: Model, who: Person) {
  if (isBanned(model, who)) return 'NOT_FOUND';
  if (!isMember(model, who)) return 'FORBIDDEN';
  return model.muted.has(who) ? 'USER_MUTED' : 'done';
}

export const CHAT: Acts = {
  async says(model, real, { who, what }) {
    const expected = speaking(model, who);
    const text = `Message ${what}`;
    const input = { messageFeedId: real.messageFeedId, data: { text } };
    const sent = await agree(real, expected, [who, 'sendMessage', input, 'chatMessage { messageId }']);
    if (expected !== 'done') return;
    const segment = model.messages.length + 1;
    model.messages.push({ author: who, text, segment, isEdited: false, isDeleted: false, reactions: new Map() });
    // Who speaks has read.
    model.read.set(who, segment);
    real.messages.push(sent.chatMessage.messageId);
  },

  async rephrases(model, real, { who, which, what }) {
    const place = pick(places(model.messages), which);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const own = message.author === who ? speaking(model, who) : 'PERMISSION_DENIED';
    const expected = isBanned(model, who) ? 'NOT_FOUND' : moderates(model, who) ? 'done' : own;
    const text = `Rephrased ${what}`;
    await agree(real, expected, [who, 'updateMessage', { messageId: real.messages[place!], data: { text } }]);
    if (expected === 'done') Object.assign(message, { text, isEdited: true });
  },

  async takesBack(model, real, { who, which }) {
    const place = pick(places(model.messages), which);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const expected = changing(model, who, message, !isBanned(model, who));
    await agree(real, expected, [who, 'deleteMessage', { messageId: real.messages[place!] }]);
    if (expected === 'done') message.isDeleted = true;
  },

  async reactsToMessage(model, real, { who, which, what }) {
    const place = pick(places(model.messages), which);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const reactionName = pickReaction(what);
    const has = message.reactions.get(reactionName)?.has(who) ?? false;
    const expected = isMember(model, who) ? 'done' : isBanned(model, who) ? 'NOT_FOUND' : 'FORBIDDEN';
    const input = { referenceType: 'MESSAGE', referenceId: real.messages[place!], reactionName };
    await agree(real, expected, [who, has ? 'removeReaction' : 'addReaction', input]);
    if (expected !== 'done') return;
    if (has) message.reactions.get(reactionName)!.delete(who);
    else react(message, reactionName, who);
  },

  async reads(model, real, { who, what }) {
    const expected = isMember(model, who) ? 'done' : isBanned(model, who) ? 'NOT_FOUND' : 'FORBIDDEN';
    const input = { messageFeedId: real.messageFeedId, readToSegment: what };
    await agree(real, expected, [who, 'markRead', input]);
    if (expected === 'done')
      model.read.set(who, Math.max(model.read.get(who) ?? 0, Math.min(what, model.messages.length)));
  },

  async mutes(model, real, { which }) {
    const others = PEOPLE.filter((person) => isMember(model, person) && !model.moderators.has(person));
    const other = pick(others, which);
    if (!other) return;
    const isMuting = !model.muted.has(other);
    const input = { channelId: real.channelId, userIds: [real.nameOf(other)], mutePeriod: isMuting ? -1 : 0 };
    await agree(real, 'done', [MODERATOR, 'muteChannelMembers', input]);
    if (isMuting) model.muted.add(other);
    else model.muted.delete(other);
  },
};
