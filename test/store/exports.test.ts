import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resourceNamed } from '../../src/resources/index.ts';
import { type CacheView, emptyView, type Row, viewWith } from '../../src/resources/row.ts';
import { codeText, type Export, formatsFor, prefixOf } from '../../src/store/export/formats.ts';
import type { ExportedRows } from '../../src/store/export/terraform.ts';

const how = (own: Partial<Export> = {}): Export => ({
  view: emptyView,
  ssh: undefined,
  prefix: 'acme',
  made: 'Made now.',
  ...own,
});

const server = (id: number, label: string, own: Row = {}): Row => ({
  ...{ id, label, ipv4: [`192.0.2.${id}`], region: 'us-east', type: 'small', tags: [] },
  ...own,
});

const of = (resource: string, rows: readonly Row[], params = {}): ExportedRows => ({
  resource,
  lists: [{ params, rows }],
});

describe('import blocks', () => {
  const blocks = (parts: readonly ExportedRows[], view?: CacheView) =>
    [...codeText('terraform-import', parts, how(view && { view })).matchAll(/to = (\S+)\n {2}id = "(.*)"\n}/g)].map(
      ([, to, id]) => [to, id],
    );

  test('name each row by its label and those above it, and have the ids of its path', () => {
    const view = viewWith(emptyView, {
      row: (resource, id) =>
        resource === 'domains' && String(id) === '7' ? { id: 7, domain: 'example.com' } : undefined,
    });
    const record = { id: 31, type: 'A', name: 'www', target: '192.0.2.1' };
    const node = { id: 9, label: 'web-1', address: '192.168.0.1:80' };
    expect(
      blocks(
        [
          of('servers', [server(1, 'web-1')]),
          of('records', [record], { domainId: '7' }),
          of('nodebalancer-nodes', [node], {
            [resourceNamed('nodebalancers').param]: '4',
            [resourceNamed('nodebalancer-configs').param]: '5',
          }),
          of('buckets', [{ label: 'assets', cluster: 'eu-1', hostname: 'x' }]),
        ],
        view,
      ),
    ).toEqual([
      ['acme_instance.web-1', '1'],
      [expect.stringMatching(/^acme_domain_record\.example_com_\w*www/), '7,31'],
      [expect.stringMatching(/^acme_nodebalancer_node\.\w*4_5_web-1$/), '4,5,9'],
      ['acme_object_storage_bucket.eu-1_assets', 'eu-1:assets'],
    ]);
  });

  test('tell apart what is called alike, whatever the order of the API', () => {
    const rows = [server(3, 'web 1'), server(1, 'web.1'), server(2, '1-web'), server(5, 'web_1_3')];
    const named = blocks([of('servers', rows)]);
    expect(named).toEqual(blocks([of('servers', rows.toReversed())]));
    expect(new Set(named.map(([to]) => to)).size).toBe(4);
    expect(named).toContainEqual(['acme_instance.web_1_1', '1']);
    for (const [to] of named) expect(to).toMatch(/^acme_instance\.[A-Za-z_][\w-]*$/);
  });

  test('leave out the rows of the platform, and those without an id with a remark', () => {
    const images = [
      { id: 'acme/debian12', label: 'Debian 12', is_public: true },
      { id: 'private/5', label: 'own', is_public: false },
    ];
    expect(blocks([of('images', images)])).toEqual([['acme_image.own', 'private/5']]);
  });

  test('hold no template and no second line, whatever an id or a label is', () => {
    const id = ['$', '{file("/etc/passwd")}%', '{if true}"\n'].join('');
    const label = 'x\n}\nresource "y" {';
    const made = 'Made\nby "x"\u001b[2J';
    const text = codeText('terraform-import', [of('images', [{ id, label, is_public: false }])], how({ made }));
    expect(text).toContain(['id = "$$', String.raw`{file(\"/etc/passwd\")}%%`, String.raw`{if true}\"\n"`].join(''));
    expect(text.split('\n').filter((line) => /^resource|^}$/.test(line))).toEqual(['}']);
    expect(text).not.toContain('\u001b');
  });

  test("have the API's own word before the kinds", () => {
    expect(prefixOf({ translated: (body) => body })).toBe('server');
    expect(prefixOf({ translated: () => ({ acme_id: 0 }) })).toBe('acme');
  });
});

