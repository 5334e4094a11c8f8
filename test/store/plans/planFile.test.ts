import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../../src/config/parsePlan.ts';
import { isPatch } from '../../../src/resources/body.ts';
import { isTouchedByEntry } from '../../../src/resources/changeRecord.ts';
import { describedActions, resources } from '../../../src/resources/index.ts';
import { type Action, type Field, fieldOf, type Resource } from '../../../src/resources/resource.ts';
import { withReferences } from '../../../src/store/changes/references.ts';
import type { Plan, PlanStep } from '../../../src/store/plans/plan.ts';
import { writtenPlan } from '../../../src/store/plans/planFile.ts';
import { anyText } from '../../text/anyText.ts';

const writer = { program: '0.1.0', now: Date.UTC(2026, 10, 23, 18, 4) };

/** The plan after it was saved and loaded; the mistakes where it was not. */
function savedAndLoaded(plan: Plan): Plan | readonly string[] {
  const written = writtenPlan(plan, writer);
  if ('mistakes' in written) return written.mistakes;
  const parsed = parsePlan(written.text);
  if ('mistakes' in parsed) return parsed.mistakes;
  const { host, euuid, profile, steps } = parsed.plan;
  return { host, euuid, profile, steps };
}

const names = ['__proto__', 'constructor', 'prototype'];
const secretNames = /pass|secret|token|cvv|card_number|ssl_|certificate|private_key|stackscript_data|upload_to/;
const word = fc.oneof(anyText(), fc.constantFrom('web-1', '\u001b]0;x\u0007', '\u202e', '数据库'));
const key = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((name) => !names.includes(name) && !secretNames.test(name));
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.nat().map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;
const object = fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true });

const valueFor = ({ kind, numeric }: Field): fc.Arbitrary<unknown> => {
  if (kind === 'integer' || numeric) return fc.integer();
  if (kind === 'boolean') return fc.boolean();
  if (kind === 'strings' || kind === 'references' || kind === 'choices') return fc.array(word, { maxLength: 3 });
  if (kind === 'json') return object;
  if (kind === 'device') return fc.constantFrom(null, { disk_id: 1, volume_id: null });
  return word;
};

/** A body of the plain fields of an action. */
const bodyFor = (resource: Resource, action: Action) => {
  if (action.send) return object;
  const plain = (action.body ?? [])
    .map((name) => name.replace(/!$/, ''))
    .filter((name) => !name.includes('.') && !secretNames.test(name));
  const fields = plain.map((name) => [name, valueFor(fieldOf(resource, action, name))] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [], noNullPrototype: true });
};

/** The fields that an edit touches. */
const changesFor = (resource: Resource, action: Action) => {
  const names = (action.body ?? []).map((name) => name.replace(/!$/, '')).filter((name) => !secretNames.test(name));
  const some = (names: readonly string[], value: (field: Field) => fc.Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(names.map((name) => [name, value(fieldOf(resource, action, name))])), {
      requiredKeys: [],
      noNullPrototype: true,
    });
  const listed = (name: string) => isTouchedByEntry(fieldOf(resource, action, name));
  const items = (from: string) =>
    fc.array(fc.constantFrom(`${from}-1`, `${from}-2`, 7), { minLength: 1, maxLength: 3 });
  const isOut = (name: string) => fieldOf(resource, action, name).part === 'removed';
  const isIn = (name: string) => fieldOf(resource, action, name).part === 'added';
  return fc
    .record(
      {
        set: some(
          names.filter((name) => !listed(name)),
          valueFor,
        ),
        add: some(
          names.filter((name) => listed(name) && !isOut(name)),
          () => items('in'),
        ),
        remove: some(
          names.filter((name) => listed(name) && !isIn(name)),
          () =>
            items('out')
              .map((all) => all.filter((one) => one !== 7))
              .filter((all) => all.length > 0),
        ),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .filter((parts) => Object.values(parts).some((part) => Object.keys(part).length > 0));
};

const actions = resources
  .filter(({ local }) => !local)
  .flatMap((resource) => describedActions(resource).map((action) => ({ resource, action })))
  .filter(({ action }) => !action.fileTransfer && !action.multipart && !action.path.includes('{token}'))
  .filter(({ action }) => !isPatch(action) || (action.body ?? []).some((name) => !secretNames.test(name)));

const record = fc.constantFrom(...actions).chain(({ resource, action }) => {
  const params = [...action.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, fc.string({ minLength: 1 })]);
  const parts: Record<string, fc.Arbitrary<unknown>> = {
    resource: fc.constant(resource.name),
    action: fc.constant(action.name),
    params: fc.record(Object.fromEntries(params), { noNullPrototype: true }),
    label: word,
    ...(isPatch(action) ? { changes: changesFor(resource, action) } : { body: bodyFor(resource, action) }),
    before: object,
    names: fc.dictionary(key, fc.string({ minLength: 1 }), { noNullPrototype: true }),
    holds: fc.dictionary(key, fc.array(fc.string({ minLength: 1 })), { noNullPrototype: true }),
    price: fc.record({ before: fc.nat(), after: fc.nat() }, { noNullPrototype: true }),
  };
  const needed = ['resource', 'action', 'params', 'label', ...(isPatch(action) ? ['changes'] : [])];
  return fc.record(parts, { requiredKeys: needed, noNullPrototype: true }) as fc.Arbitrary<unknown> as fc.Arbitrary<
    PlanStep['record']
  >;
});

const plan = fc.record(
  {
    host: fc.string({ minLength: 1 }),
    euuid: fc.string({ minLength: 1 }),
    profile: fc.string({ minLength: 1 }),
    steps: fc
      .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 5 })
      .chain((ids) =>
        fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), uid: fc.constant(`uid-${id}`), record }))),
      ),
  },
  { requiredKeys: ['host', 'steps'], noNullPrototype: true },
);

