import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withCommandLine } from '../scripts/commandLinePage.ts';
import { type CoverageInput, coveragePage } from '../scripts/coveragePage.ts';
import { journeyLines } from '../scripts/journeys.ts';
import { keysPage } from '../scripts/keysPage.ts';
import { limitsPage } from '../scripts/limitsPage.ts';
import { manualPage } from '../scripts/manualPage.ts';
import { code, plain } from '../scripts/markdown.ts';
import { journeysFile, pages } from '../scripts/pages.ts';
import { withSamples } from '../scripts/samples.ts';
import { screensPage } from '../scripts/screensPage.ts';
import { svgOf } from '../scripts/svg.ts';
import { commandNames } from '../src/program/commandLine/commands.ts';
import { help, helpOf } from '../src/program/commandLine/help.ts';
import { type Row, resource } from '../src/resources/resource.ts';

// Paths as in the documents, written so that no other file than a description holds one.
const path = (rest: string) => `#/${rest}`.replace('#', '/v4');

const buckets = resource<Row & { id: string; label: string }>()({
  name: 'buckets',
  one: 'bucket',
  many: 'Buckets',
  area: 'Storage',
  id: 'id',
  param: 'bucketId',
  label: ({ label }) => label,
  fields: {
    label: { label: 'Label', kind: 'text', min: 3, max: 8, pattern: { test: /^[a-z_]+$/, says: 'a-z or _' } },
    region: { label: 'Region', kind: 'reference', to: 'server-types' },
    draft: { label: 'Draft', kind: 'boolean', local: true },
  },
  columns: [{ title: 'Used', value: () => undefined, fetches: 'use' }],
  list: { method: 'GET', path: path('buckets'), pages: 'whole' },
  create: {
    name: 'create',
    key: 'n',
    help: 'New bucket',
    method: 'POST',
    path: path('buckets'),
    body: ['label!', 'draft'],
  },
  edit: { name: 'edit', key: 'e', help: 'Edit', method: 'PUT', path: path('buckets/{id}'), body: ['label', 'region'] },
  remove: {
    name: 'delete',
    key: 'd',
    help: 'Delete',
    method: 'DELETE',
    path: path('buckets/{bucketId}'),
    ask: { warning: 'It is gone.', typeLabel: true },
    inverse: 'It is gone.',
  },
  actions: [
    {
      name: 'empty',
      key: 'x',
      help: 'Empty | clear',
      on: 'Empty {}',
      method: 'POST',
      path: path('buckets/{bucketId}/empty'),
      inverse: 'It is gone.',
    },
  ],
  tabs: [
    { title: 'Objects', list: 'objects' },
    { title: 'Graphs', screen: 'graphs', uses: ['stats', 'volumes.list'] },
  ],
  operations: {
    use: { method: 'GET', path: path('buckets/{bucketId}/use') },
    stats: { method: 'GET', path: path('buckets/{bucketId}/stats') },
    never: { method: 'GET', path: path('buckets/{bucketId}/never') },
  },
});

const objects = resource<Row>()({
  name: 'objects',
  one: 'object',
  many: 'Objects',
  area: 'Storage',
  id: 'name',
  param: 'objectName',
  under: 'buckets',
  label: ({ name }) => String(name),
  fields: {},
  columns: [],
  shortcuts: [{ name: 'more', key: 'm', help: 'Another bucket', to: 'buckets', action: 'create', start: () => ({}) }],
  list: { method: 'GET', path: path('buckets/{bucketId}/objects'), pages: 'marker' },
  view: { method: 'GET', path: path('buckets/{bucketId}/objects/{objectName}') },
});

const versions = resource<Row>()({
  name: 'volumes',
  one: 'version',
  many: 'Versions',
  area: 'Storage',
  id: 'id',
  param: 'versionId',
  under: 'buckets',
  label: ({ id }) => String(id),
  fields: {},
  columns: [],
  list: { method: 'GET', path: path('buckets/{bucketId}/versions'), pages: 'whole' },
  remove: {
    name: 'delete',
    key: 'd',
    help: 'Delete',
    method: 'DELETE',
    path: path('buckets/{bucketId}/versions/{versionId}'),
    ask: { warning: 'It is gone.' },
    inverse: 'It is gone.',
  },
});

