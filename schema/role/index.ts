import './role-events.ts';
import './role.ts';
import './viewer-can.ts';
import './write-roles.ts';
