/** Whether load tests run at full scale (`npm run test:load`); see test/README.md. */
export const isFullLoad = process.env.LOAD === 'full';
