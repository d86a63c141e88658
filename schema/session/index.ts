import './network-settings.ts';
import './session.ts';
