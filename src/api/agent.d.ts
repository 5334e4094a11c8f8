/**
 * The one module of undici that is needed. Its entry point also loads fetch, web sockets, caches and mocks,
 * which more than doubles what the first request waits for.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}
