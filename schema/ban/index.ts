import './ban.ts';
import './bans.ts';
