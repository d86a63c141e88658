import './flag-stories.ts';
import './stories-of-targets.ts';
import './stories.ts';
import './story-events.ts';
import './story-target.ts';
import './story.ts';
import './viewer-can.ts';
import './write-stories.ts';
