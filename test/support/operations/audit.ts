/** The command of a privileged act that inserts its entry in the audit log, in the transaction of the act. */
export const AUDIT = 1;
