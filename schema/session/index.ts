import './network-keys.ts';
import './network-settings.ts';
import './push-devices.ts';
import './session.ts';
