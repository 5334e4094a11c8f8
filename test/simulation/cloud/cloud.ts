import type { Clock } from '../clock.ts';
import { actions, beginnings, unplug } from './actions.ts';
import { Events } from './events.ts';
import { type Item, Items, latest, Refusal, type Row, stamp, type Write } from './items.ts';
import { catalogues, checkBody, type Kind, kinds } from './kinds.ts';

/** An account of the cloud, with the token that opens it. */
export interface Account {
  readonly name: string;
  readonly token: string;
  readonly euuid: string;
}

/** A request as it comes to the cloud. */
export interface Asked {
  readonly method: string;
  /** After the version, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly body: Row;
  readonly filter: Row;
  /** The process, or the colleague, that sent it. */
  readonly by: string;
  readonly deed: number;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** Of a request that is no read. */
  readonly write?: Write;
}

interface Place {
  readonly name: string;
  readonly kind: Kind;
  readonly parent: Item | undefined;
  /** The words behind the list: an id, and what is done. */
  readonly id: string | undefined;
  readonly act: string | undefined;
}

/** The paths of the kinds: their lists, their rows, and what is done to one. */
const patterns = Object.entries(kinds).map(([name, kind]) => ({
  name,
  kind,
  pattern: new RegExp(`^${kind.path.replaceAll('*', '(\\d+)')}(?:/(\\d+)(?:/(\\w+))?)?$`),
}));

/** The first words of the paths of the kinds. */
const areas = [...new Set(Object.values(kinds).flatMap(({ path }) => path.split('/')[0] ?? []))];

/** The API at one address, made from the documents and nothing else. */
export class Cloud {
  readonly host: string;
  readonly items: Items;
  readonly events: Events;
  /** All that was not a read, in the order in which it came. */
  readonly writes: Write[];
  readonly accounts: readonly Account[];
  readonly #clock: Clock;

  /** @param writes shared by the clouds of one simulation, so that their numbers differ */
  constructor(host: string, accounts: readonly Account[], clock: Clock, random: () => number, writes: Write[]) {
    this.host = host;
    this.accounts = accounts;
    this.#clock = clock;
    this.writes = writes;
    this.items = new Items(clock, 100);
    this.events = new Events(clock, random);
  }

  /** Carries a request out, and answers it. */
  answer(asked: Asked): Answered {
    const account = this.accounts.find(({ token }) => token === asked.token);
    let write: Write | undefined;
    try {
      if (!account) throw new Refusal(401, 'Invalid Token');
      if (asked.method === 'GET') return { status: 200, body: this.#read(asked, account) };
      write = this.#begin(asked, account);
      const body = this.#write(asked, account, write);
      return { status: 200, body, write };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, field, message: reason } = error;
      if (write) this.#takeBack(write, status);
      return { status, body: { errors: [field === undefined ? { reason } : { field, reason }] }, write };
    }
  }

  #begin({ method, path, body, by, deed }: Asked, { name }: Account): Write {
    const [number, at] = [this.writes.length, this.#clock.now];
    const write: Write = {
      number,
      at,
      by,
      deed,
      host: this.host,
      account: name,
      method,
      path,
      body,
      status: 200,
      changes: [],
    };
    this.writes.push(write);
    return write;
  }

