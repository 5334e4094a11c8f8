import { expect, test } from 'vitest';
import { describeArea, pathOf } from './area.ts';
import type { Cloud } from './cloud.ts';
import { lengths, names, refuses, required, word } from './limits.ts';
import type { Server, Volume } from './nouns.ts';
import { integer, nothing, object, oneOf, text } from './shapes.ts';
import { serversOf } from './subjects.ts';

const tag = object({ label: text });
const member = object({ type: oneOf('server', 'domain', 'volume', 'nodebalancer'), data: object({ id: integer }) });

interface Member {
  type: string;
  data: { id: number; tags: string[] };
}

interface Tagged {
  id: number;
  tags: string[];
}

/** Every kind of thing that can bear a tag: its type, its field in a new tag, and its list. */
const kinds = [
  ['server', 'servers', '/v4/server/instances'],
  ['volume', 'volumes', '/v4/volumes'],
  ['domain', 'domains', '/v4/domains'],
  ['nodebalancer', 'nodebalancers', '/v4/nodebalancers'],
] as const;

const newTag = async (cloud: Cloud, body: object = {}): Promise<string> =>
  (await cloud.post<{ label: string }>('/v4/tags', { label: word(9), ...body })).label;

const aTag = async (cloud: Cloud) => {
  const servers = (await serversOf(cloud)).map(({ id }) => id);
  const volumes = (await cloud.all<Volume>('/v4/volumes')).map(({ id }) => id);
  return { label: await newTag(cloud, { servers, volumes }) };
};

const tagPath = (label: string) => pathOf('/v4/tags/{label}', { label });

describeArea(
  'tags (document 1, 4.5)',
  {
    'GET /v4/tags': { answers: tag },
    'POST /v4/tags': {
      answers: tag,
      body: () => ({ label: word(9) }),
      limits: [
        lengths('label', 3, 50),
        required('label'),
        refuses('label', 5),
        ...kinds.map(([, field]) => refuses(field, [987654321], 'many', ['one'], 5)),
      ],
    },
    'DELETE /v4/tags/{label}': { answers: nothing, params: aTag },
    'GET /v4/tags/{label}': { answers: member, params: aTag },
  },
  (cloud) => {
    test.each(kinds)(
      'a new tag is put on a %s at once, and taken off when it is deleted',
      async (type, field, list) => {
        const [first] = await cloud().all<Tagged>(list);
        const before = first?.tags ?? [];
        const label = await newTag(cloud(), { [field]: [first?.id] });
        expect(await cloud().all<Member>(tagPath(label))).toMatchObject([{ type, data: { id: first?.id } }]);
        expect(await cloud().get<Tagged>(`${list}/${first?.id}`)).toMatchObject({ tags: [...before, label] });
        await cloud().remove(tagPath(label));
        expect(await cloud().get<Tagged>(`${list}/${first?.id}`)).toMatchObject({ tags: before });
        expect((await cloud().ask('GET', tagPath(label))).status).toBe(404);
      },
    );

    test('the members are of mixed kinds', async () => {
      const ids = Object.fromEntries(
        await Promise.all(
          kinds.map(async ([, field, list]) => [
            field,
            (await cloud().all<Tagged>(list)).slice(0, 2).map(({ id }) => id),
          ]),
        ),
      );
      const members = await cloud().all<Member>(tagPath(await newTag(cloud(), ids)));
      expect(members.map(({ type }) => type).toSorted()).toEqual(kinds.flatMap(([type]) => [type, type]).toSorted());
    });

    test('when one thing cannot be tagged, the tag is not made and nothing bears it', async () => {
      const [server] = await serversOf(cloud());
      const label = word(9);
      const body = { label, servers: [server?.id], volumes: [987654321] };
      expect(names('volumes', await cloud().refused('POST', '/v4/tags', body))).toBe(true);
      expect((await cloud().ask('GET', tagPath(label))).status).toBe(404);
      expect((await cloud().get<Server>(`/v4/server/instances/${server?.id}`)).tags).not.toContain(label);
    });

    test.each(['two words', 'team=blue', 'a/b c', 'grün'])('a tag may be called %s', async (label) => {
      const [server] = await serversOf(cloud());
      await newTag(cloud(), { label, servers: [server?.id] });
      expect(await cloud().all<{ label: string }>('/v4/tags')).toContainEqual({ label });
      expect(await cloud().all<Member>(`/v4/tags/${encodeURIComponent(label)}`)).toMatchObject([{ type: 'server' }]);
      await cloud().remove(`/v4/tags/${encodeURIComponent(label)}`);
    });

    test('a tag that a server was given is listed, and stays when nothing bears it', async () => {
      const [server] = await serversOf(cloud());
      const label = word(9);
      const path = `/v4/server/instances/${server?.id}`;
      const isListed = async () =>
        (await cloud().all<{ label: string }>('/v4/tags')).some((one) => one.label === label);
      await cloud().put(path, { tags: [...(server?.tags ?? []), label] });
      expect(await isListed()).toBe(true);
      await cloud().put(path, { tags: server?.tags });
      expect(await isListed()).toBe(true);
      expect(await cloud().all<Member>(tagPath(label))).toEqual([]);
    });

    test('every tag keeps to the limit that a new one has', async () => {
      for (const { label } of await cloud().all<{ label: string }>('/v4/tags'))
        expect([...label].length, label).toBeGreaterThanOrEqual(3);
    });

    test('tags are listed by label', async () => {
      const labels = (await cloud().all<{ label: string }>('/v4/tags')).map(({ label }) => label);
      expect(labels).toEqual(labels.toSorted());
    });

    test('restricted users tag nothing', async () => {
      const [server] = await serversOf(cloud());
      for (const [method, path, body] of [
        ['POST', '/v4/tags', { label: word(9) }],
        ['DELETE', '/v4/tags/prod', undefined],
        ['PUT', `/v4/server/instances/${server?.id}`, { tags: ['mine'] }],
      ] as const)
        expect((await cloud().ask(method, path, { body, as: 'restricted' })).status, path).toBe(403);
    });
  },
);
