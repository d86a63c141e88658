import { compactStore, FolderError } from '../embedded/maintenance/index.ts';
import { findStore } from './check.ts';
import { type Call, CliError, type Command } from './command.ts';
import { formatBytes } from './format.ts';

export const compact: Command = {
  usage: 'compact',
  help: `Frees the disk space of deleted data.

Rewrites the embedded store without its free pages. The gateway must be stopped. If the command is interrupted, the
store is either unchanged or compacted. Needs as much free disk space as the data takes.`,
  options: {},
  positionalCount: [0, 0],
  async run({ config }: Call) {
    try {
      const { before, after } = await compactStore(findStore(config.DATA_DIR));
      console.log(`${config.DATA_DIR}: ${formatBytes(before)} before, ${formatBytes(after)} now.`);
    } catch (error) {
      throw error instanceof FolderError ? new CliError(`Nothing was changed: ${error.message}.`) : error;
    }
  },
};
