import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { Hono } from 'hono/quick';
import { operationsOf, resourceNamed, resources } from '../../resources/index.ts';
import { isRow, type Operation, type Params, type Row } from '../../resources/resource.ts';
import { checkScopes, invalidToken, type User, userOf, users } from './access.ts';
import type { Cloud } from './cloud.ts';
import { badRequest, HttpError, notFound } from './errors.ts';
import type { FaultInjector } from './faults.ts';
import { filterIn, parsed } from './filter.ts';
import { answerSigned, type Endpoint, type ResourceHandlers, type Route } from './handler.ts';
import { checkBody, rulesOf } from './validation.ts';
import type { Translator } from './vocabulary.ts';

type HonoContext = Context<{ Bindings: HttpBindings }>;

/** The clock, latency, faults and vocabulary of the server. */
export interface Behaviour {
  now: () => number;
  latencyMs: number;
  injectFault: FaultInjector;
  translator: Translator;
}

/** The web application that answers every described operation. @throws when one has no answer, naming it */
export function appOf(
  cloud: Cloud,
  all: readonly ResourceHandlers[],
  behaviour: Behaviour,
): Hono<{ Bindings: HttpBindings }> {
  const { translator } = behaviour;
  const app = new Hono<{ Bindings: HttpBindings }>({
    getPath: (request) => translator.pathIn(new URL(request.url).pathname),
  });
  const routes = routesOf(all);
  const colleague = colleagueOf(routes, cloud);
  for (const route of routes) {
    app.on(route.operation.method, patternOf(route.operation.path), async (context) => {
      const { latencyMs, injectFault } = behaviour;
      if (latencyMs > 0) await sleep(latencyMs, undefined, { ref: false });
      const work = () => handle(context, route, cloud, behaviour);
      const proceed = () => work().catch((error: Error) => failure(context, error, translator));
      const changeAsColleague = () => colleague(route, context.req.param(), context.req.raw);
      return (await injectFault({ ...context.env, proceed, changeAsColleague })) ?? work();
    });
  }
  for (const route of all.flatMap(({ signed = [] }) => signed)) {
    app.on(route.method, route.path, (context) => {
      const advance = () => cloud.timeline.advance(behaviour.now());
      const query = new URL(context.req.url).searchParams;
      return answerSigned(route, { params: context.req.param(), query, request: context.req.raw, advance }, cloud);
    });
  }
  app.notFound((context) => failure(context, notFound(), translator));
  app.onError((error, context) => failure(context, error, translator));
  return app;
}

/** One route for every method and path; several operations that share them share the answer. */
function routesOf(all: readonly ResourceHandlers[]): readonly Route[] {
  const described = resources.flatMap((resource) =>
    operationsOf(resource).map(({ name, operation }) => ({ resource, name, operation, key: routeKey(operation) })),
  );
  const routes = new Map<string, Route>();
  for (const { resource, name, operation, key } of described) {
    const found = all.find((one) => one.resource === resource.name && one.handlers[name])?.handlers[name];
    if (!found || routes.has(key)) continue;
    const endpoint = typeof found === 'function' ? { handler: found } : found;
    const siblings = described.filter((other) => other.key === key && other.resource === resource);
    const operations = siblings.map((other) => other.operation);
    routes.set(key, { resource, operation, endpoint, rules: rulesOf(resource, operation, operations) });
  }
  const missing = described.find(({ key }) => !routes.has(key));
  if (missing) throw new Error(`src/demo/handlers.ts has no handler for ${missing.name} of ${missing.resource.name}.`);
  for (const route of all.flatMap(routesBeyond)) routes.set(routeKey(route.operation), route);
  // A path of fewer parameters comes first: another would take its words for ids.
  return [...routes.values()].sort((one, other) => parameters(one) - parameters(other));
}

/** The routes of operations that the documents do not have. */
function routesBeyond({ resource: name, beyond = {} }: ResourceHandlers): readonly Route[] {
  const resource = resourceNamed(name);
  return Object.entries(beyond).map(([word, handler]) => {
    const operation = { method: 'POST' as const, path: `${resource.view?.path}/${word}`, scope: resource.edit?.scope };
    return { resource, operation, endpoint: { handler }, rules: [] };
  });
}

