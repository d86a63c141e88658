import './audit-entry.ts';
import './audit-log.ts';
