# syntax=docker/dockerfile:1
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

# Production dependencies without the bundler, which only the build needs, and without native code for other platforms.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/.bin/esbuild \
  && find node_modules/@lmdb -name '*.musl.node' -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json openapi.json asyncapi.json LICENSE ./
COPY docs/live-page ./docs/live-page
COPY docs/rest ./docs/rest
USER node
VOLUME /data
# METRICS_PORT has no default; 9464 is the port that the files in deploy/ set.
EXPOSE 4000 9464
STOPSIGNAL SIGTERM
# Whether the process runs, whatever the state of the database: a restart of the gateway does not repair a database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
