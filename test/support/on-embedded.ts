/** Test files of the project `embedded` use no MongoDB server, even if the caller names one. */
delete process.env.MONGODB_URI;
delete process.env.TEST_STORE;
