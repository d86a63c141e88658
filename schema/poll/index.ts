import './poll-events.ts';
import './poll.ts';
import './viewer-can.ts';
import './vote-polls.ts';
import './write-polls.ts';
