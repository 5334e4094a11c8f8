import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { areas } from '../../src/program/areas.ts';
import { textTable } from '../../src/program/document.ts';
import type { Format } from '../../src/program/invocation.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { csv } from '../../src/text/csv.ts';
import { visibleJson } from '../../src/text/escapes.ts';
import { emptyAreas, pathOf, type Route, serve } from './apiServer.ts';
import { takeSnapshot } from './takeSnapshot.ts';

type Server = Awaited<ReturnType<typeof serve>>;
let server: Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const now = Date.parse('2026-05-13T12:00:00Z');
const context = { now, glyphs: 'unicode' as const };

const volume = (id: number, label: string, status: string, more: object = {}) => ({
  id,
  label,
  status,
  size: 20,
  region: 'us-east',
  server_id: null,
  server_label: null,
  tags: ['web', 'prod'],
  created: '2026-05-13T10:00:00',
  ...more,
});
const event = (id: number, action: string, status: string, more: object = {}) => ({
  id,
  action,
  status,
  created: '2026-05-13T11:58:00',
  entity: { id: 1, label: `web-${id}`, type: 'server' },
  secondary_entity: null,
  percent_complete: null,
  time_remaining: null,
  username: 'operator',
  read: false,
  seen: false,
  ...more,
});

async function taken(area: string, format: Format, routes: Record<string, Route>, id?: string, width?: number) {
  server = await serve(routes);
  return takeSnapshot(server.client(), { area, id }, format, { ...context, width });
}

const places = ['home', 'activity', 'events'].flatMap((area) =>
  (['text', 'csv', 'json'] as const).map((format) => ({ area, format })),
);

it.each(places)('$area as $format has no token of a transfer', async ({ area, format }) => {
  const entity = { id: '123E4567', label: '123E4567', type: 'entity_transfer', url: '/transfers/123E4567' };
  const rows = [event(7, 'entity_transfer_create', 'notification', { entity })];
  const { text } = await taken(area, format, { ...emptyAreas, [pathOf('events')]: () => ({ rows }) });
  expect(text).toMatch(/entity.transfer.create/);
  expect(text).not.toContain('123E4567');
});

