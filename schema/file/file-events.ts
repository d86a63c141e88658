import type { FileRecord } from '../../src/store/records/media.ts';
import { eventType, told } from '../event/event-type.ts';
import { File } from './file.ts';

eventType('file', {
  about: 'a file',
  fields: (t) => ({
    file: t.field({ type: File, description: 'The file.', resolve: told<FileRecord>('file') }),
  }),
});
