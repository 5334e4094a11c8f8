import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { users } from '../../src/demo/engine/access.ts';
import { loadDemoProcess, startDemoProcess } from '../../src/program/demoProcess.ts';
import type { DemoFlags } from '../../src/program/invocation.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let home: string;
let demo: ReturnType<typeof startDemoProcess>;
beforeEach(() => {
  home = temporaryFolder('demo');
});
afterEach(() => demo.close());

const json = (value: object) => ({ body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });

/** Starts it in its process, where it has classes of fetch of its own. Answers what asks it. */
function startBuilt(options: DemoFlags = {}) {
  demo = startDemoProcess(loadDemoProcess(process.execPath, home), options);
  return async (method: string, path: string, more: RequestInit = {}) => {
    const headers = { ...more.headers, Authorization: `Bearer ${users.full.token}` };
    return fetch(`${await demo.url}/v4${path}`, { redirect: 'manual', ...more, method, headers });
  };
}

type Ask = ReturnType<typeof startBuilt>;

async function rowsOf(ask: Ask, path: string): Promise<Record<string, unknown>[]> {
  const { data } = (await (await ask('GET', path)).json()) as { data: Record<string, unknown>[] };
  return data;
}

describe('the demo API as it is built', () => {
  it('takes the form in which a file is attached to a ticket', async () => {
    const ask = startBuilt();
    const open = (await rowsOf(ask, '/support/tickets')).find(({ status }) => status !== 'closed');
    const path = `/support/tickets/${open?.id}/attachments`;
    const form = new FormData();
    form.append('file', new File(['what was seen'], 'seen.txt', { type: 'text/plain' }));
    expect((await ask('POST', path, { body: form })).status).toBe(200);
    const refused = await ask('POST', path, { body: new FormData() });
    expect(await refused.json()).toMatchObject({ errors: [{ field: 'file' }] });
  });

  it('takes an object and gives it back, bit by bit', async () => {
    const ask = startBuilt();
    const [bucket] = await rowsOf(ask, '/object-storage/buckets');
    const path = `/object-storage/buckets/${bucket?.cluster}/${bucket?.label}/object-url`;
    const type = { content_type: 'text/plain' };
    const addressFor = async (method: string) => {
      const answer = await ask('POST', path, json({ method, name: 'notes/new.txt', ...(method === 'PUT' && type) }));
      return ((await answer.json()) as { url: string }).url;
    };
    const text = 'line\n'.repeat(50_000);
    const headers = { 'Content-Type': type.content_type };
    expect((await fetch(await addressFor('PUT'), { method: 'PUT', body: text, headers })).status).toBe(200);
    expect(await (await fetch(await addressFor('GET'))).text()).toBe(text);
  });

  it.each([
    ['pages', async (answer: Response) => expect(await answer.text()).toContain('<html>')],
    ['redirects', async ({ headers }: Response) => expect(headers.get('Location')).toMatch(/^https:/)],
    ['revoked', async ({ status }: Response) => expect(status).toBe(401)],
    ['skew', async ({ status }: Response) => expect(status).toBe(200)],
  ])('fails as it is told: %s', async (fault, expectFault) => {
    const ask = startBuilt({ faults: [`${fault}:1`] });
    await expectFault(await ask('GET', '/regions'));
  });

  it('breaks off in the middle of an answer', async () => {
    const ask = startBuilt({ faults: ['truncated:1'] });
    const read = async () => JSON.parse(await (await ask('GET', '/regions')).text());
    await expect(read()).rejects.toThrow();
  });
});
