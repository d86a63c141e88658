import { definitionOf } from '../events/catalogue.ts';
import { EVENT_PAYLOADS, type EventKind, type PayloadOf } from '../events/event-payloads.ts';
import * as chat from './audience/chat.ts';
import * as media from './audience/media.ts';
import * as people from './audience/people.ts';
import * as social from './audience/social.ts';
import type { Scene, SceneOf, Stage } from './scene.ts';

/** What each kind of event shows, and to whom. */
const SCENES: { readonly [Kind in EventKind]: SceneOf<PayloadOf<Kind>> } = {
  post: social.postScene,
  postReaction: social.postReactionScene,
  comment: social.commentScene,
  commentReaction: social.commentReactionScene,
  story: social.storyScene,
  storyReaction: social.storyReactionScene,
  community: social.communityScene,
  communityUsers: social.communityUsersScene,
  channel: chat.channelScene,
  channelUsers: chat.channelUsersScene,
  messageFeed: chat.messageFeedScene,
  message: chat.messageScene,
  messageReaction: chat.messageReactionScene,
  user: people.userScene,
  marker: chat.markerScene,
  poll: media.pollScene,
  videoStream: media.videoStreamScene,
  room: media.roomScene,
  joinRequest: people.joinRequestScene,
  role: people.roleScene,
  category: people.categoryScene,
  file: people.fileScene,
};

/** @returns null for what is gone for good, and for events of a later release */
export async function sceneOf(stage: Omit<Stage, 'isRemoval'>): Promise<Scene | null> {
  const definition = definitionOf(stage.event.type);
  if (!definition) return null;
  const data = EVENT_PAYLOADS[definition.kind].parse(stage.event.data);
  const scene = SCENES[definition.kind] as SceneOf<unknown>;
  return scene({ ...stage, isRemoval: definition.isRemoval }, data);
}