  /** A refused request has changed nothing. */
  #takeBack(write: Write, status: number): void {
    write.status = status;
    for (const { item } of write.changes.toReversed()) {
      item.versions.pop();
      if (item.versions.length === 0) this.items.all.splice(this.items.all.indexOf(item), 1);
    }
    write.changes.length = 0;
    write.made = undefined;
  }

  #place(path: string, account: string): Place {
    for (const { name, kind, pattern } of patterns) {
      const found = pattern.exec(path);
      if (!found) continue;
      const levels = kind.path.split('*').length - 1;
      const parent = this.#parent(kind, found.slice(1, 1 + levels), account);
      const [id, act] = found.slice(1 + levels);
      if (act !== undefined && !actions[`${name} ${act}`]) continue;
      return { name, kind, parent, id, act };
    }
    throw new Refusal(404, 'Not found');
  }

  #parent({ parent }: Kind, ids: readonly string[], account: string): Item | undefined {
    if (parent === undefined) return undefined;
    const above = this.#parent(kinds[parent] as Kind, ids.slice(0, -1), account);
    return this.items.find(parent, account, ids.at(-1), above);
  }

  #read({ path, query, filter }: Asked, account: Account): unknown {
    if (path === 'account')
      return { euuid: account.euuid, email: `${account.name}@example.com`, company: account.name };
    const [event] = /^account\/events\/(\d+)$/.exec(path)?.slice(1) ?? [];
    if (event !== undefined) {
      const found = this.events.of(account.name).find(({ id }) => String(id) === event);
      if (!found) throw new Refusal(404, 'Not found');
      return found;
    }
    if (path === 'account/events') return page(this.events.of(account.name), query, filter);
    const [server] = /^server\/instances\/(\d+)\/volumes$/.exec(path)?.slice(1) ?? [];
    if (server !== undefined) {
      const attached = this.#rows('volumes', account).filter(({ server_id }) => String(server_id) === server);
      return page(attached, query, filter);
    }
    const catalogue = catalogues[path];
    if (catalogue) return page(catalogue, query, filter);
    if (!areas.some((area) => path.startsWith(area))) return page([], query, filter);
    const { name, parent, id } = this.#place(path, account.name);
    if (id === undefined) return page(this.#rows(name, account, parent), query, filter);
    return latest(this.items.find(name, account.name, id, parent));
  }

  #rows(name: string, { name: account }: Account, parent?: Item): readonly Row[] {
    return this.items
      .of(name, account, parent)
      .flatMap((item): readonly Row[] => [latest(item) ?? []].flat() as readonly Row[]);
  }

  #write({ method, path, body }: Asked, account: Account, write: Write): unknown {
    const { name, kind, parent, id, act } = this.#place(path, account.name);
    const username = write.by === 'colleague' ? 'colleague' : 'operator';
    const { items, events } = this;
    if (method === 'POST' && id === undefined) return this.#create(name, kind, parent, { body, write, username });
    const item = items.find(name, account.name, id, parent);
    const run = act === undefined ? undefined : actions[`${name} ${act}`];
    if (method === 'POST' && run) return run({ items, events, item, body, write, username });
    const tell = (what: string) =>
      kind.event && events.tell(`${kind.event}_${what}`, parent ?? item, username, write.number);
    if (method === 'PUT' && act === undefined && !kind.lacks?.includes('edit')) {
      const values = pick(body, kind.fields);
      checkBody(
        kind,
        values,
        this.#rivals(name, account.name).filter((one) => one !== item),
        false,
      );
      const before = latest(item) ?? {};
      items.change(item, { ...merged(before, values), ...this.#touched(kind) }, write);
      tell('update');
      return latest(item);
    }
    if (method === 'DELETE' && act === undefined && !kind.lacks?.includes('delete')) {
      if (name === 'volumes' && latest(item)?.server_id !== null) throw new Refusal(400, 'The volume is attached');
      const volumes = name === 'servers' ? items.of('volumes', account.name) : [];
      for (const volume of volumes) if (latest(volume)?.server_id === item.id) unplug({ items, write }, volume);
      tell('delete');
      items.remove(item, write);
      return {};
    }
    throw new Refusal(405, 'Method not allowed');
  }

  #touched = ({ created }: Kind): Row => (created === undefined ? {} : { updated: stamp(this.#clock.now) });

  /** Those that may not have the same label: domains of anybody. */
  #rivals = (name: string, account: string): readonly Item[] =>
    name === 'domains'
      ? this.items.all.filter((item) => item.kind === name && latest(item))
      : this.items.of(name, account);

  #create(name: string, kind: Kind, parent: Item | undefined, { body, write, username }: Making): Row {
    const { items, events } = this;
    const values = pick(body, [...kind.fields, ...(kind.required ?? [])]);
    checkBody(kind, values, this.#rivals(name, write.account), true);
    const at = stamp(this.#clock.now);
    const times = kind.created === undefined ? {} : { [kind.created]: at, updated: at };
    const who = name === 'tickets' ? { opened_by: username } : name === 'replies' ? { created_by: username } : {};
    const above = kind.path.includes('nodebalancers/*') ? { nodebalancer_id: parent?.parent?.id ?? parent?.id } : {};
    const item = items.make(
      name,
      write.account,
      { ...kind.start, ...above, ...values, ...times, ...who },
      write,
      parent,
    );
    const begin = beginnings[name];
    if (begin) begin({ items, events, item, body, write, username });
    else if (kind.event) events.tell(`${kind.event}_create`, parent ?? item, username, write.number);
    return latest(item) ?? {};
  }
}

interface Making {
  body: Row;
  write: Write;
  username: string;
}

const pick = (body: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** Objects within a row are merged, but for devices, which are set as a whole. */
const merged = (before: Row, values: Row): Row =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isRow(value) && isRow(before[name]) && name !== 'devices'
        ? { ...before[name], ...merged(before[name], value) }
        : value,
    ]),
  );

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A page of a list (document 1, 2.1). */
function page(rows: readonly Row[], query: URLSearchParams, filter: Row): unknown {
  const found = rows.filter((row) =>
    Object.entries(filter).every(([name, value]) => isRow(value) || row[name] === value),
  );
  const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 100)];
  const pages = Math.max(1, Math.ceil(found.length / size));
  return { data: found.slice((number - 1) * size, number * size), page: number, pages, results: found.length };
}
