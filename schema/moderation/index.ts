import './moderation-item.ts';
import './moderation-queue.ts';
import './resolve-items.ts';