describe('a snapshot of an area', () => {
  const rows = [volume(2, 'web-10', 'active'), volume(1, 'web-9', 'resizing', { label: 'web-9\x1b[2J\u202e' })];
  const routes = { [pathOf('volumes')]: () => ({ rows }) };

  it('is an aligned table in the order of the list', async () => {
    const { text, missing } = await taken('volumes', 'text', routes);
    expect(missing).toEqual([]);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^STATUS +LABEL +SIZE/);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('◐ resizing  web-9⟨RLO⟩');
    expect(lines[2]).toContain('● active    web-10');
    const column = (lines[0] ?? '').indexOf('REGION');
    for (const line of lines.slice(1)) expect(line.slice(column)).toMatch(/^us-east/);
    expect(text).not.toContain('\x1b');
  });

  it('leaves out columns where the terminal is narrow', async () => {
    const { text } = await taken('volumes', 'text', routes, undefined, 60);
    expect(text).toContain('LABEL');
    expect(text).not.toContain('REGION');
  });

  it('reads what its columns look at, and says what of that is missing', async () => {
    const tags = {
      [pathOf('tags')]: () => ({ rows: [{ label: 'prod' }, { label: 'web' }, { label: 'idle' }] }),
      [pathOf('servers')]: () => ({ rows: [{ id: 1, tags: ['prod'] }] }),
      [pathOf('domains')]: () => ({ rows: [] }),
      [pathOf('nodebalancers')]: () => ({ rows: [] }),
    };
    const { text, missing } = await taken('tags', 'csv', { ...tags, ...routes });
    expect(missing).toEqual([]);
    expect(text.split('\r\n').slice(0, 4).join(' ')).toBe(
      'Label,Servers,Volumes,Domains,NodeBalancers,Total idle,,,,,0 prod,1,2,,,3 web,,2,,,2',
    );
    await server?.close();
    const without = await taken('tags', 'csv', tags);
    expect(without.text).toContain('prod');
    expect(without.missing).toEqual([expect.stringMatching(/^Volumes could not be read: /)]);
    await server?.close();
    expect((await taken('tags', 'csv', { ...tags, ...routes }, 'web')).text).not.toContain('prod');
  });

  it('is the rows as JSON, with nothing a terminal would obey', async () => {
    const { text } = await taken('volumes', 'json', routes);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(JSON.parse(text)).toEqual({ area: 'volumes', takenAt: '2026-05-13T12:00:00.000Z', rows, missing: [] });
  });

  it.each(areas.flatMap(({ name, list }) => (list ? [name] : [])))(
    'of %s has no secret in its document',
    async (area) => {
      const secret = 'hunter2-hunter2';
      const row = {
        id: 1,
        label: 'one',
        token: secret,
        password: secret,
        upload_to: secret,
        configs: [{ ssl_key: secret, nodes: [{ private_key: secret }] }],
      };
      const { under } = resourceNamed(area);
      const above = under && { [pathOf(under)]: () => ({ rows: [{ id: 1 }] }) };
      const own = pathOf(area).replace(/\{\w+\}/, '1');
      const { text } = await taken(area, 'json', { ...emptyAreas, ...above, [own]: () => ({ rows: [row] }) });
      expect(JSON.parse(text).rows).toMatchObject([{ label: 'one', token: '[redacted]' }]);
      expect(text).not.toContain(secret);
    },
  );

  it('is not taken where something could be changed', async () => {
    server = await serve(emptyAreas);
    const api = connect({ baseUrl: server.baseUrl, token: 'token-of-the-test' });
    await expect(takeSnapshot(api, { area: 'volumes' }, 'json', context)).rejects.toThrow('read-only client');
    await api.close();
    expect(server.asked).toEqual([]);
  });

  it('is a document also where nothing could be read, which says what is missing', async () => {
    const refused = { [pathOf('volumes')]: () => ({ status: 403, body: { errors: [{ reason: 'Unauthorized' }] } }) };
    for (const area of ['volumes', 'problems', 'home', 'managed']) {
      const { text, missing } = await taken(area, 'json', area === 'volumes' ? refused : {});
      expect(JSON.parse(text)).toMatchObject({ area, rows: [], missing });
      expect(missing).not.toEqual([]);
      await server?.close();
    }
    const { text, missing } = await taken('object-storage', 'json', { [pathOf('buckets')]: () => ({ rows: [] }) }, '7');
    expect(JSON.parse(text)).toMatchObject({ rows: [], missing });
  });

  it('is printed whole in a pipe: all columns, no value cut', async () => {
    const label = 'a-very-long-label-'.repeat(5);
    const text = (
      await taken('volumes', 'text', { [pathOf('volumes')]: () => ({ rows: [volume(1, label, 'active')] }) })
    ).text;
    expect(text).toContain(label);
    expect(text).not.toContain('…');
    expect(text.split('\n')[0]).toMatch(/^STATUS +LABEL .* ID +HARDWARE +CREATED$/);
  });

  it('asks for each row what the columns need, and leaves a cell emptyAreas where there is nothing to tell', async () => {
    const servers = [1, 2, 3].map((id) => ({ id, label: `web-${id}`, status: 'running', specs: { vcpus: 4 } }));
    const path = pathOf('servers');
    const readings = [
      [now - 600_000, 40],
      [now - 300_000, 80],
    ];
    const routes: Record<string, Route> = {
      [path]: () => ({ rows: servers }),
      [`${path}/1/stats`]: () => ({ body: { title: 't', data: { cpu: readings } } }),
      [`${path}/2/stats`]: () => ({
        status: 400,
        body: { errors: [{ reason: 'Stats are unavailable at this time.' }] },
      }),
      [`${path}/3/stats`]: () => ({ status: 403, body: { errors: [{ reason: 'Unauthorized' }] } }),
    };
    const { text, missing } = await taken('servers', 'csv', routes);
    const [titles = '', ...lines] = text.trimEnd().split('\r\n');
    const place = titles.split(',').indexOf('CPU');
    expect(lines.map((line) => line.split(',')[place])).toEqual(['20', '', '']);
    expect(missing).toEqual([expect.stringMatching(/^Statistics of 1 server could not be read: /)]);
  });

  it('tells the health and the ports of NodeBalancers', async () => {
    const path = pathOf('nodebalancers');
    const config = (port: number, up: number, down: number) => ({ id: port, port, nodes_status: { up, down } });
    const { text } = await taken('nodebalancers', 'text', {
      [path]: () => ({ rows: [{ id: 5, label: 'front' }] }),
      [`${path}/5/configs`]: () => ({ rows: [config(80, 2, 1), config(443, 3, 0)] }),
    });
    const [titles, line] = text.split('\n');
    expect(titles).toMatch(/^LABEL +UP\/DOWN +PORTS/);
    expect(line).toMatch(/^front +✗ 5 up 1 down +80, 443/);
  });

  it('asks nothing for each of very many rows', async () => {
    const many = Array.from({ length: 101 }, (_, id) => ({ id, label: `web-${id}`, status: 'running' }));
    const { text, missing } = await taken('servers', 'text', { [pathOf('servers')]: () => ({ rows: many }) });
    // The types are one list, however many servers there are.
    expect(server?.asked).toEqual([`GET ${pathOf('servers')}`, `GET ${pathOf('server-types')}`]);
    expect(text).not.toMatch(/ CPU /);
    expect(missing).toEqual([]);
  });

  it('is CSV with values as the API gives them', async () => {
    const { text } = await taken('volumes', 'csv', routes);
    const [header, first] = text.split('\r\n');
    expect(header).toMatch(/^Status,Label,Size,Region,Attached to,Tags,ID/);
    expect(first).toMatch(/^resizing,web-9⟨RLO⟩,20,us-east,,web prod,1,/);
  });

  it('has every row, whatever its id is, and ids as they are written', async () => {
    const ids = ['9007199254740993', '9007199254740992', 'null', 'null', '{}', '[]', '""'];
    const list = ids.map((id, index) => `{"id": ${id}, "label": "v-${index}", "status": "active", "size": 20}`);
    const route = () => ({ text: `{"data": [${list}], "page": 1, "pages": 1, "results": ${ids.length}}` });
    const { text, missing } = await taken('volumes', 'csv', { [pathOf('volumes')]: route });
    expect(missing).toEqual([]);
    const lines = text.trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[1])).toEqual(ids.map((_, index) => `v-${index}`));
    for (const id of ids.slice(0, 2)) expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
    await server?.close();
    const { rows: told } = JSON.parse((await taken('volumes', 'json', { [pathOf('volumes')]: route })).text);
    expect(told.map(({ id }: { id: unknown }) => id)).toEqual([...ids.slice(0, 2), null, null, {}, [], '']);
  });

  it('reads every page once', async () => {
    const many = Array.from({ length: 250 }, (_, index) => volume(index, `v-${index}`, 'active'));
    const route: Route = (url) => {
      const page = Number(url.searchParams.get('page'));
      return { body: { data: many.slice((page - 1) * 100, page * 100), page, pages: 3, results: 250 } };
    };
    const { text } = await taken('volumes', 'json', { [pathOf('volumes')]: route });
    expect(JSON.parse(text).rows).toHaveLength(250);
    expect(server?.asked).toHaveLength(3);
  });

  it('leaves out what would take rows of other areas to be right', async () => {
    const region = { id: 'us-east', status: 'ok', country: 'us', capabilities: ['Servers'] };
    const { text } = await taken('regions', 'csv', { [pathOf('regions')]: () => ({ rows: [region] }) });
    expect(text).toMatch(/^ID,Country,Status,Capabilities,/);
    expect(resourceNamed('regions').columns.map(({ title }) => title)).toContain('NodeBalancers');
  });

  it('shows one row by its id', async () => {
    const path = pathOf('volumes');
    const one = { [`${path}/7`]: () => ({ body: volume(7, 'data', 'active') }) };
    const { text } = await taken('volumes', 'text', one, '7');
    expect(text).toMatch(/^Status +● active\nLabel +data\n/);
    expect(server?.asked).toEqual([`GET ${path}/7`]);
    await server?.close();
    expect(JSON.parse((await taken('volumes', 'json', one, '7')).text).rows).toHaveLength(1);
  });

  it('says when there is nothing', async () => {
    expect((await taken('volumes', 'text', { [pathOf('volumes')]: () => ({ rows: [] }) })).text).toBe(
      'There are no rows in Volumes.\n',
    );
  });

  it('names what is missing and prints nothing of it', async () => {
    const { text, missing } = await taken('volumes', 'text', { [pathOf('volumes')]: () => ({ status: 403 }) });
    expect(text).toBe('');
    expect(missing).toHaveLength(1);
    expect(missing[0]).toMatch(/^Volumes could not be read: The token has no permission for GET .*403/);
  });
});

