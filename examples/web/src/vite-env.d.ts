/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly GATEWAY_URL: string;
  readonly API_KEY: string;
}
