/** Writes the pages that are printed from the sources: `npm run docs`. With `--journeys` it first runs every journey to see what each carries out. */
import { writeFileSync } from 'node:fs';
import { operations } from '../test/contract/operations.ts';
import { journeyLines, recordJourneys } from './journeys.ts';
import { journeysFile, pages } from './pages.ts';

if (process.argv.includes('--journeys')) writeFileSync(journeysFile, journeyLines(recordJourneys(), operations));
for (const { path, text } of pages()) writeFileSync(path, text);
