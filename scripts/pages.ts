import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleConfig } from '../src/config/configTexts.ts';
import { configJsonSchema, planJsonSchema } from '../src/config/jsonSchema.ts';
import { commandText, missingCommands } from '../src/config/missingCommands.ts';
import { areas } from '../src/program/areas.ts';
import { schemaNames } from '../src/program/config/commands.ts';
import { resources } from '../src/resources/index.ts';
import { keymap } from '../src/screens/keymap.ts';
import { operations } from '../test/contract/operations.ts';
import { withCommandLine } from './commandLinePage.ts';
import { type ConfigSchema, configPage } from './configPage.ts';
import { coveragePage, type DocumentedOperation, keyFor } from './coveragePage.ts';
import { keysPage } from './keysPage.ts';
import { limitsPage } from './limitsPage.ts';
import { manualPage } from './manualPage.ts';
import { withSamples, withTests } from './samples.ts';
import { screensPage } from './screensPage.ts';
import { snapshotPage } from './snapshotPage.ts';
import { type TestModule, testHelpersPage } from './testHelpersPage.ts';
import { transcriptsPage } from './transcriptsPage.ts';

/** The journey of each operation, as recorded by `npm run docs -- --journeys`. */
export const journeysFile = 'docs/journeys.tsv';

/** The path and text of every generated page. The current directory must be the root of the repository. */
export function pages(): readonly { path: string; text: string }[] {
  const { version, versionDate } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  return [
    { path: 'docs/commands.toml', text: withMissing(readFileSync('docs/commands.toml', 'utf8')) },
    { path: 'docs/config.schema.json', text: configJsonSchema(schemaNames()) },
    { path: 'docs/plan.schema.json', text: planJsonSchema() },
    { path: 'docs/config.md', text: configPage(JSON.parse(configJsonSchema()) as ConfigSchema, sampleConfig) },
    { path: 'docs/skydeck.1', text: manualPage(version, versionDate) },
    { path: 'docs/manual.md', text: withCommandLine(readFileSync('docs/manual.md', 'utf8')) },
    { path: 'docs/keys.md', text: keysPage(keymap, resources) },
    { path: 'docs/limits.md', text: limitsPage(resources, sections()) },
    { path: 'docs/snapshot.md', text: snapshotPage(areas) },
    { path: 'docs/coverage.md', text: coveragePage(coverageInput()) },
    { path: 'docs/transcripts.md', text: transcriptsPage() },
    { path: 'docs/screens.md', text: screensPage() },
    { path: 'test/README.md', text: testHelpersPage(testModules()) },
    { path: 'CONTRIBUTING.md', text: withTests(readFileSync('CONTRIBUTING.md', 'utf8')) },
    { path: 'README.md', text: withSamples(readFileSync('README.md', 'utf8')) },
  ];
}

/** Commands to copy, those that Skydeck adds by itself between two comments. */
function withMissing(page: string): string {
  const [begin, end] = ['# The palette and the actions menu offer to add these.\n', '\n# end\n'];
  const [before = ''] = page.split(begin);
  return `${before}${begin}${missingCommands.map((one) => `\n${commandText(one)}`).join('')}${end}${page.split(end).slice(1).join(end)}`;
}

const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

function sections(): (method: string, path: string) => string | undefined {
  const rows = lines('test/contract/operations.tsv').map((line) => line.split('\t'));
  const byNumber = new Map(rows.map(([n = '', , , section = '']) => [Number(n), section]));
  const known = new Map(operations.map((one) => [keyFor(one), byNumber.get(one.n)]));
  return (method, path) => known.get(keyFor({ method, path }));
}

function coverageInput() {
  const contract = testsIn('test/contract');
  const journeys = new Map(
    lines(journeysFile).map((line) => {
      const [operation = '', file = ''] = line.split('\t');
      return [operation, file] as const;
    }),
  );
  return {
    resources,
    operations,
    contractTest: ({ method, path }: DocumentedOperation) =>
      contract.find(({ text }) => text.includes(`'${method} ${path}': {`))?.path,
    journey: ({ method, path }: DocumentedOperation) => journeys.get(`${method} ${path}`),
  };
}

const testModules = (): readonly TestModule[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => ({ path: `test/${name}`, text: readFileSync(join('test', name), 'utf8') }));

const testsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /\.test\.tsx?$/.test(name))
    .sort()
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(folder, name), 'utf8') }));
