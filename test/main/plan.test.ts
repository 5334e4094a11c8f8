import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planJsonSchema } from '../../src/config/jsonSchema.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import { planDocument, planText } from '../../src/program/plans/planText.ts';
import { samplePlan } from '../config/plan.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-plan-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs `skydeck plan` in a place without a configuration. */
const plan = (...words: string[]) => skydeck(['plan', ...words], environment(home));

async function saved(text: unknown): Promise<string> {
  const file = join(home, 'plan.json');
  await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text));
  return file;
}

describe('a plan as text', () => {
  it('has each step with its row, and each field before and after', () => {
    expect(planText(samplePlan(), 'unicode')).toBe(`\
A plan of 4 steps, saved 2026-11-23 18:04 UTC by Skydeck 0.1.0 with the profile work
for api.example.com, account 1B2D3F4A-0000-4000-8000-000000000001

1  Edit web-1  (servers/48200101)
   Label: web-1 → web-one
   CPU: 180% → 90%
   Tags: +api −old
2  Resize web-1  (servers/48200101)
   Type: standard-1 → standard-2
3  New volume archive
   Label: archive
   Size: 20 GiB
   Region: us-east
4  Attach archive to a server
   Server: 48200101
`);
  });

  it('has no value before where another thing gets one: a snapshot has a label of its own', () => {
    const record = {
      resource: 'servers',
      action: 'snapshot',
      params: { serverId: '48200101' },
      label: 'web-1',
      body: { label: 'before-patch' },
      before: { label: 'web-1' },
    };
    const sample = { ...samplePlan(), steps: [{ id: 1, uid: 'uid-1', record }] };
    expect(planText(sample, 'unicode')).toContain('   made: label before-patch\n');
  });

  it('is written in plain letters, and cleans what would steer a terminal', () => {
    const sample = samplePlan();
    const [first] = sample.steps;
    Object.assign(first?.record ?? {}, {
      label: 'a\u001b]0;b\u0007c\u202e',
      changes: { set: { label: 'x\ny', group: null } },
    });
    Object.assign(sample, { profile: '\u001b[2J', euuid: undefined });
    const text = planText(sample, 'ascii');
    expect(text).toContain('1  Edit ac⟨RLO⟩');
    expect(text).toContain('   Label: web-1 -> x y\n   Group: nothing\n');
    expect(text).toContain('for api.example.com; it names no account\n');
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('names secrets that are not in the file, and has the same for programs', () => {
    const record = {
      resource: 'managed-credentials',
      action: 'update',
      params: { credentialId: '9' },
      label: 'db',
      body: { username: 'me', password: '[redacted]' },
    };
    const sample = { ...samplePlan(), steps: [{ id: 7, uid: 'uid-7', record }] };
    expect(planText(sample, 'unicode')).toContain('   Password is a secret that is in no file');
    expect(JSON.parse(planDocument(sample, 'json'))).toMatchObject({
      host: 'api.example.com',
      steps: [
        { id: 7, label: 'db', needs: [], secrets: ['password'], fields: [{ name: 'username', after: 'me' }, {}] },
      ],
    });
    const plain = { ...record, body: { username: 'me', password: 'Plain-Text-123!x' } };
    const open = { ...sample, steps: [{ id: 7, uid: 'uid-7', record: plain }] };
    const text = planText(open, 'unicode');
    expect(text).toContain('   Password is a secret, and this file holds it in plain text');
    expect(text).not.toMatch(/Plain-Text|in no file/);
    expect(planDocument(open, 'json')).not.toContain('Plain-Text');
    expect(JSON.parse(planDocument(open, 'json')).steps[0].secrets).toEqual([]);
    expect(JSON.parse(planDocument(samplePlan(), 'json')).steps[3]).toMatchObject({ needs: [3] });
    expect(planDocument(sample, 'csv')).toBe(
      'id,resource,action,label,title\r\n7,managed-credentials,update,db,Change username and password of db\r\n',
    );
    expect(JSON.parse(planDocument(sample, 'jsonl'))).toMatchObject({ id: 7 });
  });
});

describe('skydeck plan', () => {
  it('shows a plan without any account, and prints the schema', async () => {
    const file = await saved(samplePlan());
    const shown = await plan('show', file);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('1  Edit web-1');
    expect(JSON.parse((await plan('show', file, '--format', 'json')).stdout).steps).toHaveLength(4);
    expect(await plan('schema')).toEqual({ code: 0, stdout: planJsonSchema(), stderr: '' });
  });

  it.each([
    ['{"version": 3}', 'version must be 1 or 2, which this Skydeck reads; it is 3.'],
    ['{"version": 1, "steps"', 'It is no JSON: '],
    [Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8 text.'],
    [Buffer.alloc(9 * 1024 * 1024, 0x20), 'is larger than 8 MiB.'],
  ])('says why a file is no plan (%#)', async (content, says) => {
    const file = join(home, 'wrong.json');
    await writeFile(file, content);
    const { code, stdout, stderr } = await plan('show', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain(file);
  });

  it('says why a path is no file, and waits for none', async () => {
    await promisify(execFile)('mkfifo', [join(home, 'pipe')]);
    expect((await plan('show', join(home, 'pipe'))).stderr).toContain('pipe is not a file.');
    expect((await plan('show', home)).stderr).toContain('is not a file.');
    expect((await plan('show', join(home, 'none'))).stderr).toContain(
      'none cannot be read: no such file or directory.',
    );
  });

  it('tells all mistakes, each with the file and its path', async () => {
    const sample = samplePlan();
    for (const { record } of sample.steps.slice(0, 2)) record.action = 'resise';
    const file = await saved(sample);
    const { stderr } = await plan('show', file);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`${file}: steps[1].record.action must be one of `),
      expect.stringContaining(`${file}: steps[2].record.action must be one of `),
    ]);
  });
});

describe('the words behind plan', () => {
  it.each([
    [['plan'], 'skydeck plan needs a word after it: show, '],
    [['plan', 'shwo', 'a'], 'skydeck plan does not know "shwo"; did you mean show?'],
    [['plan', 'show'], 'skydeck plan show needs the file of a plan after it.'],
    [['plan', 'show', 'a', 'b'], 'skydeck plan show needs no "b"; leave it out.'],
    [['plan', 'schema', 'a'], 'skydeck plan schema needs no "a"; leave it out.'],
    [['plan', 'show', 'a', '--demo'], 'skydeck plan show takes no --demo, so leave it out.'],
    [
      ['plan', 'show', 'a', '--format', 'ssh-config'],
      '--format ssh-config works only with skydeck export; skydeck plan show has text, json, jsonl, csv and tsv.',
    ],
    [['plan', 'show', 'a', '--all'], '--all works only with skydeck snapshot.'],
  ])('%j', (words, says) => {
    expect(() => parseArguments(words)).toThrow(says);
  });
});
