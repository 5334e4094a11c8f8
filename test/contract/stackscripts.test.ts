import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { lengths, names, placed, refuses, required, word, yesOrNo } from './limits.ts';
import type { Server } from './nouns.ts';
import { boolean, date, integer, list, nothing, object, optional, text } from './shapes.ts';
import { imageBody, publicImage } from './subjects.ts';

interface StackScript {
  id: number;
  label: string;
  description: string;
  images: string[];
  is_public: boolean;
  mine: boolean;
  rev_note: string;
  script: string;
  deployments_total: number;
  user_defined_fields: { name: string }[];
}

const base = '/v4/server/stackscripts';

/** Document 2, 2.8, and what is known of it from elsewhere. */
const stackscript = object({
  description: text,
  id: integer,
  images: list(text),
  is_public: boolean,
  label: text,
  rev_note: text,
  script: text,
  username: text,
  created: date,
  updated: date,
  deployments_total: integer,
  deployments_active: integer,
  mine: boolean,
  user_defined_fields: list(
    object({
      name: text,
      label: text,
      example: optional(text),
      oneOf: optional(text),
      manyOf: optional(text),
      default: optional(text),
    }),
  ),
});

const script = `#!/bin/bash
# <UDF name="release" label="Release" example="1.2" />
# <UDF name="role" label="Role" oneOf="web,api" default="web" />
# <UDF name="modules" label="Modules" manyOf="a,b,c" default="" />
echo "$RELEASE $ROLE $MODULES"
`;

const body = async (cloud: Cloud) => ({ label: word(10), images: [await publicImage(cloud)], script });

const make = async (cloud: Cloud, more: object = {}) =>
  cloud.post<StackScript>(base, { ...(await body(cloud)), ...more });

const mine = async (cloud: Cloud) => ({ stackscriptId: (await make(cloud)).id });

const now = (cloud: Cloud, id: number) => cloud.get<StackScript>(`${base}/${id}`);

const limits = [
  lengths('label', 3, 128),
  refuses('images', 'server/debian12', ['server/no-such-image'], [5], []),
  refuses('script', 5, 'echo no interpreter'),
  refuses('description', 5),
  refuses('rev_note', 5),
  yesOrNo('is_public'),
];

describeArea(
  'StackScripts (document 2, 4.5)',
  {
    'GET /v4/server/stackscripts': { answers: stackscript },
    'POST /v4/server/stackscripts': {
      answers: stackscript,
      body,
      limits: [required('label'), required('images'), required('script'), ...limits],
    },
    'GET /v4/server/stackscripts/{stackscriptId}': { answers: stackscript, params: mine },
    'PUT /v4/server/stackscripts/{stackscriptId}': {
      answers: stackscript,
      params: mine,
      body: () => ({ label: word(10) }),
      limits,
    },
    'DELETE /v4/server/stackscripts/{stackscriptId}': { answers: nothing, params: mine },
  },
  (cloud) => {
    test('there are thousands of public ones, and only those without a token', async () => {
      const { body: first } = await cloud().ask('GET', base, { as: 'nobody' });
      const { data, results } = first as { data: StackScript[]; results: number };
      expect(results).toBeGreaterThan(2000);
      expect(data.filter(({ is_public }) => !is_public)).toEqual([]);
    });

    test('those of the account can be asked for alone', async () => {
      const { id } = await make(cloud());
      const headers = { 'x-filter': JSON.stringify({ mine: true }) };
      const { body: answer } = await cloud().ask('GET', base, { headers });
      const { data } = answer as { data: StackScript[] };
      expect(data.every((one) => one.mine)).toBe(true);
      expect(data.map((one) => one.id)).toContain(id);
    });

    test('the questions of a script are told as its fields', async () => {
      const { user_defined_fields } = await make(cloud());
      expect(user_defined_fields).toEqual([
        { name: 'release', label: 'Release', example: '1.2' },
        { name: 'role', label: 'Role', oneOf: 'web,api', default: 'web' },
        { name: 'modules', label: 'Modules', manyOf: 'a,b,c', default: '' },
      ]);
    });

    test('what is edited stays edited, and only that', async () => {
      const before = await make(cloud(), { description: 'first', rev_note: 'one' });
      await cloud().put(`${base}/${before.id}`, { script: '#!/bin/sh\ntrue\n', rev_note: 'two' });
      expect(await now(cloud(), before.id)).toMatchObject({
        label: before.label,
        description: 'first',
        rev_note: 'two',
        script: '#!/bin/sh\ntrue\n',
        user_defined_fields: [],
      });
    });

    test('once public it is never private again and never deleted', async () => {
      const { id } = await make(cloud());
      await cloud().put(`${base}/${id}`, { is_public: false });
      await cloud().put(`${base}/${id}`, { is_public: true });
      const complaints = await cloud().refused('PUT', `${base}/${id}`, { is_public: false });
      expect(names('is_public', complaints)).toBe(true);
      await cloud().refused('DELETE', `${base}/${id}`);
      expect((await now(cloud(), id)).is_public).toBe(true);
    });

    test('a private one is deleted for good; those of others are left alone', async () => {
      const { id } = await make(cloud());
      await cloud().remove(`${base}/${id}`);
      expect((await cloud().ask('GET', `${base}/${id}`)).status).toBe(404);
      const { data } = await cloud().get<{ data: StackScript[] }>(base);
      const other = data.find((one) => !one.mine);
      expect((await cloud().ask('PUT', `${base}/${other?.id}`, { body: { label: word(9) } })).status).toBe(403);
      expect((await cloud().ask('DELETE', `${base}/${other?.id}`)).status).toBe(403);
    });

    const deployment = async () => {
      const { image, ...sent } = await imageBody(cloud());
      const { id } = await make(cloud(), { images: [image] });
      return { ...sent, image, stackscript_id: id, stackscript_data: { release: '2.0', role: 'api', modules: 'a,c' } };
    };

    test('a server is set up by one, and counted', async () => {
      const sent = await deployment();
      expect((await cloud().post<Server>('/v4/server/instances', sent)).image).toBe(sent.image);
      expect((await now(cloud(), sent.stackscript_id)).deployments_total).toBe(1);
    });

    test.each([
      ['stackscript_id', 987654321],
      ['image', undefined],
      ['image', 'server/gentoo'],
      ['root_pass', undefined],
      ['stackscript_data.release', undefined],
      ['stackscript_data.role', 'db'],
      ['stackscript_data.modules', 'a,d'],
      ['stackscript_data', undefined],
    ])('a server with %s %s is refused', async (field, value) => {
      const complaints = await cloud().refused(
        'POST',
        '/v4/server/instances',
        placed(await deployment(), field, value),
      );
      expect(names(field, complaints), JSON.stringify(complaints)).toBe(true);
    });
  },
);