const parameters = ({ operation }: Route) => operation.path.split('{').length;

const routeKey = ({ method, path }: Operation) => `${method} ${path}`;

/** Ids of kernels and images hold a slash. */
const patternOf = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => (name === 'kernelId' || name === 'imageId' ? `:${name}{.+}` : `:${name}`));

async function handle(
  context: HonoContext,
  route: Route,
  cloud: Cloud,
  { now, translator }: Behaviour,
): Promise<Response> {
  const { operation, endpoint, rules } = route;
  const wanted = operation.scope === undefined ? [] : [operation.scope].flat();
  context.header('X-Accepted-OAuth-Scopes', translator.scopes(wanted.join(' ')));
  context.header('X-RateLimit-Limit', String(endpoint.rateLimit ?? 1600));
  const user = authenticate(context, wanted, endpoint, translator);
  const body = translator.bodyIn(await bodyOf(context));
  const filter = translator.filterIn(filterIn(context.req.header('X-Filter')));
  checkBody(body, rules);
  cloud.timeline.advance(now());
  const { req } = context;
  const call = { params: req.param(), query: req.query(), body, user, filter, request: req.raw };
  const result = (await endpoint.handler(call, cloud)) ?? {};
  return context.json(translator.bodyOut(result));
}

/** The user of a request. The answer names the scopes of the token even where they do not suffice. @throws 401, 403 */
function authenticate(
  context: HonoContext,
  wanted: readonly string[],
  { optional }: Endpoint,
  translator: Translator,
): User | undefined {
  if (wanted.length === 0) return undefined;
  const user = userOf(context.req.header('Authorization'));
  if (!user && !optional) throw invalidToken();
  if (!user) return undefined;
  context.header('X-OAuth-Scopes', translator.scopes(user.scopes.join(' ')));
  checkScopes(user, wanted);
  return user;
}

/** The JSON object that was sent; empty where nothing was, or where a form or raw bytes were. */
async function bodyOf(context: HonoContext): Promise<Row> {
  const type = context.req.header('Content-Type') ?? 'application/json';
  if (context.req.method === 'GET' || /^(multipart\/|application\/octet-stream)/.test(type)) return {};
  const text = await context.req.text();
  if (text.trim() === '') return {};
  const body = parsed(text, badRequest('Invalid JSON'));
  if (!isRow(body)) throw badRequest('Request body must be an object');
  return body;
}

function failure(context: HonoContext, error: Error, translator: Translator): Response {
  if (error instanceof HttpError) {
    context.status(error.status as 400);
    return context.json(translator.bodyOut({ errors: error.errors }));
  }
  context.status(500);
  return context.json({ errors: [{ reason: `The demo API has failed: ${error.message}` }] });
}

/** A colleague leaves it at one change in this time, in milliseconds: who reads it because of that meets no further one. */
const cooldownMs = 15_000;

/** A colleague adds this to labels and takes it off again, and the same with the tag. */
const suffix = '-new';
const tag = 'colleague';

/**
 * Somebody else who changes the label and tags of a row just before it is read alone, as when it is read again before an
 * edit is sent. Rows that have neither, and requests for anything else, are left alone.
 */
function colleagueOf(routes: readonly Route[], cloud: Cloud) {
  let workedAt = Number.NEGATIVE_INFINITY;
  return async ({ resource, operation, endpoint }: Route, params: Params, request: Request): Promise<void> => {
    const editing = routes.find((route) => route.resource === resource && route.operation === resource.edit);
    if (operation !== resource.view || !editing || Date.now() - workedAt < cooldownMs) return;
    const call = { params, query: {}, body: {}, user: users.colleague, filter: undefined, request };
    try {
      const body = changeOf((await endpoint.handler(call, cloud)) as Row);
      if (Object.keys(body).length === 0) return;
      await editing.endpoint.handler({ ...call, body }, cloud);
      workedAt = Date.now();
    } catch {
      // A colleague may be refused like anybody else.
    }
  };
}

function changeOf({ label, tags }: Row): Row {
  const change: Record<string, unknown> = {};
  if (typeof label === 'string')
    change.label = label.endsWith(suffix) ? label.slice(0, -suffix.length) : label + suffix;
  if (Array.isArray(tags)) change.tags = tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag];
  return change;
}
