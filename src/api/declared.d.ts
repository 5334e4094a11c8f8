/**
 * The modules of undici that are used. Its entry point also loads fetch, web sockets, caches and mocks, which more than
 * doubles the wait of the first request.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { ProxyAgent } from 'undici';
  export default ProxyAgent;
}
declare module 'undici/lib/api/api-connect.js' {
  import { Dispatcher } from 'undici';

  const connect: Dispatcher['connect'];
  export default connect;
}

/** The "JSON.parse source text access" proposal as Node has it; TypeScript does not declare it yet. */
interface JSON {
  /** @param reviver gets the source text of primitive values in its context */
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  /** A value that JSON.stringify writes as this text, which must be a primitive JSON value. */
  rawJSON(text: string): object;
}
