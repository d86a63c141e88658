import './flag-messages.ts';
import './message-events.ts';
import './message-preview.ts';
import './message.ts';
import './readers.ts';
import './viewer-can.ts';
import './write-messages.ts';
