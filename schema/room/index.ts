import './report-rooms.ts';
import './room-events.ts';
import './room-participants.ts';
import './room-parts.ts';
import './room-payload.ts';
import './room.ts';
import './write-rooms.ts';
