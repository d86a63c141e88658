import './comment-events.ts';
import './comment.ts';
import './comments.ts';
import './flag-comments.ts';
import './viewer-can.ts';
import './write-comments.ts';
