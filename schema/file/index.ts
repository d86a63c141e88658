import './file-events.ts';
import './file.ts';
import './upload-files.ts';
import './write-files.ts';
