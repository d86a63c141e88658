import { ConfigError } from '../config.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { CliError, type Command, parseCall, UsageError } from './command.ts';
import { compact } from './compact.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { restore } from './restore.ts';
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

const USAGE = `Maintains stored data.

${Object.values(COMMANDS)
  .map(({ usage, help }) => `  npm run store -- ${usage.padEnd(28)} ${help.split('\n')[0]}`)
  .join('\n')}

  --data-dir FOLDER   data folder of the embedded store (default DATA_DIR, else ./data)
  --help              describes a command and its options

Exit codes: 0 success, 1 failure or damaged data, 2 invalid arguments.
`;

// Copies and exports contain private data: only their owner may read them.
process.umask(0o077);
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '' || name === '--help') {
    console.log(USAGE);
    return name === '' ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : undefined;
  if (!command) {
    console.error(`There is no command '${name}'.\n\n${USAGE}`);
    return 2;
  }
  const usage = `npm run store -- ${command.usage}\n\n${command.help}`;
  if (rest.includes('--help')) {
    console.log(usage);
    return 0;
  }
  try {
    await command.run(parseCall(command, rest));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${usage}`);
      return 2;
    }
    console.error(error instanceof CliError || error instanceof ConfigError ? error.message : error);
    return 1;
  }
}
