import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import { auditHooks, auditOwner, ownLines } from '../../src/program/auditLog/accountAudit.ts';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { type Connection, openConnection } from '../../src/program/connection.ts';
import { loadDemoProcess } from '../../src/program/demoProcess.ts';
import { UsageError } from '../../src/program/rules.ts';
import { readSettings } from '../../src/program/settings.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { jsonLines } from '../jsonLines.ts';
import { actionOf } from '../resources/actionOf.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let home: string;
let connection: Connection | undefined;
let cloud: Demo | undefined;
beforeEach(() => {
  home = temporaryFolder('connection');
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await cloud?.close();
  cloud = undefined;
});

const child = () => loadDemoProcess(process.execPath, home);

describe('a connection', () => {
  it.each(['demo', 'account'])(
    'to the %s has every change on record, without secrets, and nothing else',
    async (to) => {
      const log = openAuditLog(home);
      const { options, demo } = parseArguments(to === 'demo' ? ['--demo', '--servers', '1'] : []);
      cloud = to === 'demo' ? undefined : await startDemo({ servers: 1 });
      const account = cloud && { SKYDECK_TOKEN: cloud.tokens.full, SKYDECK_BASE_URL: cloud.url };
      const settings = await readSettings(options, { HOME: home, ...account });
      connection = openConnection(settings, demo, {
        child: cloud ? undefined : child(),
        ...auditHooks(ownLines(log, auditOwner('here', 'demo'), () => 0)),
      });
      const { api } = connection;
      const { list } = resourceNamed('volumes');
      if (list) await api.send(list);
      await api.send(actionOf(resourceNamed('volumes'), 'create'), { body: { label: 'data', region: 'us-east' } });
      const create = actionOf(resourceNamed('servers'), 'create');
      const body = { type: 'no-such-type', region: 'us-east', image: 'server/debian12', root_pass: 'sesame-open' };
      await expect(api.send(create, { body })).rejects.toThrow();
      log.close();
      const text = await readFile(join(home, 'audit.jsonl'), 'utf8');
      expect(text).not.toContain('sesame-open');
      const entries = jsonLines(text);
      expect(entries).toMatchObject([
        { profile: 'here', method: 'POST', outcome: 'pending', body: { label: 'data' } },
        { profile: 'here', method: 'POST', outcome: 'done', status: 200 },
        { profile: 'here', method: 'POST', outcome: 'pending', body: { type: 'no-such-type' } },
        { profile: 'here', method: 'POST', outcome: 'failed', status: 400 },
      ]);
    },
  );

  it('that is read-only sends no change', async () => {
    const { options, demo } = parseArguments(['--demo', '--read-only']);
    connection = openConnection(await readSettings(options, { HOME: home }), demo, { child: child() });
    await expect(
      connection.api.send(actionOf(resourceNamed('volumes'), 'create'), { body: { label: 'x' } }),
    ).rejects.toThrow('read-only');
  });

  it('ends the demo with itself', async () => {
    const { options, demo } = parseArguments(['--demo']);
    const { api, close } = openConnection(await readSettings(options, { HOME: home }), demo, { child: child() });
    const { list } = resourceNamed('regions');
    if (!list) throw new Error('regions cannot be listed');
    expect((await api.send(list)).status).toBe(200);
    await close();
    await expect(api.send(list)).rejects.toThrow();
  });

  it('refuses words that the client cannot translate, as a mistake in the settings', async () => {
    const settings = await readSettings(parseArguments([]).options, {
      HOME: home,
      SKYDECK_TOKEN: 'x',
      SKYDECK_BASE_URL: 'https://api.example.com',
    });
    expect(() => openConnection({ ...settings, vocabulary: { server: 'a b' } }, {})).toThrow(UsageError);
  });
});
