import { compactStore, FolderError } from '../embedded/maintenance/index.ts';
import { findStore } from './check.ts';
import { type Call, type Command, Failure } from './command.ts';
import { sizeInWords } from './words.ts';

export const compact: Command = {
  usage: 'compact',
  help: `Gives the room of deleted data back to the disk.

Writes the embedded store anew without its free pages. The gateway must be stopped; whatever happens meanwhile, the
store is afterwards either as it was or compacted. Needs as much free room as the data takes.`,
  options: {},
  takes: [0, 0],
  async run({ config }: Call) {
    try {
      const { before, after } = await compactStore(findStore(config.DATA_DIR));
      console.log(`${config.DATA_DIR}: ${sizeInWords(before)} before, ${sizeInWords(after)} now.`);
    } catch (error) {
      throw error instanceof FolderError ? new Failure(`Nothing was changed: ${error.message}.`) : error;
    }
  },
};
