import { backup } from './backup.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { compact } from './compact.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { restore } from './restore.ts';
import { runProgram } from './run-program.ts';
import { salvage } from './salvage.ts';
import { shard } from './shard.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  check,
  compact,
  backup,
  restore,
  salvage,
  export: exportCommand,
  import: importCommand,
  shard,
};

// Copies and exports contain private data: only their owner may read them.
process.umask(0o077);
process.exitCode = await runProgram(
  { name: 'store', summary: 'Maintains stored data.', commands: COMMANDS },
  process.argv.slice(2),
);
