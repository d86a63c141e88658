import { inject } from 'vitest';

/** Test files of the project `sharded` read the router's address from the setting that users set. */
process.env.MONGODB_URI = inject('mongodbUri');
process.env.TEST_STORE = 'sharded';
