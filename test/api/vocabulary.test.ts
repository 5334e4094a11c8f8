import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type VocabularyMap, vocabularyOf } from '../../src/api/vocabulary.ts';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const map: VocabularyMap = {
  server: 'acme',
  monitor: 'farsight',
  kube: 'ake',
  watchdog: 'rex',
  console: 'shell',
  avatar: 'portrait',
};
const { toWire, fromWire } = vocabularyOf(map);

describe('paths', () => {
  test.each([
    [`${version}/server/instances`, `${version}/acme/instances`],
    [`${version}/server/instances/12/stats/2030/1`, `${version}/acme/instances/12/stats/2030/1`],
    [`${version}/server/kernels/server/latest-64bit`, `${version}/acme/kernels/acme/latest-64bit`],
    [`${version}/managed/server-settings/12`, `${version}/managed/acme-settings/12`],
    [`${version}/images/server/debian12`, `${version}/images/acme/debian12`],
  ])('%s is %s at the wire', (documents, wire) => {
    expect(toWire.path(documents)).toBe(wire);
    expect(fromWire.path(wire)).toBe(documents);
  });

  test.each([
    `${version}/images/private/12`,
    `${version}/images/upload`,
    `${version}/tags/server`,
    `${version}/tags/server-settings`,
    `${version}/object-storage/buckets/server/server`,
    `${version}/managed/services`,
    `${version}/volumes/12`,
  ])('%s stays', (path) => {
    expect(toWire.path(path)).toBe(path);
  });
});

/** The subject, then a value in the documents' words and in those of the platform. */
const pairs: readonly (readonly [string, unknown, unknown])[] = [
  ['ids of servers', { server_id: 1, server_label: 'server' }, { acme_id: 1, acme_label: 'server' }],
  ['groups', { entities: { servers: [1] }, servers: [2] }, { entities: { acmes: [1] }, acmes: [2] }],
  [
    'ticket fields',
    { kubecluster_id: 1, monitorclient_id: 2, avatar_id: 'x', from_server: true },
    { akecluster_id: 1, farsightclient_id: 2, portrait_id: 'x', from_acme: true },
  ],
  ['script owners', { user_avatar_id: 'x' }, { user_portrait_id: 'x' }],
  [
    'events',
    {
      action: 'server_boot',
      message: 'server_boot of server/debian12',
      entity: { id: 1, label: 'server', type: 'server', url: `${version}/server/instances/1` },
      secondary_entity: {
        id: 'private/12',
        label: 'server_id',
        type: 'server_config',
        url: `${version}/images/server/debian12`,
      },
    },
    {
      action: 'acme_boot',
      message: 'server_boot of server/debian12',
      entity: { id: 1, label: 'server', type: 'acme', url: `${version}/acme/instances/1` },
      secondary_entity: {
        id: 'private/12',
        label: 'server_id',
        type: 'acme_config',
        url: `${version}/images/acme/debian12`,
      },
    },
  ],
  ...[
    ['server_config_create', 'acme_config_create'],
    ['watchdog_reboot', 'rex_reboot'],
    ['console_boot', 'shell_boot'],
    ['kube_node_create', 'ake_node_create'],
    ['monitorclient_create', 'farsightclient_create'],
    ['volume_attach', 'volume_attach'],
  ].map(([action, wire]) => [`action ${action}`, { action }, { action: wire }] as const),
  ['regions', { capabilities: ['Servers', 'Block Storage'] }, { capabilities: ['Acmes', 'Block Storage'] }],
  ['promotions', { service_type: 'server_disk' }, { service_type: 'acme_disk' }],
  [
    'what carries a tag',
    { data: [{ type: 'server', data: { id: 1, type: 'server' } }] },
    { data: [{ type: 'acme', data: { id: 1, type: 'server' } }] },
  ],
  [
    'filters',
    {
      'entity.type': 'server',
      'entity.id': { '+gte': 5 },
      '+or': [{ action: { '+neq': 'server_boot' } }, { server_id: 1, label: { '+contains': 'server' } }],
      '+order_by': 'server_id',
      '+order': 'asc',
    },
    {
      'entity.type': 'acme',
      'entity.id': { '+gte': 5 },
      '+or': [{ action: { '+neq': 'acme_boot' } }, { acme_id: 1, label: { '+contains': 'server' } }],
      '+order_by': 'acme_id',
      '+order': 'asc',
    },
  ],
];

