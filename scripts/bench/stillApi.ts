/** The demo API while nobody works in it: `node scripts/bench/stillApi.ts SERVERS`. */
import { startDemo } from '../../src/demo/server.ts';

/** At this pace the events in progress at the start end within seconds. */
const pace = 100;
const { url, tokens } = await startDemo({ servers: Number(process.argv[2]), colleagues: false, pace });
console.log(`The demo API listens on ${url}.\nTokens: ${tokens.full}`);
