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
