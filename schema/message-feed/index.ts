import './message-feed-events.ts';
import './message-feed.ts';
import './write-message-feeds.ts';
