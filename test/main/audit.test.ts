import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiError } from '../../src/api/error.ts';
import { auditHooks, auditOwner, ownLines } from '../../src/program/auditLog/accountAudit.ts';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { changeOn, recordOf } from '../../src/store/changes/change.ts';
import { client, failure, json, serve } from '../api/server.ts';
import { jsonLines } from '../jsonLines.ts';
import { actionOf } from '../resources/actionOf.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('audit');
});

const file = () => join(home, 'audit.jsonl');
const linesOf = async () => jsonLines(await readFile(file(), 'utf8'));

const create = actionOf(resourceNamed('servers'), 'create');
const body = { label: 'web', type: 'g6-standard-1', root_pass: 'sesame-open' };

/** A client with an audit log. */
function audited(url: string, readOnly = false, owner = auditOwner('work', 'api.example.com')) {
  const log = openAuditLog(home);
  return { ...client(url, { readOnly, ...auditHooks(ownLines(log, owner, () => 1000)) }), log };
}

describe('the audit log', () => {
  it('has a line before the change leaves, and one about what became of it, without secrets', async () => {
    const before: unknown[] = [];
    const { url } = await serve(async (_seen, response, count) => {
      before.push((await linesOf()).at(-1));
      if (count === 1) json(response, { id: 5 });
      else json(response, { errors: [{ field: 'type', reason: 'No such type' }] }, 400);
    });
    const { api } = audited(url);
    await api.send(create, { body });
    await failure(api.send(create, { body }));
    const lines = await linesOf();
    const [change] = lines.map((line) => line.change);
    expect(change).toMatch(/^[0-9a-f]{8}-1$/);
    const about = {
      time: '1970-01-01T00:00:01.000Z',
      profile: 'work',
      host: 'api.example.com',
      session: String(change).slice(0, 8),
      change,
      method: 'POST',
      path: create.path,
    };
    expect(lines.slice(0, 2)).toEqual([
      { ...about, body: { ...body, root_pass: '[redacted]' }, outcome: 'pending' },
      { ...about, outcome: 'done', status: 200, made: '5' },
    ]);
    expect(lines.slice(2)).toMatchObject([
      { change: `${String(change).slice(0, 8)}-2`, outcome: 'pending' },
      { outcome: 'failed', status: 400, error: expect.stringContaining('No such type') },
    ]);
    expect(before).toEqual([lines[0], lines[2]]);
    expect(JSON.stringify(lines)).not.toContain('sesame-open');
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('has the row that is changed, and the touched fields as they were before, without secrets', async () => {
    const { url } = await serve((_seen, response) => json(response, {}));
    const { api } = audited(url);
    const edit = actionOf(resourceNamed('servers'), 'edit');
    const row = { id: 5, label: 'web', tags: ['prod'], alerts: { cpu: 90, io: 10 }, root_pass: 'sesame-open' };
    const sent = { label: 'web-old', alerts: { cpu: 80 }, root_pass: 'sesame-new' };
    const change = changeOn(resourceNamed('servers'), edit, row, {}, sent);
    await api.send(edit, { params: change.params, body: sent, record: recordOf(change) });
    const [pending, done] = await linesOf();
    expect(pending).toMatchObject({
      resource: 'servers',
      action: 'edit',
      params: { serverId: '5' },
      label: 'web',
      body: { label: 'web-old', alerts: { cpu: 80 }, root_pass: '[redacted]' },
    });
    expect(pending?.before).toEqual({ label: 'web', alerts: { cpu: 90 }, root_pass: '[redacted]' });
    expect(done).not.toHaveProperty('before');
  });

  it('tells what was sent and broken off or never answered from what was not sent', async () => {
    const controller = new AbortController();
    const { url, seen } = await serve((_seen, response, count) => {
      if (count === 1) controller.abort();
      if (count === 2) response.destroy();
    });
    const { api } = audited(url);
    await failure(api.send(create, { body, signal: controller.signal }));
    await failure(api.send(create, { body }));
    // Two changes are under way at most, so that the third waits for a connection.
    const hanging = [1, 2, 3].map(() => failure(api.send(create, { body })));
    await expect.poll(async () => [(await linesOf()).length, seen.length]).toEqual([7, 4]);
    await api.close();
    await Promise.all(hanging);
    const ends = (await linesOf()).filter(({ outcome }) => outcome !== 'pending');
    expect(ends.map(({ outcome }) => outcome).sort()).toEqual([
      'aborted',
      'aborted',
      'aborted',
      'answer lost',
      'not sent',
    ]);
    expect(ends.find(({ outcome }) => outcome === 'aborted')?.error).toMatch(/It may have been done/);
  });

  it('that cannot take a line keeps the change back', async () => {
    const { url, seen } = await serve((_seen, response) => json(response, {}));
    const { api, log } = audited(url);
    log.close();
    const error: ApiError = await failure(api.send(create, { body }));
    expect(error).toMatchObject({ kind: 'unrecorded', maybeSent: false, status: undefined });
    expect(error.message).toMatch(
      /^Nothing was sent, because the audit log .*audit\.jsonl cannot be written: EBADF; fix that and send it again, /,
    );
    expect(seen).toEqual([]);
    expect(log.failure).toContain('lacks lines since');
  });

  it('keeps files that are put elsewhere back as well', async () => {
    const { url, seen } = await serve((_seen, response) => json(response, {}));
    const { api, log } = audited(url);
    await writeFile(join(home, 'a'), 'all is well');
    await api.files.upload(`${url}/bucket/a?signature=abc`, join(home, 'a'), { change: { uid: 'u.1' } });
    expect(await linesOf()).toMatchObject([
      { method: 'PUT', path: `${url}/bucket/a`, body: { bytes: 11 }, uid: 'u.1', outcome: 'pending' },
      { outcome: 'done', status: 200 },
    ]);
    log.close();
    expect(await failure(api.files.remove(`${url}/bucket/a`))).toMatchObject({ kind: 'unrecorded' });
    expect(seen).toHaveLength(1);
  });

  it('begins a new line after one that was cut off', async () => {
    await writeFile(file(), '{"n":1}\n{"n":', { mode: 0o600 });
    const { url } = await serve((_seen, response) => json(response, {}));
    await audited(url).api.send(create, { body });
    const lines = (await readFile(file(), 'utf8')).split('\n');
    expect(lines.slice(0, 2)).toEqual(['{"n":1}', '{"n":']);
    expect(lines.slice(2, 4).map((line) => JSON.parse(line).outcome)).toEqual(['pending', 'done']);
  });

  it('has no line of what a closed gate refuses', async () => {
    const { api } = audited('http://127.0.0.1:9', true);
    await failure(api.send(create, { body }));
    expect(await readFile(file(), 'utf8')).toBe('');
  });
});