/** Ids with a prefix, as the program has them of its own and as they are sent. */
const ids: typeof pairs = [
  [
    'images and kernels',
    { image: 'server/debian12', kernel: 'server/latest-64bit', images: ['server/a', 'private/1', 'any/all'] },
    { image: 'acme/debian12', kernel: 'acme/latest-64bit', images: ['acme/a', 'private/1', 'any/all'] },
  ],
  [
    'their lists',
    { data: [{ id: 'server/debian12', label: 'server/x' }] },
    { data: [{ id: 'acme/debian12', label: 'server/x' }] },
  ],
  [
    'what events name',
    { secondary_entity: { id: 'server/debian12', type: 'image' } },
    { secondary_entity: { id: 'acme/debian12', type: 'image' } },
  ],
];

describe('ids with a prefix', () => {
  test.each(ids)('%s are sent in the words of the platform, and come as it writes them', (_, documents, wire) => {
    expect(toWire.value(documents)).toEqual(wire);
    expect(toWire.value(wire)).toEqual(wire);
    expect(fromWire.value(wire)).toEqual(wire);
  });

  test.each([`${version}/images/acme/debian12`, `${version}/acme/kernels/acme/latest-64bit`])('%s stays', (path) => {
    expect(toWire.path(path)).toBe(path);
  });
});

describe('values', () => {
  test.each(pairs)('%s', (_, documents, wire) => {
    expect(toWire.value(documents)).toEqual(wire);
    expect(fromWire.value(wire)).toEqual(documents);
  });

  test('what the user wrote comes through untouched, both ways', () => {
    const own = {
      remote_nameserver: 'ns1.server.example',
      label: 'server/acme',
      description: 'acme_id server_id',
      tags: ['server', 'acme', 'servers'],
      summary: 'server',
      username: 'acme',
      hostname: 'server.acme.example',
      script: 'echo server_boot acme/debian12',
      watchdog_enabled: true,
      stackscript_data: { server_id: 'server/x', servers: 'acme', action: 'server_boot', image: 'acme/x' },
      rev_note: 'servers:read_only',
      bucket_access: [{ bucket_name: 'server', cluster: 'acme', permissions: 'read_only' }],
      filesystem_path: '/dev/disk/by-id/scsi-0Server_Volume_acme',
      type: 'server',
      name: 'server_id',
    };
    expect(toWire.value(own)).toEqual(own);
    expect(fromWire.value(own)).toEqual(own);
  });

  test('scopes', () => {
    const documents = 'servers:read_only,volumes:read_write kube:read_only monitor:read_write *';
    const wire = 'acmes:read_only,volumes:read_write ake:read_only farsight:read_write *';
    expect(toWire.scopes(documents)).toBe(wire);
    expect(fromWire.scopes(wire)).toBe(documents);
  });

  test('fields that an error names', () => {
    expect(fromWire.field('acme_id')).toBe('server_id');
    expect(fromWire.field('entities.acmes.0')).toBe('entities.servers.0');
    expect(fromWire.field('stackscript_data.acme_id')).toBe('stackscript_data.acme_id');
  });
});

/** A word of the platform's own: none of the stand-ins, and made so that it occurs nowhere else. */
const word = fc.stringMatching(/^q[a-z0-9]{1,8}z$/);
const vocabularies = fc
  .uniqueArray(word, { minLength: 7, maxLength: 7 })
  .map(([server, servers, monitor, kube, watchdog, console, avatar]) => ({
    server,
    servers,
    monitor,
    kube,
    watchdog,
    console,
    avatar,
  }));