describe('hosts', () => {
  const rows = [
    server(2, 'web-2', { tags: ['web', 'a-b'] }),
    server(1, 'web-1', { tags: ['web', 'a_b', '{{ lookup("env", "HOME") }}'], type: '{{ evil }}' }),
    server(3, 'db[1:9]', { tags: ['web'] }),
    server(4, 'dark', { ipv4: [] }),
    server(5, 'yes', { ipv4: ['192.0.2.5'], region: null }),
  ];
  const text = (name: 'ansible' | 'prometheus' | 'ssh-config', some: readonly Row[] = rows) =>
    codeText(name, [of('servers', some)], how());

  test('are an inventory that a parser of YAML reads, with groups by tag, region and type', () => {
    const { all } = parse(text('ansible')) as { all: { hosts: Row; children: Record<string, { hosts: Row }> } };
    expect(Object.keys(all.hosts)).toEqual(['web-1', 'web-2', 'yes']);
    expect(all.hosts['web-2']).toEqual({
      ansible_host: '192.0.2.2',
      ansible_user: 'root',
      cloud_region: 'us-east',
      cloud_type: 'small',
    });
    // Ansible fills in templates, so a text that is no plain word is left out.
    expect(all.hosts['web-1']).not.toHaveProperty('cloud_type');
    const groups = Object.fromEntries(
      Object.entries(all.children).map(([name, { hosts }]) => [name, Object.keys(hosts)]),
    );
    expect(groups).toMatchObject({
      tag_web: ['web-1', 'web-2'],
      region_us_east: ['web-1', 'web-2'],
      type_small: ['web-2', 'yes'],
    });
    // Tags that would be called alike stay apart.
    const alike = Object.keys(groups).filter((name) => name.startsWith('tag_a_b'));
    expect(alike.map((name) => groups[name]).sort()).toEqual([['web-1'], ['web-2']]);
    for (const name of Object.keys(groups)) expect(name).toMatch(/^[A-Za-z_]\w*$/);
    expect(text('ansible')).toContain('# "db[1:9]" cannot be the name of a host.');
    expect(text('ansible')).toContain('# dark has no public IPv4 address to log in to.');
  });

  test('are left out of an inventory where Ansible has their names itself, and told', () => {
    const some = text('ansible', [server(1, 'all'), server(2, 'localhost'), server(3, 'web-1')]);
    expect(Object.keys(parse(some).all.hosts)).toEqual(['web-1']);
    expect(some).toContain('# localhost is a name that Ansible has itself.');
    expect(text('ssh-config', [server(1, 'all')])).toContain('Host all\n');
  });

  test('without any are an empty inventory', () => {
    expect(parse(text('ansible', []))).toEqual({ all: { hosts: {} } });
  });

  test('are targets of Prometheus with a label for each tag', () => {
    const targets = JSON.parse(text('prometheus'));
    expect(targets.map(({ targets: [one] }: { targets: string[] }) => one)).toEqual([
      '192.0.2.1:9100',
      '192.0.2.2:9100',
      '192.0.2.5:9100',
    ]);
    expect(targets[1].labels).toEqual({
      ...{ server: 'web-2', region: 'us-east', type: 'small', tags: ',web,a-b,', tag_web: 'web', tag_a_b: 'a-b' },
    });
    // The line that differs from run to run stands once.
    expect(targets.map(({ labels }: { labels: object }) => '__meta_made' in labels)).toEqual([true, false, false]);
    for (const { labels } of targets) for (const name of Object.keys(labels)) expect(name).toMatch(/^[a-zA-Z_]\w*$/);
  });

  test('are the same whatever the order of the API', () => {
    for (const name of ['ansible', 'prometheus', 'ssh-config'] as const)
      expect(text(name, rows.toReversed())).toBe(text(name));
  });
});

test('zone files are of domains whose records were read', () => {
  const view = viewWith(emptyView, {
    isRead: (resource, under) => resource === 'records' && under?.domainId === '7',
    rows: () => [{ id: 1, type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 0 }],
  });
  const domains = [
    { id: 8, domain: 'b.example', type: 'master', soa_email: 'x@b.example' },
    { id: 7, domain: 'a.example', type: 'master', soa_email: 'x@a.example' },
    { id: 9, domain: 'c.example', type: 'slave' },
  ];
  const text = codeText('zone', [of('domains', domains)], how({ view }));
  expect(text).toMatch(/^; Made now\.\n\n\$ORIGIN a\.example\.\n[\s\S]*www +IN +A +192\.0\.2\.1\n/);
  expect(text).toContain('; The records of b.example were not read.');
  expect(text).toContain('; c.example is a slave');
  const odd = codeText('zone', [of('domains', [{ id: 10, domain: 5, type: 'slave' }])], how({ view }));
  expect(odd).toContain('; 5 is a slave');
});

test('each list is offered the formats that have its rows', () => {
  expect(formatsFor('servers')).toEqual(['terraform-import', 'ansible', 'prometheus', 'ssh-config']);
  expect(formatsFor('domains')).toEqual(['terraform-import', 'zone']);
  expect(formatsFor('records')).toEqual(['terraform-import']);
  expect(formatsFor('tickets')).toEqual([]);
});
