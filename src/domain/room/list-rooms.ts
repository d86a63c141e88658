import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { canSeeRoom } from './get-room.ts';
import { presentRoom } from './present-room.ts';

export interface RoomList {
  status?: RoomRecord['status'] | null | undefined;
  /** Only the rooms of one community or user. */
  target?: Pick<RoomRecord, 'targetType' | 'targetId'> | null | undefined;
  request: PageRequest;
}

/** A page of the rooms that the viewer sees, newest first. */
export function listRooms(context: Context, { status, target, request }: RoomList): Promise<Page<RoomRecord>> {
  const { networkId } = viewerOf(context);
  return readPage<RoomRecord>({
    collection: context.store.collections.rooms,
    budget: context.reads,
    filter: { networkId, isDeleted: false, ...target, ...(status != null && { status }) },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (rooms) => {
      const seen = await Promise.all(rooms.map((room) => canSeeRoom(context, room)));
      return rooms.filter((_, index) => seen[index]).map((room) => presentRoom(context, room));
    },
  });
}
