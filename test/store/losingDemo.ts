import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { pathOf } from '../../src/api/address.ts';
import type { ChangeHooks } from '../../src/api/changeAudit.ts';
import { type Api, connect } from '../../src/api/client.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { accountAudit, auditHooks, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Operation, Params, Row } from '../../src/resources/resource.ts';
import { carryOutPlan } from '../../src/store/plans/carryOut.ts';
import type { Plan, PlanStep, StepResult } from '../../src/store/plans/plan.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { answering } from '../answering.ts';
import { openStores, partsOf } from './openStores.ts';

/** The end of a change: it is answered, or not, be it before it has arrived or after it was done. */
export type Fate = 'answered' | 'lost before' | 'lost after';

/** A demo behind a line that loses answers. */
export interface LosingDemo {
  demo: Demo;
  /** The fates of the next changes; what follows is answered. */
  fates: Fate[];
  /** Called when a change has come, and before anything is done with it. */
  onChange: (() => Promise<unknown>) | undefined;
  /** The changes that were done: `POST /v4/volumes`. */
  done: string[];
  /** No list can be read. */
  isClosed: boolean;
  /** Sets the clock of the API ahead of this machine's, in milliseconds. */
  ahead: number;
  /** The API as one's own program has it. */
  open(hooks?: ChangeHooks): Api;
  /** Sends a request as the user of a token, past the line. */
  ask(as: keyof Demo['tokens'], operation: Operation, params?: Params, body?: unknown): Promise<Row>;
  /** All that the API answers to a list. */
  rows(resource: string, params?: Params, filter?: object): Promise<readonly Row[]>;
}

/**
 * Starts a demo for the tests of a file, or of a part of it.
 * @param ahead so many milliseconds its clock is ahead of this machine's
 * @param isForEach one for each test, which finds it as it was made
 */
export function losingDemo(ahead = 0, isForEach = false): LosingDemo {
  let url = '';
  const now = () => Date.now() + losing.ahead;
  const server = createServer(
    answering(async (request, response) => {
      const { method = '', url: path = '' } = request;
      const body = await bodyOf(request);
      const fate = method === 'GET' ? 'answered' : (losing.fates.shift() ?? 'answered');
      if (method !== 'GET') await losing.onChange?.();
      if (fate === 'lost before') return response.destroy();
      const headers = Object.entries(request.headers).filter(([name]) =>
        /^(?:authorization|content-type|x-filter)$/.test(name),
      );
      if (method === 'GET' && losing.isClosed) return response.writeHead(403).end('{"errors":[{"reason":"Not now."}]}');
      const passed = await fetch(losing.demo.url + path, { method, headers: headers as [string, string][], body });
      const answer = await passed.text();
      if (method !== 'GET' && passed.ok) losing.done.push(`${method} ${path}`);
      if (fate === 'lost after') return response.destroy();
      return response.writeHead(passed.status, { date: new Date(now()).toUTCString() }).end(answer);
    }),
  );
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  (isForEach ? beforeEach : beforeAll)(async () => {
    losing.demo = await startDemo({ pace: 50, seed: 1, colleagues: false, now });
  });
  (isForEach ? afterEach : afterAll)(() => losing.demo.close());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = async (as: keyof Demo['tokens'], target: string, method: string, body?: unknown, filter?: object) => {
    const answer = await fetch(losing.demo.url + target, {
      method,
      headers: {
        authorization: `Bearer ${losing.demo.tokens[as]}`,
        'content-type': 'application/json',
        ...(filter && { 'x-filter': JSON.stringify(filter) }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Row;
  };
  const losing: LosingDemo = {
    demo: undefined as unknown as Demo,
    fates: [],
    onChange: undefined,
    done: [],
    isClosed: false,
    ahead,
    open: (hooks) => connect({ baseUrl: url, token: losing.demo.tokens.full, ...hooks }),
    ask: (as, operation, params = {}, body) => ask(as, pathOf(operation, params), operation.method, body),
    async rows(resource, params = {}, filter) {
      const { list } = resourceNamed(resource);
      if (!list) throw new Error(`${resource} has no list`);
      const rows: Row[] = [];
      for (let page = 1; ; page++) {
        const body = await ask('full', `${pathOf(list, params)}?page=${page}&page_size=100`, 'GET', undefined, filter);
        rows.push(...(body.data as readonly Row[]));
        if (page >= Number(body.pages)) return rows;
      }
    },
  };
  return losing;
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
}

/**
 * Carries a plan out three times, each time by another program, whose only memory is what was kept of the steps: first a
 * tag is made, so that its user is known, and then this change.
 * @return the states of the change after each run, and what the last one tells about it
 */
export async function inThreeRuns(
  losing: LosingDemo,
  tag: string,
  record: PlanStep['record'],
): Promise<{ states: readonly unknown[]; result: Partial<StepResult> }> {
  const first = { resource: 'tags', action: 'create', params: {}, label: 'first', body: { label: tag } };
  let plan: Plan = {
    host: 'demo',
    steps: [
      { id: 1, uid: `${tag} 1`, record: first },
      { id: 2, uid: `${tag} 2`, record },
    ],
  };
  const keep = (now: Plan) => {
    plan = now;
  };
  const states: unknown[] = [];
  for (let run = 1; run <= 3; run++) {
    const api = losing.open();
    onTestFinished(() => api.close());
    const stores = openStores(api);
    await stores.events.poll();
    await carryOutPlan(stores, plan, { isTyped: true, keep });
    plan = JSON.parse(JSON.stringify(plan)) as Plan;
    states.push(plan.steps[1]?.result?.state);
  }
  return { states, result: plan.steps[1]?.result ?? {} };
}

/** Opens sessions of one account that share an audit log, each until the end of the test. */
export function loggedSessions(losing: Pick<LosingDemo, 'open'>): () => Stores {
  const { lines, source } = accountAudit(auditOwner('test', 'api.example.com'), undefined, Date.now);
  source.owner.setState({ account: 'A' });
  return () => {
    const parts = partsOf(losing.open(auditHooks(lines)), { audit: source });
    const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
    onTestFinished(() => stores.close());
    return stores;
  };
}
