import type { FileRecord } from '../../src/store/records/media.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { File } from './file.ts';

eventType('file', {
  about: 'a file',
  fields: (t) => ({
    file: t.field({ type: File, description: 'The file.', resolve: fromPayload<FileRecord>('file') }),
  }),
});
