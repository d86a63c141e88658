import './file-events.ts';
import './file.ts';
import './write-files.ts';
