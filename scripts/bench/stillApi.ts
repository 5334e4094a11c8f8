/** The demo API while nobody works in it: `node scripts/bench/stillApi.ts SERVERS`. */
import { startDemo } from '../../src/demo/server.ts';

/** Events that are under way at first are over within seconds. */
const pace = 100;
const { url, tokens } = await startDemo({ servers: Number(process.argv[2]), colleagues: false, pace });
console.log(`The demo API listens on ${url}.\nTokens: ${tokens.full}`);
