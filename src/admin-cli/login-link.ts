import { createLoginLink } from '../domain/session/login-link.ts';
import { type Command, UsageError } from '../store-cli/command.ts';
import { asOperator } from './operator.ts';

const DEFAULT_MINUTES = 10;
const MAX_MINUTES = 1_440;

export const loginLink: Command = {
  usage: 'login-link USER_ID',
  help: `Prints an address that signs a user in to the console, once.

  USER_ID          the public id of the user
  --minutes COUNT  how long the address is valid (default ${DEFAULT_MINUTES}, at most ${MAX_MINUTES})

Anyone who opens the address first acts as the user: send it only to them. It begins with PUBLIC_URL.`,
  options: { minutes: { type: 'string' } },
  positionalCount: [1, 1],
  async run({ config, positionals, options }) {
    const minutes = Number(options.minutes ?? DEFAULT_MINUTES);
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_MINUTES) {
      throw new UsageError(`--minutes: a whole number from 1 to ${MAX_MINUTES}.`);
    }
    const userId = positionals[0]!;
    const address = await asOperator(config, 'createLoginLink', async (context) => {
      const { token } = await createLoginLink(context, { networkId: config.NETWORK_ID, userId, minutes });
      return `${context.publicUrl}/admin/login#${token}`;
    });
    console.log(address);
  },
};
