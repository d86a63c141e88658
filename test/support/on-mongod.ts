import { inject } from 'vitest';

/** Test files of the project `mongod` read the server's address from the setting that users set. */
process.env.MONGODB_URI = inject('mongodbUri');
process.env.TEST_STORE = 'mongod';