describe('the pages', () => {
  test.each(pages())('$path is as the sources say', ({ path, text }) => {
    const stale =
      existsSync(path) && readFileSync(path, 'utf8') === text ? undefined : `${path} is stale: npm run docs`;
    expect(stale).toBeUndefined();
  });

  test('every journey that is named as a proof is there', () => {
    const files = readFileSync(journeysFile, 'utf8').matchAll(/\t(.+)/g);
    expect([...files].map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the page of keys', () => {
  const layer = {
    title: 'Lists',
    depth: 1,
    keys: { sort: { keys: ['s', '|'], help: 'sort' }, any: { keys: ['any'], help: 'do', writes: true as const } },
  };
  const page = keysPage({ list: layer }, [buckets, objects]);

  test('names each key of a layer, and which ones change something', () => {
    expect(page).toContain(
      '## Lists: `list`\n\n| Action | Keys | What they do |\n| --- | --- | --- |\n| `sort` | `s` `\\|` | sort |\n| `any` | any other | do (changes) |',
    );
  });

  test('names each change with its way and how strongly is asked', () => {
    expect(page).toContain(
      '| `n` | New bucket | form |\n| `e` | Edit | form |\n| `a` `X` | Empty \\| clear | asks |\n| `d` | Delete | type the label |',
    );
    expect(page).toContain(
      '**Objects**\n\n| Keys | What they do | How it begins and what it asks |\n| --- | --- | --- |\n| `a` `M` | Another bucket | form of buckets |',
    );
  });
});

describe('the page of limits', () => {
  const page = limitsPage([buckets, objects], (method) => (method === 'POST' ? '3:4.1' : undefined));

  test('has each field once where its rule is one, with who requires it', () => {
    expect(page).toContain('| Label | `label` | text; 3–8 characters, a-z or \\_ | create\\*, edit | 3:4.1 |');
    expect(page).toContain('| Region | `region` | one of the server types | edit |  |');
  });

  test('leaves out what is never sent', () => {
    expect(page).not.toContain('Draft');
    expect(page).not.toContain('## Objects');
  });
});

describe('the page of coverage', () => {
  const operation = (n: number, method: string, rest: string) => ({ n, method, path: path(rest) });
  const evidence: CoverageInput = {
    resources: [buckets, objects, versions],
    operations: [
      operation(1, 'GET', 'buckets'),
      operation(2, 'PUT', 'buckets/{bucket}'),
      operation(3, 'GET', 'buckets/{bucketId}/objects/{objectName}'),
      operation(4, 'GET', 'buckets/{bucketId}/stats'),
      operation(5, 'GET', 'buckets/{bucketId}/use'),
      operation(6, 'POST', 'buckets/{bucketId}/empty'),
      operation(7, 'GET', 'buckets/{bucketId}/never'),
      operation(8, 'GET', 'elsewhere'),
      operation(9, 'POST', 'buckets'),
      operation(10, 'GET', 'buckets/{bucketId}/versions'),
      operation(11, 'DELETE', 'buckets/{bucketId}/versions/{versionId}'),
    ],
    contractTest: ({ n }) => (n === 1 ? 'test/contract/buckets.test.ts' : undefined),
    journey: ({ n }) => (n <= 2 ? 'test/journeys/buckets.test.tsx' : undefined),
  };
  const page = coveragePage(evidence);
  const row = (n: number) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${n} |`))
      ?.split(' | ')
      .slice(2)
      .join(' | ');

  test('counts what is reached, tried and carried out', () => {
    expect(page).toContain('**8 of 11** documented operations are reached by keys, **1 of 11**');
    expect(page).toContain('and **2 of 11** are carried out by a journey');
  });

  test('says where and how each is reached, whatever its parameters are called', () => {
    expect(row(1)).toBe(
      'Buckets | [buckets](../test/contract/buckets.test.ts) | [buckets](../test/journeys/buckets.test.tsx) |',
    );
    expect(row(2)).toMatch(/^Buckets, `e` Edit \|/);
    expect(row(3)).toMatch(/^Buckets › Objects, `enter` \|/);
    expect(row(4)).toMatch(/^Buckets › Graphs \|/);
    expect(row(5)).toMatch(/^Buckets, column Used \|/);
    expect(row(6)).toMatch(/^Buckets, `a` `X` Empty/);
    expect(row(9)).toMatch(/^Buckets, `n` New bucket; Buckets › Objects, `a` `M` Another bucket \|/);
  });

  test('an operation that is only declared is not reached, nor one that is not', () => {
    expect(row(7)).toMatch(/^not yet \|/);
    expect(row(8)).toMatch(/^not yet \|/);
  });

  test('a custom screen leads to the rows that it uses and to no action that it does not', () => {
    expect(row(10)).toMatch(/^Buckets › Graphs \|/);
    expect(row(11)).toMatch(/^not yet \|/);
  });
});

describe('what journeys prove', () => {
  const operations = ['images', 'images/{imageId}', 'images/upload', 'servers'].map((rest) => ({
    method: 'GET',
    path: path(rest),
  }));
  const seen = (file: string, ...rests: string[]) => rests.map((rest) => ({ file, method: 'GET', path: path(rest) }));

  test('the journey with the fewest operations, by the path with the fewest parameters', () => {
    const lines = journeyLines(
      [
        ...seen('a', 'images', 'images/private/5', 'servers'),
        ...seen('b', 'images', 'images/upload'),
        ...seen('c', 'unknown'),
      ],
      operations,
    );
    expect(lines.split('\n')).toEqual([
      `GET ${path('images')}\tb`,
      `GET ${path('images/{imageId}')}\ta`,
      `GET ${path('images/upload')}\tb`,
      `GET ${path('servers')}\ta`,
      '',
    ]);
  });
});

test('text that Markdown would obey is shown as it is', () => {
  expect(plain('a|b <c> *d* e_f `g` [h]\nnext')).toBe('a\\|b \\<c\\> \\*d\\* e\\_f \\`g\\` \\[h\\] next');
  expect(code('a|b')).toBe('`a\\|b`');
  expect(code('`')).toBe('`` ` ``');
});

describe('a picture of a frame', () => {
  const plainCell = {
    fg: 'default',
    bg: 'default',
    bold: false,
    dim: false,
    inverse: false,
    underline: false,
  } as const;
  const cells = (text: string, style: object = {}) => [...text].map((char) => ({ ...plainCell, ...style, char }));
  const bodyOf = (svg: string) => svg.split('\n').slice(3, -3);

  test('letters that look alike are one text, each at its cell', () => {
    const svg = svgOf([cells('  a<b c  d')], 'A & B');
    expect(svg).toContain('<title>A &amp; B</title>');
    expect(bodyOf(svg).slice(1)).toEqual([
      '<text x="16" y="13" textLength="40">a&lt;b c</text>',
      '<text x="72" y="13">d</text>',
    ]);
  });

  test('what is not ASCII stands alone, and colours are kept, turned round where they are', () => {
    const svg = svgOf([[...cells('●x', { fg: 2, bold: true }), ...cells('y', { inverse: true })]], '');
    expect(bodyOf(svg)).toEqual([
      '<path fill="#d4d7dd" d="M16 0h8v17h-8z"/>',
      expect.stringContaining('<g '),
      '<text x="0" y="13" fill="#8cc570" font-weight="bold">●</text>',
      '<text x="8" y="13" fill="#8cc570" font-weight="bold">x</text>',
      '<text x="16" y="13" fill="#16181d">y</text>',
    ]);
  });

  test('the colours of the cube and the greys are drawn, and those that are named by their parts', () => {
    const coloured = [16, 196, 110, 232, 255, '#012345'].flatMap((bg) => cells('x', { fg: bg, bg }));
    const colours = ['#000000', '#ff0000', '#87afd7', '#080808', '#eeeeee', '#012345'];
    const svg = svgOf([coloured], '');
    expect([...svg.matchAll(/<path fill="(#\w+)"/g)].map(([, colour]) => colour)).toEqual(colours);
    expect([...svg.matchAll(/<text [^>]*fill="(#\w+)"/g)].map(([, colour]) => colour)).toEqual(colours);
  });

  test('blocks, lines and dots are drawn', () => {
    expect(bodyOf(svgOf([cells('█▌─⠁⢀')], '')).slice(0, 1)).toEqual([
      '<path fill="#d4d7dd" d="M0 1h8v15h-8zM8 1h4v15h-4zM16 8h8v1h-8zM25 1h2v2h-2zM37 13h2v2h-2z"/>',
    ]);
  });

  test('cells side by side are one, and shades cover a part of theirs', () => {
    expect(bodyOf(svgOf([cells('██▓▓░ ▅▅█')], '')).slice(0, -1)).toEqual([
      '<path fill="#d4d7dd" d="M0 1h16v15h-16zM48 7h16v9h-16zM64 1h8v15h-8z"/>',
      '<path fill="#d4d7dd" opacity="0.75" d="M16 0h16v17h-16z"/>',
      '<path fill="#d4d7dd" opacity="0.25" d="M32 0h8v17h-8z"/>',
    ]);
  });
});

test('the page of screens shows the pictures that are there, and no other', () => {
  const shown = [...screensPage().matchAll(/\]\(screens\/(.+?)\)/g)].map(([, file = '']) => file);
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.toSorted()).toEqual(readdirSync('docs/screens').toSorted());
});

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

test('the manual has every option that the helps have, and no other', () => {
  const manual = readFileSync('docs/manual.md', 'utf8');
  const options = (text: string) => new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g));
  const helps = [help, ...commandNames.map(helpOf)].join('\n');
  const commandLine = manual.slice(manual.indexOf('## Command line'), manual.indexOf('## Configuration'));
  expect([...options(helps)].filter((option) => !options(commandLine).has(option))).toEqual([]);
  expect(
    [...options(commandLine)].filter((option) => !options(helps).has(option) && !/^--(help|version)$/.test(option)),
  ).toEqual([]);
});

test('the manual names the commands of an option once, each by itself', () => {
  const page = withCommandLine('<!-- options, written by npm run docs -->\n<!-- end -->');
  const beginnings = [...page.matchAll(/^\| `--.*? \| (.*?)(?: \||:)/gm)].map(([, beginning = '']) => beginning);
  expect(beginnings).toContain('with `snapshot`, `export` and `plan show`');
  expect(beginnings).toContain('`snapshot` with `stackscripts`');
  expect(page).not.toMatch(/\| with [^|:]*: with/);
});

test('CONTRIBUTING says of every dependency why it is one', () => {
  const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
  const named = (name: string) => contributing.includes(`\`${name}\``);
  expect(Object.keys(manifest.devDependencies).filter((name) => !named(name))).toEqual([]);
});

test('docs/install.md installs the packages under the names and in the folders where the scripts put them', () => {
  const page = readFileSync('docs/install.md', 'utf8');
  const [, file] = /const file = `(.*)_\$\{version\}_/.exec(readFileSync('scripts/deb.ts', 'utf8')) ?? [];
  expect(page).toContain(` ./${file}_${manifest.version}_amd64.deb`);
  expect(page).toContain(` ${manifest.name}-${manifest.version}.tgz`);
});

test('a sample is the golden file that it names, or its first lines', () => {
  const page = (rest: string) =>
    `a\n<!-- ${rest}, copied by npm run docs -->\n\`\`\`text\nold\n\`\`\`\n<!-- end -->\nb`;
  const golden = readFileSync('test/frames/golden/snapshot-problems.txt', 'utf8').split('\n');
  const lines = withSamples(page('snapshot-problems, the first 2 lines')).split('\n');
  expect(lines.slice(2, -2)).toEqual(['```text', golden[0], golden[1], '```']);
  expect(() => withSamples(page('nothing'))).toThrow('nothing.txt');
});

test('the glossary is short, and every name in it is in the sources', () => {
  const glossary = readFileSync('docs/glossary.md', 'utf8');
  expect(glossary.split('\n').length).toBeLessThanOrEqual(60);
  const names = glossary.match(/(?<=`)[A-Za-z]{3,}(?=`)/g) ?? [];
  expect(names.length).toBeGreaterThan(10);
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const words = new Set(files.flatMap((file) => readFileSync(join('src', file), 'utf8').match(/\w+/g) ?? []));
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

describe.each(['README.md', 'CONTRIBUTING.md', 'docs/manual.md', 'docs/glossary.md'])('%s', (file) => {
  const page = readFileSync(file, 'utf8');
  const folder = dirname(file);

  test('names no script that is not there', () => {
    const scripts = [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test('runs Node as the build brings it', () =>
    expect(page).not.toMatch(/(?<!npx )\bnode (?:--\w|scripts\/|inspect )/));

  test('leads to no file that is not there', () => {
    const links = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    const files = [...page.matchAll(/`((?:src|test|docs|scripts)\/[\w./-]+)`/g)].map(([, name = '']) => name);
    expect(files.filter((name) => !/placement/.test(name) && !existsSync(name))).toEqual([]);
  });
});

describe('the page of man', () => {
  const page = readFileSync('docs/skydeck.1', 'utf8');

  test('has the date of the version, whenever it is made, and a section for each command', () => {
    const { version, versionDate } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(versionDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(page).toBe(manualPage(version, versionDate));
    expect(page).toContain(`.TH SKYDECK 1 "${versionDate}" "skydeck ${version}"`);
    for (const name of commandNames)
      expect(page).toMatch(new RegExp(`^\\.SS skydeck ${name.replace('-', String.raw`\\-`)}\\b`, 'm'));
  });

  test('has nothing of Markdown, and no line of more than 80 bytes', () => {
    expect(page).not.toMatch(/`|\]\(|\*\*/);
    // Names are never broken.
    for (const line of page.split('\n').filter((one) => !one.startsWith('\\fB')))
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(80);
  });

  test.skipIf(spawnSync('mandoc', ['-h']).error)('has nothing that mandoc warns of', () => {
    expect(spawnSync('mandoc', ['-T', 'lint', 'docs/skydeck.1'], { encoding: 'utf8' }).stdout).toBe('');
  });
});
