# The build stage has a compiler, for where no ready-made sqlite3 binary fits; the image itself has none.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    A2A_STORE_PATH=/srv/data/a2a.sqlite
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY bin ./bin
# A new volume takes over the owner and mode of the folder that it is mounted on.
RUN mkdir -p /srv/data && chown node:node /srv/data && chmod 700 /srv/data
# The user `node`, by number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME /srv/data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself as process 1, so that SIGTERM reaches it; it may take ten seconds to finish.
CMD ["node", "bin/hello.mjs", "serve"]
