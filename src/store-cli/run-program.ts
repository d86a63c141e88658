import { ConfigError } from '../config.ts';
import { CliError, type Command, parseCall, UsageError } from './command.ts';

export interface Program {
  /** The script of package.json that starts it. */
  name: string;
  /** What the program is for, as the first line of its help. */
  summary: string;
  commands: Readonly<Record<string, Command>>;
}

/**
 * Runs the command that the arguments name.
 * @returns the exit code: 0 success, 1 failure or damaged data, 2 invalid arguments
 */
export async function runProgram({ name, summary, commands }: Program, args: readonly string[]): Promise<number> {
  const usageOfAll = `${summary}

${Object.values(commands)
  .map(({ usage, help }) => `  npm run ${name} -- ${usage.padEnd(28)} ${help.split('\n')[0]}`)
  .join('\n')}

  --data-dir FOLDER   data folder of the embedded store (default DATA_DIR, else ./data)
  --help              describes a command and its options

Exit codes: 0 success, 1 failure or damaged data, 2 invalid arguments.
`;
  const [given = '', ...rest] = args;
  if (given === '' || given === '--help') {
    console.log(usageOfAll);
    return given === '' ? 2 : 0;
  }
  const command = Object.hasOwn(commands, given) ? commands[given]! : undefined;
  if (!command) {
    console.error(`There is no command '${given}'.\n\n${usageOfAll}`);
    return 2;
  }
  const usage = `npm run ${name} -- ${command.usage}\n\n${command.help}`;
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
