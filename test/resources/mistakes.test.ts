import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const right = `
import { type Resource, type Row, resource } from '${resolve('src/resources/resource.ts')}';
type Volume = Row & { id: number; label: string; specs: { size: number } | null };
export const volumes: Resource = resource<Volume>()({
  name: 'volumes',
  one: 'volume',
  many: 'Volumes',
  area: 'Storage',
  id: 'id',
  param: 'volumeId',
  under: 'servers',
  sort: '-Size',
  label: (volume) => volume.label,
  fields: { label: { label: 'Label', kind: 'text' }, size: { label: 'Size', kind: 'integer', fallback: 20 }, server: { label: 'Server', kind: 'reference', to: 'servers' } },
  columns: [
    { title: 'Label', value: 'label' },
    { title: 'Size', value: 'specs.size' },
    { title: 'Now', value: () => 1, fetches: 'stats' },
    { title: 'State', value: () => 'on', format: 'status', words: ['on'] },
  ],
  sections: [{ title: 'Large', only: ({ specs }) => Number(specs?.size) > 1000, columns: ['Label', 'Size'] }],
  edit: { name: 'edit', key: 'e', help: 'Edit', method: 'PUT', path: '/volumes', body: ['label!'], invalidates: ['tags'] },
  remove: {
    name: 'delete',
    key: 'd',
    help: 'Delete',
    method: 'DELETE',
    path: '/volumes',
    ask: { warning: (volume) => volume.label, typeLabel: true },
    inverse: 'Its data are gone.',
  },
  actions: [
    {
      name: 'clone',
      key: 'c',
      help: 'Clone',
      method: 'POST',
      path: '/volumes/clone',
      fields: { into: { kind: 'text' } },
      body: ['into!', 'server', 'size'],
      prefill: 'stats',
      ask: { note: 'It is charged for.', question: ({ label }, _view, { into }) => label + into },
      refuse: (volume) => (volume.label ? undefined : 'it has no label'),
      inverse: () => ({ action: 'delete' }),
    },
    {
      name: 'rename',
      key: 'r',
      help: 'Change the label',
      on: 'Change the label of {}',
      method: 'PUT',
      body: ['label'],
    },
  ],
  tabs: [
    { title: 'Disks', list: 'disks' },
    { title: 'Graphs', screen: 'graphs', uses: ['stats', 'disks.list'] },
    { title: 'Load', answer: 'stats' },
  ],
  opensAt: 'Load',
  operations: { stats: { method: 'GET', path: '/volumes/stats' } },
});
`;

/** The name of each mistake, the right text, the wrong one, and what the compiler says of it. */
const mistakes: readonly [name: string, right: string, wrong: string, says: RegExp][] = [
  ['field', "body: ['label!']", "body: ['labl!']", /"action edit: no field is called labl"/],
  ['actionField', "body: ['into!',", "body: ['onto!',", /"action clone: no field is called onto"/],
  ['kind', "kind: 'integer', fallback: 20", 'fallback: 21', /Types of property 'fallback' are incompatible/],
  ['ownKind', "into: { kind: 'text' }", "into: { unit: 'GiB' }", /Property 'kind' is missing/],
  ['noKind', "into: { kind: 'text' }", "into: { kind: 'texts' }", /'"texts"' is not assignable to type 'FieldKind/],
  ['fallback', "'server', 'size'", "'server', 'size!'", /"action clone: size is required, so it has no fallback"/],
  [
    'ownFallback',
    "kind: 'text' } },\n      body",
    "kind: 'text', fallback: 'x' } },\n      body",
    /"action clone: into is required/,
  ],
  ['column', "value: 'label'", "value: 'lable'", /"column Label: the row has no lable"/],
  ['path', "value: 'specs.size'", "value: 'specs.gigabytes'", /"column Size: the row has no specs.gigabytes"/],
  ['id', "id: 'id'", "id: 'ident'", /"id: the row has no ident"/],
  ['fetches', "fetches: 'stats'", "fetches: 'statistics'", /"column Now: no operation is called statistics"/],
  ['prefill', "prefill: 'stats'", "prefill: 'status'", /"action clone: no operation is called status"/],
  ['answer', "answer: 'stats'", "answer: 'load'", /"tab Load: no operation is called load"/],
  ['sort', "sort: '-Size'", "sort: '-Sise'", /"sort: no column is called -Sise"/],
  ['section', "columns: ['Label', 'Size']", "columns: ['Label', 'Sice']", /"section Large: no column is called Sice"/],
  ['opensAt', "opensAt: 'Load'", "opensAt: 'Loads'", /"opensAt: no tab is called Loads"/],
  ['screen', "screen: 'graphs'", "screen: 'serverGraph'", /'"serverGraph"' is not assignable to type 'ScreenName'/],
  ['uses', "uses: ['stats',", "uses: ['status',", /"tab Graphs: no operation is called status"/],
  ['usesOf', "'disks.list'", "'disk.list'", /"tab Graphs: no operation is called disk.list"/],
  ['deletion', 'ask: { warning: (volume) =>', 'ask: { question: (volume) =>', /Property '?warning'? is missing/],
  [
    'deletionUnasked',
    'ask: { warning: (volume) => volume.label, typeLabel: true }',
    'ask: false',
    /Type 'boolean' is not assignable to type 'Warning</,
  ],
  ['question', '=> label + into', '=> label === into', /Type 'boolean' is not assignable to type 'string/],
  ['part', "ask: { note: 'It is", "ask: { hint: 'It is", /'hint' does not exist in type 'Ask/],
  [
    'deletionFinal',
    "inverse: 'Its data",
    "staysOut: 'Its data",
    /"action remove: inverse takes it back, or says why nothing does"/,
  ],
  ['final', "inverse: () => ({ action: 'delete' })", 'leaves: { size: 0 }', /"action clone: inverse takes it back/],
  ['on', "on: 'Change", "staysOut: 'Change", /"action rename: on says where in its help the rows stand"/],
  ['words', "words: ['on']", 'keep: 2', /"column State: words are all that a status can be"/],
  ['list', "list: 'disks'", "list: 'disk'", /'"disk"' is not assignable to type 'ResourceName'/],
  ['reference', "to: 'servers'", "to: 'server'", /'"server"' is not assignable to type .*ResourceName/],
  ['invalidates', "invalidates: ['tags']", "invalidates: ['tag']", /'"tag"' is not assignable to type 'ResourceName'/],
  ['under', "under: 'servers'", "under: 'server'", /'"server"' is not assignable to type 'ResourceName/],
];

let folder: string;
/** All that the compiler says, by the name of the file without its ending. */
let complaints: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(resolve('node_modules/.mistakes-'));
  const files = [['right', right], ...mistakes.map(([name, from, to]) => [name, right.replace(from, to)])] as const;
  await Promise.all(files.map(([name = '', text = '']) => writeFile(join(folder, `${name}.ts`), text)));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: resolve('tsconfig.json'), include: ['*.ts'] }),
  );
  const said = await new Promise<string>((done) => {
    const args = [resolve('node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', folder];
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => done(stdout));
  });
  complaints = new Map(
    files.map(([name = '']) => [
      name,
      said
        .split(/^(?=\S)/m)
        .filter((line) => line.startsWith(`${name}.ts`))
        .join(''),
    ]),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a right description is compiled', () => {
  expect(complaints.get('right')).toBe('');
});

test.each(mistakes)('a wrong one is not, and the compiler names the mistake: %s', (name, from, to, says) => {
  expect(right).toContain(from);
  expect(right).not.toContain(to);
  expect(complaints.get(name)).toMatch(says);
});
