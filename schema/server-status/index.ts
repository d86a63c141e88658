import './server-status.ts';
