// Run by mongosh against one member: creates the replica set unless it exists, then waits for a primary.
const members = ['mongo1', 'mongo2', 'mongo3'].map((host, _id) => ({ _id, host: `${host}:27017` }));
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members });
}
while (!rs.status().members.some(({ stateStr }) => stateStr === 'PRIMARY')) sleep(500);
