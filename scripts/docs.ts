/** Generates the pages of the documentation: `npm run docs`. `--journeys` first records the requests of every journey. */
import { writeFileSync } from 'node:fs';
import build from '../test/build.ts';
import { operations } from '../test/contract/operations.ts';
import { journeyLines, recordJourneys } from './journeys.ts';
import { journeysFile, pages } from './pages.ts';

if (process.argv.includes('--journeys')) writeFileSync(journeysFile, journeyLines(recordJourneys(), operations));
// The transcripts are made by running it.
await build();
for (const { path, text } of pages()) writeFileSync(path, text);
