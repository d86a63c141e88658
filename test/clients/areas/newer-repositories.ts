import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { video } from '../media.ts';
import type { Json } from '../rest-user.ts';

/** Repositories that only some of the clients export. */
export const newerRepositories: Area = {
  name: 'newer-repositories',
  needs: 'AdRepository',
  async run({ sdk, step, display, userId, second }) {
    await step('reads advertisements', async () => {
      const { ads, settings } = await sdk.AdRepository.getNetworkAds();
      assert.ok(Array.isArray(ads) && settings, 'no ads or settings');
    });
    if (!sdk.RoomRepository) return;
    await step('creates a post with a clip', async () => {
      const { data: files } = await sdk.FileRepository.uploadClip(video());
      const { data } = await sdk.PostRepository.createClipPost({
        targetType: 'user',
        targetId: userId,
        data: { text: 'Short' },
        attachments: [{ type: 'clip', fileId: files[0].fileId, displayMode: 'fit', isMuted: true }],
      });
      assert.equal(data.children.length, 1);
    });
    await rooms({ sdk, step, display, userId });
    await events({ sdk, step, display, userId });
    await step('invites a user to a community', async () => {
      const { data } = await sdk.CommunityRepository.createCommunity({ displayName: 'Guests', isPublic: false });
      const live = display((callback) => sdk.CommunityRepository.getCommunity(data.communityId, callback));
      const community = await live.until('a community was expected', (one) => one.createInvitations);
      await community.createInvitations([second.userId]);
      const shown = display((callback) => community.getMemberInvitations({ limit: 5 }, callback));
      await shown.until('one invitation was expected', (invitations) => invitations.length === 1);
    });
    await step('displays its own invitations', async () => {
      const live = display((callback) => sdk.InvitationRepository.getMyCommunityInvitations({ limit: 5 }, callback));
      assert.ok(Array.isArray(await live.loaded()));
    });
    await step('displays the notification tray', async () => {
      const live = display((callback) => sdk.notificationTray.getNotificationTrayItems({ limit: 5 }, callback));
      assert.ok(Array.isArray(await live.loaded()));
    });
    await step('displays whether the notification tray was seen', async () => {
      const live = display((callback) => sdk.notificationTray.getNotificationTraySeen(callback));
      await live.loaded();
      await sdk.notificationTray.markTraySeen(new Date().toISOString());
    });
    await step('searches products', async () => {
      const live = display((callback) => sdk.ProductRepository.searchProducts({ keyword: 'rope' }, callback));
      assert.ok(Array.isArray(await live.loaded()));
    });
  },
};

type Parts = Pick<Parameters<Area['run']>[0], 'sdk' | 'step' | 'display' | 'userId'>;

async function rooms({ sdk, step, display, userId }: Parts): Promise<void> {
  const { RoomRepository, RoomPresenceRepository } = sdk;
  let room: Json;
  await step('creates a room', async () => {
    ({ data: room } = await RoomRepository.createRoom({ title: 'Wheelhouse', type: 'directStreaming' }));
    assert.equal(room.title, 'Wheelhouse');
  });
  await step('displays a room', async () => {
    const live = display((callback) => RoomRepository.getRoom(room.roomId, callback));
    assert.equal((await live.loaded()).roomId, room.roomId);
  });
  await step('displays rooms', async () => {
    const live = display((callback) => RoomRepository.getRooms({ limit: 5 }, callback));
    await live.until('the room was expected', (data) => data.some((one: Json) => one.roomId === room.roomId));
  });
  await step('changes a room', async () => {
    const { data } = await RoomRepository.updateRoom(room.roomId, { title: 'Bridge' });
    assert.equal(data.title, 'Bridge');
  });
  await step('creates a post with a room', async () => {
    const data = { roomId: room.roomId, text: 'Come in' };
    const post = await sdk.PostRepository.createRoomPost({ targetType: 'user', targetId: userId, data });
    assert.ok(post.data.postId);
  });
  await step('reads where to broadcast', async () => assert.ok(await RoomRepository.getBroadcasterData(room.roomId)));
  await step('counts the viewers of a room', async () => {
    RoomPresenceRepository.startHeartbeat(room.roomId);
    const { count } = await RoomPresenceRepository.getRoomUserCount(room.roomId);
    assert.ok(count >= 0);
    RoomPresenceRepository.stopHeartbeat(room.roomId);
  });
  await step('reads the viewers of a room', async () => {
    assert.ok(Array.isArray((await RoomPresenceRepository.getRoomOnlineUsers(room.roomId)).data));
  });
  await step('stops a room', async () => assert.ok((await RoomRepository.stopRoom(room.roomId)).data));
  await step('deletes a room', async () => void (await RoomRepository.deleteRoom(room.roomId)));
}

async function events({ sdk, step, display, userId }: Parts): Promise<void> {
  const { EventRepository } = sdk;
  let event: Json;
  await step('creates an event', async () => {
    const { data: community } = await sdk.CommunityRepository.createCommunity({ displayName: 'Parade' });
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    ({ data: event } = await EventRepository.createEvent({
      title: 'Parade of sail',
      description: 'Tall ships',
      type: 'in_person',
      location: 'Harbour',
      startTime: at(1),
      endTime: at(2),
      originType: 'community',
      originId: community.communityId,
      metadata: { timezone: 'UTC' },
    }));
    assert.equal(event.title, 'Parade of sail');
  });
  await step('displays an event', async () => {
    const live = display((callback) => EventRepository.getEvent(event.eventId, callback));
    assert.equal((await live.loaded()).eventId, event.eventId);
  });
  await step('displays events', async () => {
    const live = display((callback) => EventRepository.getEvents({ userId, limit: 5 }, callback));
    await live.until('the event was expected', (data) => data.some((one: Json) => one.eventId === event.eventId));
  });
  await step('displays the events it goes to', async () => {
    const live = display((callback) => EventRepository.getMyEvents({ status: 'going' }, callback));
    assert.ok(Array.isArray(await live.loaded()));
  });
  await step('deletes an event', async () => void (await EventRepository.deleteEvent(event.eventId)));
}