/** A body in the documents' words: known and unknown fields, prose that is full of stand-ins. */
const prose = fc.oneof(fc.string(), fc.constantFrom('server', 'servers', 'server/x', 'server_id', 'watchdog_reboot'));
const bodies = fc.letrec((body) => ({
  leaf: fc.oneof(prose, fc.integer(), fc.boolean(), fc.constant(null)),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'server_id',
        'servers',
        'image',
        'images',
        'kernel',
        'id',
        'action',
        'entity',
        'type',
        'url',
        'data',
      ),
      fc.constantFrom(
        'label',
        'tags',
        'capabilities',
        'service_type',
        'stackscript_data',
        'from_server',
        'user_avatar_id',
      ),
      fc.string(),
    ),
    body('any'),
    { maxKeys: 6 },
  ),
  any: fc.oneof({ maxDepth: 4 }, body('leaf'), body('object'), fc.array(body('any'), { maxLength: 4 })),
})).any;

describe('any vocabulary', () => {
  test('translates out and back to what it was, but for prefixes of ids, which go out again as they came', () => {
    fc.assert(
      fc.property(vocabularies, bodies, (own, body) => {
        const { toWire, fromWire } = vocabularyOf(own);
        const sent = toWire.value(body);
        expect(toWire.value(fromWire.value(sent))).toEqual(sent);
        const isPlain = !JSON.stringify(body).includes('server/');
        if (isPlain) expect(fromWire.value(sent)).toEqual(body);
      }),
    );
  });

  test('leaves unknown fields alone, keys and text', () => {
    const unknown = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,6}$/), prose, { maxKeys: 5 });
    fc.assert(
      fc.property(vocabularies, unknown, (own, body) => {
        expect(vocabularyOf(own).toWire.value(body)).toEqual(body);
      }),
    );
  });

  test('translates only whole words', () => {
    const near = fc.constantFrom('nameserver_id', 'server_ids', 'servers_id', 'aserver', 'server_label_x', 'servers2');
    fc.assert(
      fc.property(vocabularies, near, prose, (own, key, text) => {
        expect(vocabularyOf(own).toWire.value({ [key]: text })).toEqual({ [key]: text });
      }),
    );
  });
});

describe('the map', () => {
  test('that is empty costs nothing', () => {
    const body = { server_id: 1 };
    for (const same of [vocabularyOf(), vocabularyOf({}), vocabularyOf({ server: 'server', kube: undefined })]) {
      expect(same.toWire.value(body)).toBe(body);
      expect(same.fromWire.value(body)).toBe(body);
    }
  });

  test('may give a plural of its own', () => {
    const { toWire } = vocabularyOf({ server: 'box', servers: 'boxes' });
    expect(toWire.value({ servers: [1], capabilities: ['Servers'] })).toEqual({ boxes: [1], capabilities: ['Boxes'] });
  });

  test.each([
    [{ server: 'Acme' }, /lower-case letters and digits, not "Acme"/],
    [{ server: 'my_cloud' }, /lower-case letters and digits/],
    [{ server: 'kube' }, /both server and kube/],
    [{ serve: 'acme' } as VocabularyMap, /no "serve"; it has server, servers/],
  ])('%j is refused', (wrong, says) => {
    expect(() => vocabularyOf(wrong)).toThrow(says);
  });
});

