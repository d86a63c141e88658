/** Whether tests run at full scale, as `npm run test:load` does; see test/README.md. */
export const isFullLoad = process.env.LOAD === 'full';