describe('a snapshot of home', () => {
  const routes: Record<string, Route> = {
    ...emptyAreas,
    [pathOf('volumes')]: () => ({
      rows: [volume(1, 'a', 'active'), volume(2, 'b', 'Active'), volume(3, 'c', 'creating')],
    }),
    [pathOf('regions')]: () => ({ rows: [{ id: 'us-east', status: 'outage', country: 'us', capabilities: [] }] }),
    [pathOf('events')]: () => ({
      rows: [
        event(9, 'server_resize', 'started', { percent_complete: 68 }),
        event(8, 'server_boot', 'finished'),
        event(7, 'brand_new_thing', 'finished', { entity: null }),
      ],
    }),
  };

  it('says problems, counts, what is going on and what happened last', async () => {
    const { text, missing, problems } = await taken('home', 'text', routes);
    expect(missing).toEqual([]);
    expect(problems[0]).toMatchObject({ severity: 'critical', resource: 'regions', params: { regionId: 'us-east' } });
    const order = [
      'Skydeck  2026-05-13 12:00 UTC',
      'Problems\nSEVERITY',
      '✗ critical  us-east has an outage; it affects 3 volumes',
      'Volumes',
      'Happening now',
      'Last activity',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(text).toMatch(/Volumes +3 {2}● active 2 {2}◐ creating 1/);
    expect(text).toMatch(/Happening now\n.*\n.*started.*server resize +web-9.*32%/);
    expect(text).toMatch(/Last activity\n.*\n.*2 min.*server boot +web-8.*\n.*brand new thing/);
  });

  it('is the same facts as rows of JSON and CSV', async () => {
    const { text } = await taken('home', 'json', routes);
    const { area, problems, rows } = JSON.parse(text);
    expect(area).toBe('home');
    const says = 'us-east has an outage; it affects 3 volumes';
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: 'critical', rule: 'region-outage', label: 'us-east', says, since: null }),
    );
    expect(rows).toContainEqual({ section: 'counts', subject: 'volumes', status: 'active', value: 2 });
    expect(rows).toContainEqual({
      section: 'happening now',
      subject: 'server resize web-9',
      status: 'started',
      value: 68,
    });
    await server?.close();
    const table = await taken('home', 'csv', routes);
    expect(table.text).toContain(`section,subject,status,value\r\nproblems,${says},critical,\r\n`);
  });

  it('goes on without a part and names it', async () => {
    const partly = { ...routes, [pathOf('servers')]: () => ({ status: 403 }) };
    const { text, missing } = await taken('home', 'text', partly);
    expect(text).toContain('Volumes');
    expect(text).not.toContain('Servers ');
    expect(missing).toHaveLength(1);
    expect(missing[0]).toMatch(/^Servers could not be read: /);
  });

  it.each(['text', 'csv', 'json', 'jsonl'] as const)(
    'tells as %s the problems of a list that is not whole',
    async (format) => {
      const data = [volume(1, 'data', 'creating', { updated: '2020-01-01T00:00:00' })];
      const short = { [pathOf('volumes')]: () => ({ body: { data, page: 1, pages: 1, results: 9 } }) };
      const { text, missing } = await taken('problems', format, short);
      expect(missing).toContainEqual(expect.stringContaining('Only 1 of 9 volumes could be read'));
      expect(text).toContain('data has been creating');
    },
  );

  it('prints nothing where nothing answers', async () => {
    const { text, missing } = await taken('home', 'text', {});
    expect(text).toBe('');
    expect(missing.length).toBeGreaterThan(2);
  });
});