describe('at the wire', () => {
  const operation: Operation = { method: 'POST', path: `${version}/server/instances`, scope: 'servers:read_write' };

  test('the platform sees its words, everything above those of the documents, but for ids, scopes and paths that people read', async () => {
    const headers = { 'x-oauth-scopes': 'acmes:read_write' };
    const { url, seen } = await serve((_, response) => json(response, { id: 1, image: 'acme/debian12' }, 200, headers));
    const { api, calls } = client(url, { vocabulary: map });
    const answer = await api.send(operation, { body: { image: 'server/debian12' }, query: { server_id: 'server' } });
    expect(seen[0]?.url.pathname).toBe(`${version}/acme/instances`);
    expect(seen[0]?.url.search).toBe('?acme_id=server');
    expect(seen[0]?.body).toBe('{"image":"acme/debian12"}');
    expect(answer).toMatchObject({ body: { id: 1, image: 'acme/debian12' }, scopes: 'acmes:read_write' });
    expect(calls[0]?.path).toBe(`${version}/acme/instances`);
  });

  test('what is kept of a change is what is sent, without secrets', async () => {
    const told: unknown[] = [];
    const { url } = await serve((_, response) => json(response, { id: 1 }));
    const { api } = client(url, {
      vocabulary: map,
      beforeChange: async (change) => void told.push(change),
      onChange: (change) => told.push(change),
    });
    await api.send(operation, { body: { image: 'server/debian12', server_id: 1, root_pass: 'sesame-open' } });
    const change = {
      number: 1,
      method: 'POST',
      path: `${version}/acme/instances`,
      body: { image: 'acme/debian12', acme_id: 1, root_pass: '[redacted]' },
    };
    expect(told).toEqual([change, { ...change, outcome: 'done', made: '1', status: 200 }]);
  });

  test('an id of the documents is told as the API writes it', () => {
    const { api } = client('http://127.0.0.1:1', { vocabulary: map });
    expect(api.translated({ kernel: 'server/latest-64bit' })).toEqual({ kernel: 'acme/latest-64bit' });
  });

  test('errors name the documents’ path and fields', async () => {
    const { url, seen } = await serve((_, response) =>
      json(response, { errors: [{ field: 'acme_id', reason: 'acme_id is not valid' }] }, 400),
    );
    const { api } = client(url, { vocabulary: map });
    const error = await failure(api.send(operation, { filter: { 'entity.type': 'server' }, body: {} }));
    expect(error.path).toBe(`${version}/server/instances`);
    expect(error.errors).toEqual([{ field: 'server_id', reason: 'acme_id is not valid' }]);
    expect(seen[0]?.headers['x-filter']).toBe('{"entity.type":"acme"}');
  });

  test.each<[number, unknown, RegExp]>([
    [400, { errors: [{ field: 'acme_id', reason: 'no' }] }, /^acme_id: no \(400\)\.$/],
    [
      403,
      {},
      /^The token has no permission for POST \S+\/acme\/instances \(403\); it needs the scope acmes:read_write\.$/,
    ],
    [404, {}, /^The API has nothing at \S+\/acme\/instances \(404\)/],
    [500, {}, /failed to handle POST \S+\/acme\/instances \(500\)/],
    [302, {}, /redirects POST \S+\/acme\/instances \(302\)\. Redirects are not followed; /],
  ])('a sentence about %i speaks as the platform does', async (status, body, says) => {
    const { url } = await serve((_, response) => json(response, body, status));
    expect((await failure(client(url, { vocabulary: map }).api.send(operation))).message).toMatch(says);
  });

  test('so do sentences about what was not answered, not sent, or is no list', async () => {
    const { url } = await serve((_, response) => json(response, {}));
    const { api } = client(url, { vocabulary: map, readOnly: true });
    const says = async (promise: Promise<unknown>) => (await failure(promise)).message;
    expect(await says(api.send(operation))).toContain(`so POST ${version}/acme/instances was not sent`);
    const list = { ...operation, method: 'GET', pages: 'numbered' } as const;
    expect(await says(api.pages(list).next())).toContain(`GET ${version}/acme/instances with 200, but with no list`);
    const away = client('http://127.0.0.1:1', { vocabulary: map }).api;
    expect(await says(away.send(operation))).toContain(`cannot be reached for POST ${version}/acme/instances`);
  });
});
