import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/snapshotSchemas.ts';
import { planJsonSchema } from '../../src/config/jsonSchema.ts';
import { parsePlan } from '../../src/config/parsePlan.ts';
import type { PlanFile } from '../../src/config/planSchema.ts';
import { mistakesIn } from '../main/schema.ts';
import { samplePlan } from './plan.ts';

const schema = JSON.parse(planJsonSchema()) as Schema;
const mistakesOf = (value: unknown): readonly string[] => {
  const parsed = parsePlan(typeof value === 'string' ? value : JSON.stringify(value));
  return 'mistakes' in parsed ? parsed.mistakes : [];
};

/** The plan with another value at a path of dots; `undefined` takes it out. */
function withValue(path: string, value: unknown): PlanFile {
  const plan = samplePlan();
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((inner: object, name) => Reflect.get(inner, name), plan);
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return plan;
}

describe('a plan file', () => {
  it('is accepted by the program and by its schema', () => {
    expect(mistakesOf(samplePlan())).toEqual([]);
    expect(mistakesIn(samplePlan(), schema)).toEqual([]);
    expect(mistakesOf(`\ufeff${JSON.stringify(samplePlan())}`)).toEqual([]);
  });

  it.each([
    ['version', undefined, 'version is missing.'],
    ['host', '', 'host must be a text; it is "".'],
    [
      'hots',
      'a',
      'hots is unknown; did you mean host? The keys are $schema, version, madeAt, program, host, euuid, profile, steps.',
    ],
    ['steps', [], 'steps has no steps.'],
    ['steps', {}, 'steps must be a list of at most 1000 steps; it is {}.'],
    ['steps.1.id', 0, 'steps[2].id must be a whole number from 1 to 1000000; it is 0.'],
    ['steps.1.id', 1.5, 'steps[2].id must be a whole number from 1 to 1000000; it is 1.5.'],
    ['steps.1.uid', undefined, 'steps[2].uid is missing.'],
    ['steps.1.uid', 'a/b c', 'steps[2].uid must be 4–64 letters, digits and dashes; it is "a/b c".'],
    ['steps.1.record', 'x', 'steps[2].record must be an object with resource, action, params and label; it is "x".'],
    ['steps.1.record.label', undefined, 'steps[2].record.label is missing.'],
    ['steps.1.record.label', 7, 'steps[2].record.label must be a text; it is 7.'],
    [
      'steps.1.record.params.serverId',
      7,
      'steps[2].record.params.serverId must be a text, or an object like { "$step": 1 }; it is 7.',
    ],
    ['steps.0.record.changes.add', { tags: [] }, 'steps[1].record.changes.add.tags has nothing.'],
    ['steps.0.record.changes.add', { tags: 'a' }, 'steps[1].record.changes.add.tags must be a list; it is "a".'],
    ['steps.0.record.changes.put', {}, 'steps[1].record.changes.put is unknown. The keys are set, add, remove.'],
    ['steps.1.record.body', [], 'steps[2].record.body must be an object; it is [].'],
  ])('is refused by both where %s is %j', (path, value, says) => {
    const wrong = withValue(path, value);
    expect(mistakesOf(wrong)).toEqual([says]);
    expect(mistakesIn(wrong, schema)).not.toEqual([]);
  });

  it.each([
    ['madeAt', 'yesterday', 'madeAt must be a time like "2026-11-23T18:04:00.000Z"; it is "yesterday".'],
    ['version', 3, 'version must be 1 or 2, which this Skydeck reads; it is 3. It was saved by Skydeck "0.1.0".'],
    ['steps.1.id', 1, 'steps[2].id must be its own; steps[1] has 1, too.'],
    ['steps.1.uid', '5f3a9c02e171', 'steps[2].uid must be its own; steps[1] has "5f3a9c02e171", too.'],
    [
      'steps.1.record.resource',
      'server',
      'steps[2].record.resource must name a resource; it is "server"; did you mean servers?',
    ],
    ['steps.1.record.resource', 'problems', 'steps[2].record.resource must name a resource; it is "problems".'],
    [
      'steps.1.record.resource',
      'kernels',
      'steps[2].record.action must be an action, and there is none (of kernels); it is "resize".',
    ],
    [
      'steps.2.record.action',
      'resise',
      'steps[3].record.action must be one of create, edit, attach, detach, resize, clone, tag, untag, delete (of volumes); it is "resise"; did you mean resize?',
    ],
    ['steps.1.record.params', {}, 'steps[2].record.params needs serverId, which is part of the path of resize.'],
    ['steps.1.record.params.serverid', '1', 'steps[2].record.params.serverid is unknown; did you mean serverId?'],
    ['steps.1.record.body.typ', 'x', 'steps[2].record.body.typ is no field of this action; did you mean type?'],
    [
      'steps.0.record.changes.set',
      { 'alerts.cpus': 1 },
      'steps[1].record.changes.set."alerts.cpus" is no field of this action; did you mean alerts.cpu?',
    ],
    ['steps.0.record.changes.set', { label: 7 }, 'steps[1].record.changes.set.label must be a text; it is 7.'],
    [
      'steps.0.record.changes.set',
      { tags: ['a'] },
      'steps[1].record.changes.set.tags is a list of which single entries change: write them under add and remove.',
    ],
    [
      'steps.0.record.changes.add',
      { label: ['a'] },
      'steps[1].record.changes.add.label must be a list of this action; the fields are tags.',
    ],
    [
      'steps.0.record.changes.add',
      { tags: ['a', {}] },
      'steps[1].record.changes.add.tags[2] must be a text or an id; it is {}.',
    ],
    [
      'steps.0.record.changes.remove',
      { tags: ['api'] },
      'steps[1].record.changes.remove.tags takes "api" out, which is added as well.',
    ],
    ['steps.0.record.changes', {}, 'steps[1].record.changes touches nothing.'],
    ['steps.0.record.changes', undefined, 'steps[1].record.changes is missing; edit needs what it touches.'],
    ['steps.0.record.body', {}, 'steps[1].record.body belongs to no edit: what edit touches is written under changes.'],
    [
      'steps.1.record.changes',
      { set: { type: 'a' } },
      'steps[2].record.changes belongs to edits: what resize sends is written under body.',
    ],
    ['steps.2.record.body.size', '20', 'steps[3].record.body.size must be a number; it is "20".'],
    ['steps.2.record.body.tags', 'a', 'steps[3].record.body.tags must be a list; it is "a".'],
    [
      'steps.3.record.params.volumeId.$step',
      4,
      'steps[4].record.params.volumeId.$step must be the id of an earlier step, not its own; it is 4.',
    ],
    [
      'steps.3.record.params.volumeId.$step',
      9,
      'steps[4].record.params.volumeId.$step must be the id of an earlier step; it is 9.',
    ],
    [
      'steps.3.record.params.volumeId.$step',
      1,
      'steps[4].record.params.volumeId.$step must be a step that makes a row; steps[1] makes none.',
    ],
    [
      'steps.3.record.body.server_id',
      { $step: 3, fields: 'id' },
      'steps[4].record.body.server_id.fields is unknown; the keys are $step, field.',
    ],
    ['steps.2.record.params', [], 'steps[3].record.params must be an object; it is [].'],
    ['steps.0.record.changes.add', [], 'steps[1].record.changes.add must be an object; it is [].'],
    [
      'steps.3.record.body.server_id',
      { $step: 3, field: '__proto__' },
      'steps[4].record.body.server_id.field must be a path like "ipv4.0"; it is "__proto__".',
    ],
    [
      'steps.3.record.params.volumeId',
      { $step: 3, field: 'a.constructor' },
      'steps[4].record.params.volumeId.field must be a path like "ipv4.0"; it is "a.constructor".',
    ],
    [
      'steps.3.record.body.server_id',
      { $step: 3, field: 7 },
      'steps[4].record.body.server_id.field must be a path like "ipv4.0"; it is 7.',
    ],
    [
      'steps.3.record.body.server_id',
      { $step: 3 },
      'steps[4].record.body.server_id must name a server, and that step makes a volume.',
    ],
    [
      'steps.3.record.body.server_id',
      { $step: 3, field: 'size' },
      'steps[4].record.body.server_id must name a server, and "size" of a volume does not.',
    ],
    [
      'steps.3.record.params.volumeId',
      { $step: 3, field: 'server_id' },
      'steps[4].record.params.volumeId must name a volume, and "server_id" of a volume does not.',
    ],
  ])('is refused by the program where %s is %j', (path, value, says) => {
    expect(mistakesOf(withValue(path, value))).toEqual([says]);
  });

  it.each([
    ['servers', 'delete', { params: { serverId: { $step: 3 } } }, 'params.serverId', 'server'],
    ['disks', 'create', { params: { serverId: { $step: 3 } }, body: { size: 9 } }, 'params.serverId', 'server'],
    ['volumes', 'edit', { params: { volumeId: '7' }, changes: { add: { tags: [{ $step: 3, field: 'label' }] } } }],
    ['servers', 'rescue', { params: { serverId: '7' }, body: { devices: { sda: { volume_id: { $step: 3 } } } } }],
    [
      'servers',
      'rescue',
      { params: { serverId: '7' }, body: { devices: { sda: { disk_id: { $step: 3 } } } } },
      'body.devices.sda.disk_id',
      'disk',
    ],
    ['tags', 'create', { params: {}, body: { label: 'a', servers: [1, { $step: 3 }] } }, 'body.servers[2]', 'server'],
    ['tags', 'create', { params: {}, body: { label: 'a', volumes: [{ $step: 3, field: 'id' }] } }],
    ['servers', 'delete', { params: { serverId: { $step: 3, field: 'server_id' } } }],
    ['volumes', 'create', { params: {}, body: { label: 'b', region: { $step: 3, field: 'region' } } }],
    ['records', 'create', { params: { domainId: '7' }, body: { target: { $step: 3, field: 'ipv4.0' } } }],
  ])('names rows of the kinds that its descriptions name: %s %s %j', (resource, action, part, at?, one?) => {
    const record = { resource, action, label: 'a', ...part };
    const steps = [...samplePlan().steps.slice(0, 3), { id: 9, uid: 'uid-9', record }];
    expect(mistakesOf({ ...samplePlan(), steps })).toEqual(
      at === undefined ? [] : [`steps[4].record.${at} must name a ${one}, and that step makes a volume.`],
    );
  });

  it('of the first version is read, its steps with the same identities each time', () => {
    const { steps, ...head } = samplePlan();
    const body = { label: 'web-one', alerts: { cpu: 90 }, tags: ['prod', 'api'] };
    const first = {
      ...head,
      version: 1,
      steps: steps.map(({ id, record: { changes, ...record } }) => ({
        id,
        record: { ...record, ...(changes && { body }) },
      })),
    };
    const parsed = [1, 2].map(() => parsePlan(JSON.stringify(first)));
    expect(parsed[0]).toEqual(parsed[1]);
    expect(parsed[0]).toMatchObject({
      plan: { version: 2, steps: [1, 2, 3, 4].map((id) => ({ id, uid: `mwtkriio-api-example-com-${id}` })) },
    });
    expect(mistakesOf(first)).toEqual([]);
    expect(mistakesOf({ ...first, steps }).slice(0, 2)).toEqual([
      'steps[1].record.changes is unknown. The keys are resource, action, params, label, body, before.',
      'steps[1].uid is unknown; did you mean id? The keys are id, record.',
    ]);
    const later = parsePlan(JSON.stringify({ ...first, madeAt: '2026-11-24T18:04:00.000Z' }));
    expect(later).toHaveProperty('plan.steps.0.uid', expect.not.stringContaining('mwtkriio'));
  });

  it('refuses what a file of one machine belongs to', () => {
    const [first] = samplePlan().steps;
    const record = { resource: 'images', action: 'upload', params: {}, label: 'a', body: {} };
    expect(mistakesOf({ ...samplePlan(), steps: [{ ...first, record }] })).toEqual([
      'steps[1].record.action sends or gets a file of one machine, which a plan does not hold.',
    ]);
  });

  it('says where a text is no JSON, without what would steer a terminal', () => {
    expect(mistakesOf('{\n  "version" 1\n}')).toEqual(['It is no JSON: the mistake is at line 2, column 13.']);
    expect(mistakesOf('{\n  "version": \u001b]0;x\n}')).toEqual(['It is no JSON near "version\\": \\u001b]0;x\\n}".']);
    expect(mistakesOf('{"version": 1')).toEqual([expect.stringMatching(/^It is no JSON: /)]);
    expect(mistakesOf('')).toEqual(['It is no JSON: it breaks off.']);
    expect(mistakesOf('[]')).toEqual(['It must be a plan, an object with version, host and steps; it is [].']);
  });

  it('tells several mistakes at once, without characters that steer a terminal', () => {
    const plan = withValue('steps.0.record.action', '\u001b[2J');
    Reflect.set(plan.steps[1] ?? {}, 'id', 1);
    const mistakes = mistakesOf(plan);
    expect(mistakes).toHaveLength(2);
    expect(mistakes.join('')).not.toContain('\u001b');
  });

  it.each(['{"version":1,"__proto__":{}}', '{"version":1,"steps":[{"record":{"body":{"constructor":1}}}]}'])(
    'refuses names of the language itself: %s',
    (source) => {
      expect(mistakesOf(source)).toEqual([expect.stringContaining('cannot be a name here.')]);
    },
  );

  it('refuses values that are nested without end, and too many steps', () => {
    const deep = `{"version":1,"steps":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(mistakesOf(deep)).toEqual([expect.stringContaining('is nested more than 40 levels deep.')]);
    const [first] = samplePlan().steps;
    const steps = Array.from({ length: 1001 }, (_, nth) => ({ ...first, id: nth + 1 }));
    expect(mistakesOf({ ...samplePlan(), steps })).toEqual([
      'steps must be a list of at most 1000 steps; it has 1001.',
    ]);
  });
});