describe('printing', () => {
  const column = (title: string, keep: 1 | 2 | 3 = 1) => ({
    title,
    keep,
    value: (row: Record<string, unknown>) => row[title],
  });

  it('quotes CSV by RFC 4180', () => {
    const row = { a: 'x,y', b: 'say "hi"', c: 'two\nlines', d: 'plain' };
    expect(
      csv(
        ['a', 'b', 'c', 'd'].map((title) => column(title)),
        [row],
      ),
    ).toBe('a,b,c,d\r\n"x,y","say ""hi""","two\nlines",plain\r\n');
  });

  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '  =1', '\x1b[0m=1', '\x00@a', '\x7f+1', '\n-1'])(
    'guards %j against running in a spreadsheet',
    (a) => {
      expect(csv([column('a')], [{ a }])).toMatch(/^a\r\n"?'/);
    },
  );

  it.each(['＝1+1', '＋1', '－1', '＠SUM(A1)', ' ＝1'])('guards full-width %j as well', (a) => {
    expect(csv([column('a')], [{ a }])).toBe(`a\r\n'${a}\r\n`);
  });

  it.each([
    [';=1+1', ";'=1+1"],
    // Where lines are not taken for one quoted value, as behind a value without quotes, each is a row.
    ['a\n=1+1', '"a\n\'=1+1"'],
    ['a\r\n "@x', '"a\n ""\'@x"'],
    ['a; =1', "a; '=1"],
    ['x;"@A1', '"x;""\'@A1"'],
    ['a;b', 'a;b'],
  ])('guards what semicolons and lines would make values of: %j', (a, written) => {
    expect(csv([column('a')], [{ a }])).toBe(`a\r\n${written}\r\n`);
  });

  it('leaves numbers as they are', () => {
    expect(csv([column('a')], [{ a: -5 }, { a: null }, { a: true }, { a: { b: 1 } }, { a: -Infinity }])).toBe(
      'a\r\n-5\r\n\r\ntrue\r\n"{""b"":1}"\r\n\r\n',
    );
  });

  it('strips what a terminal would obey from CSV', () => {
    expect(csv([column('a')], [{ a: 'x\x1b]0;title\x07y\x9b2J' }])).not.toMatch(
      /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/,
    );
  });

  it('keeps columns straight beside wide characters', () => {
    const rows = [
      { a: '世界', b: 'x' },
      { a: 'ab', b: 'y' },
    ];
    expect(textTable([column('a'), column('b')], rows, context)).toBe('A     B\n世界  x\nab    y\n');
  });

  it('writes JSON that is the same when it is read', () => {
    const value = { text: 'a\x9b\x7f\u202e\u2028\u{1f600}"\\' };
    expect(JSON.parse(visibleJson(value))).toEqual(value);
    expect(visibleJson(value)).not.toMatch(/[\x7f-\x9f\u202e\u2028]/);
  });
});