const made: PlanStep = {
  id: 3,
  uid: 'uid-3',
  record: { resource: 'volumes', action: 'create', params: {}, label: 'a', body: { label: 'a', size: 20 } },
};
const attached: PlanStep = {
  id: 4,
  uid: 'uid-4',
  record: {
    resource: 'volumes',
    action: 'attach',
    params: { volumeId: { $step: 3 } },
    label: 'a',
    body: { server_id: { $step: 3, field: 'server_id' } },
  },
};

/** The same plan with its steps numbered from 1 on. */
function byPlace<P extends { steps: readonly PlanStep[] }>(one: P): P {
  const number = (id: number) => one.steps.findIndex((step) => step.id === id) + 1;
  const steps = one.steps.map(({ id, record, ...step }) => ({
    id: number(id),
    ...step,
    record: withReferences(record, (reference) => ({ ...reference, $step: number(reference.$step) })),
  }));
  return { ...one, steps };
}

describe('a plan in a file', () => {
  it('is the same plan after it was saved and loaded', () => {
    fc.assert(
      fc.property(plan, (one) => {
        expect(savedAndLoaded(one)).toEqual(byPlace(one));
      }),
    );
  });

  it('numbers its steps by their places, and keeps the references between them', () => {
    const both = { host: 'a', steps: [made, attached] };
    expect(savedAndLoaded(both)).toEqual(byPlace(both));
    expect(byPlace(both).steps[1]?.record.params).toEqual({ volumeId: { $step: 1 } });
  });

  it('leaves out the token of a transfer, which names its row in a sentence as well', () => {
    const token = '123e4567-e89b-12d3-a456-426614174000';
    const transfer = { resource: 'entity-transfers', action: 'accept', params: { token }, label: token };
    const record = { ...transfer, before: { token } };
    const written = writtenPlan({ host: 'a', steps: [{ id: 1, uid: 'uid-1', record }] }, writer);
    expect(written).toHaveProperty('text', expect.stringContaining('"label": "[redacted]"'));
    expect(JSON.stringify(written)).not.toContain(token);
  });

  it('has no secret, whatever holds it', () => {
    const secret = 'correct horse battery staple';
    const steps: readonly PlanStep[] = [
      {
        id: 1,
        uid: 'uid-1',
        record: {
          resource: 'managed-credentials',
          action: 'update',
          params: { credentialId: '9' },
          label: 'db',
          body: { username: 'me', password: secret },
          before: { password: secret },
        },
      },
      {
        id: 2,
        uid: 'uid-2',
        record: { resource: 'entity-transfers', action: 'accept', params: { token: secret }, label: 'a transfer' },
      },
    ];
    const written = writtenPlan({ host: 'a', steps }, writer);
    expect(written).toHaveProperty('text', expect.not.stringContaining(secret));
    expect(written).toHaveProperty('text', expect.stringContaining('"password": "[redacted]"'));
  });

  it('leaves out what is done, and names the row that it made', () => {
    const result = { state: 'done', at: 0, made: { volumeId: '77' } } as const;
    const volumes = [{ $step: 3 }];
    const tag = { resource: 'tags', action: 'create', params: {}, label: 't-1', body: { label: 't-1', volumes } };
    const record = { ...attached.record, body: { server_id: 7 } };
    const steps = [
      { ...made, result },
      { ...attached, record },
      { id: 5, uid: 'uid-5', record: tag },
    ];
    expect(savedAndLoaded({ host: 'a', steps })).toEqual({
      host: 'a',
      steps: [
        { id: 1, uid: 'uid-4', record: { ...record, params: { volumeId: '77' } } },
        { id: 2, uid: 'uid-5', record: { ...tag, body: { label: 't-1', volumes: [77] } } },
      ],
    });
  });

  it('is not written where nothing is left of it, where it is not known what is left, and where no other could use it', () => {
    expect(savedAndLoaded({ host: 'a', steps: [] })).toEqual(['The plan has no steps to save.']);
    const result = { state: 'sent', at: 0 } as const;
    expect(savedAndLoaded({ host: 'a', steps: [{ ...made, result }] })).toEqual([
      'It is not known whether step 1 was done; carry it out before you save.',
    ]);
    const own = { ...made, record: { ...made.record, action: 'Ping it' } };
    expect(savedAndLoaded({ host: 'a', steps: [attached, own] })).toEqual([
      'Step 2 is a command of your own (Ping it), which others do not have; carry it out or delete it before you save.',
    ]);
  });
});
