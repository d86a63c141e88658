import './follow-events.ts';
import './follow-users.ts';
import './follow.ts';
import './follows.ts';
