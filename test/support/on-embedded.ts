/** Every test file of the project `embedded` runs with no server named, whatever the caller has set. */
delete process.env.MONGODB_URI;
delete process.env.TEST_STORE;
