import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { patchedDependencies, replacements } from '../scripts/patches.ts';
import { Segmenter } from '../scripts/replacements.ts';
import { bundle } from './build.ts';
import { serve } from './main/apiServer.ts';
import { environment } from './main/program.ts';
import { openPty } from './terminal/pty.ts';
import { anyText } from './text/anyText.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skydeck-patches-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Plain letters, drawing characters, and what joins, widens or reorders. */
const pieces = [
  'a',
  '~',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\x1b[31m',
  'é',
  'e\u0301',
  '\u00ad',
  '…',
  '❯',
  '▁',
  '⣿',
  '→',
  '☔',
  '❗',
];
const clusters = [
  '👩‍👧',
  '🇩🇪',
  '©',
  '©\ufe0f',
  '▶\ufe0f',
  '▶\u20e3',
  '\u200d',
  '日',
  'ㄱ',
  '각',
  'क्ष',
  'ﾞ',
  '\ud83d',
  '\u061c',
];
const texts = oneof(string({ unit: constantFrom(...pieces, ...clusters) }), anyText(), string({ unit: 'grapheme' }));
const everyUnit = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

/** A module of a dependency, by itself or as the bundle has it. */
async function bundled(name: string, changes: BuildOptions = {}): Promise<unknown> {
  const outfile = join(folder, `${name}${changes.plugins ? '-patched' : ''}.mjs`);
  await build({
    stdin: { contents: `export { default } from '${name}'`, resolveDir: '.' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    ...changes,
  });
  return (await import(pathToFileURL(outfile).href)).default;
}

describe('what takes the place of a slower part in the bundle does the same', () => {
  const plain = (segments: Iterable<{ segment: string; index: number }>) =>
    Array.from(segments, ({ segment, index }) => [segment, index]);
  const [ours, icu] = [new Segmenter(), new Intl.Segmenter()];
  /** An assertion costs more than the comparison, and there are tens of thousands. */
  const isSame = (text: string) =>
    JSON.stringify(plain(ours.segment(text))) === JSON.stringify(plain(icu.segment(text)));

  it('divides every text into the same graphemes', () => {
    assert(
      property(texts, (text) => isSame(text)),
      { numRuns: 700 },
    );
    expect(everyUnit.filter((unit) => !isSame(`a${unit}\u2500${unit}`))).toEqual([]);
  });

  it('finds the grapheme at every place', () => {
    assert(
      property(texts, integer({ min: 0, max: 12 }), (text, place) => {
        const { segment, index } = new Intl.Segmenter().segment(text).containing(place) ?? {};
        expect(new Segmenter().segment(text).containing(place)).toEqual(
          segment && expect.objectContaining({ segment, index }),
        );
      }),
    );
  });

  it('measures every text alike', async () => {
    type Width = (text: string, options?: { ambiguousIsNarrow?: boolean }) => number;
    const stringWidth = (await bundled('string-width')) as Width;
    const width = (await bundled('string-width', { ...replacements, plugins: [patchedDependencies] })) as Width;
    assert(
      property(texts, constantFrom(true, false), (text, ambiguousIsNarrow) => {
        expect(width(text, { ambiguousIsNarrow })).toBe(stringWidth(text, { ambiguousIsNarrow }));
      }),
      { numRuns: 700 },
    );
    expect(everyUnit.filter((unit) => width(`${unit}\u2500`) !== stringWidth(`${unit}\u2500`))).toEqual([]);
  });
});

it('the program copies nothing of what dependencies import of Node as a whole', async () => {
  const copied = /\w+\(require\("node:\w+"\),1\)/g;
  const [script = ''] = (await readdir('dist')).filter((name) => /^program-.*\.js$/.test(name));
  const found = (await readFile(join('dist', script), 'utf8')).match(copied) ?? [];
  expect(found.filter((text) => /"node:(fs|os|process|tty)"/.test(text))).toEqual([]);
  expect(found).not.toEqual([]);
});

it('the program asks an API without loading what it has no use for', async () => {
  const api = await serve({});
  onTestFinished(api.close);
  const says = `process.on('exit',()=>console.log(process.moduleLoadList.filter((name)=>/deps.undici|^NativeModule (http2|crypto|child_process|stream.consumers)$/.test(name)).join()||'neither'))`;
  const env = environment(folder, { SKYDECK_TOKEN: 'token', SKYDECK_BASE_URL: api.baseUrl });
  const pty = openPty(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(says)}`, bundle], {
    env,
  });
  await pty.waitFor('is not the API (404)');
  await pty.exit;
  await pty.waitFor('neither');
});
