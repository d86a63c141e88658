import './answer-join-requests.ts';
import './join-request-events.ts';
import './join-request.ts';
