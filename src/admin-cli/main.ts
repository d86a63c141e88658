import { runProgram } from '../store-cli/run-program.ts';
import { grant, revoke } from './change-role.ts';
import { loginLink } from './login-link.ts';
import { rotate } from './rotate.ts';
import { settings } from './settings.ts';

process.exitCode = await runProgram(
  {
    name: 'admin',
    summary: 'Administers the network that NETWORK_ID names, whether or not the gateway runs.',
    commands: { grant, revoke, 'login-link': loginLink, rotate, settings },
  },
  process.argv.slice(2),
);
