import './report-video-streams.ts';
import './stream-url.ts';
import './video-stream-events.ts';
import './video-stream-payload.ts';
import './video-stream.ts';
import './write-video-streams.ts';
