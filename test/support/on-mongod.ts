import { inject } from 'vitest';

/** Every test file of the project `mongod` finds the server where a user would name it. */
process.env.MONGODB_URI = inject('mongodbUri');
process.env.TEST_STORE = 'mongod';
