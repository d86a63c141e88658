import './network-keys.ts';
import './network-settings.ts';
import './push-devices.ts';
import './rate-limits.ts';
import './session.ts';
import './user-sessions.ts';
