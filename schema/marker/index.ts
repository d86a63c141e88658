import './mark-read.ts';
import './marker-events.ts';
import './marker.ts';
import './reading.ts';
import './sync-markers.ts';
import './viewer-markers.ts';
