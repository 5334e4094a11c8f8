import type { Clock } from '../clock.ts';

/** One object of the cloud's JSON. A row is never changed: another takes its place. */
export type Row = Readonly<Record<string, unknown>>;

/** A row from a moment on; without one it is gone. */
export interface Version {
  readonly at: number;
  readonly row: Row | undefined;
  /** The number of the write that made it; undefined where the cloud itself did, or it was there from the beginning. */
  readonly by: number | undefined;
}

/** A thing of an account with all that it ever was. */
export interface Item {
  readonly kind: string;
  readonly id: number;
  readonly account: string;
  /** The item that it lies in: the domain of a record. */
  readonly parent: Item | undefined;
  /** The oldest first. */
  readonly versions: Version[];
}

/** A write as the cloud has it, in the order in which they came. */
export interface Write {
  readonly number: number;
  readonly at: number;
  /** Who sent it: a process of ours, or a colleague. */
  readonly by: string;
  readonly deed: number;
  readonly host: string;
  readonly account: string;
  readonly method: string;
  /** After the version. */
  readonly path: string;
  readonly body: Row;
  status: number;
  /** All that it changed, made and took away. */
  readonly changes: { readonly item: Item; readonly before: Row | undefined; readonly after: Row | undefined }[];
  /** The item that it made, where it is a creation. */
  made?: Item;
}

/** A refusal of the cloud (document 1, 7). */
export class Refusal extends Error {
  readonly status: number;
  readonly field: string | undefined;
  constructor(status: number, reason: string, field?: string) {
    super(reason);
    this.status = status;
    this.field = field;
  }
}

/** A time as the API writes it, without a zone. */
export const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19);

export const latest = ({ versions }: Item): Row | undefined => versions.at(-1)?.row;

/** The row of an item at a moment. */
export const rowAt = ({ versions }: Item, at: number): Row | undefined =>
  versions.findLast((version) => version.at <= at)?.row;

/** All things of one address, whatever account they are of. */
export class Items {
  readonly all: Item[] = [];
  readonly #clock: Clock;
  #lastId: number;

  /** @param lastId things of two addresses may have the same ids */
  constructor(clock: Clock, lastId: number) {
    this.#clock = clock;
    this.#lastId = lastId;
  }

  /** Those that are there, the oldest first. */
  of(kind: string, account: string, parent?: Item): readonly Item[] {
    return this.all.filter(
      (item) =>
        item.kind === kind &&
        item.account === account &&
        latest(item) &&
        (parent === undefined || item.parent === parent),
    );
  }

  /** Rejects what is not there, or another's, in the words of the API. */
  find(kind: string, account: string, id: unknown, parent?: Item): Item {
    const found = this.of(kind, account, parent).find((item) => String(item.id) === String(id));
    if (!found) throw new Refusal(404, 'Not found');
    return found;
  }

  make(kind: string, account: string, row: Row, write?: Write, parent?: Item): Item {
    const item: Item = { kind, id: ++this.#lastId, account, parent, versions: [] };
    this.all.push(item);
    this.put(item, { id: item.id, ...row }, write);
    if (write) write.made ??= item;
    return item;
  }

  /** Changes some values of a row. */
  change(item: Item, values: Row, write?: Write): void {
    const before = latest(item);
    if (before) this.put(item, { ...before, ...values }, write);
  }

  /** Takes a row away, and all that lies in it. */
  remove(item: Item, write?: Write): void {
    for (const child of this.all.filter(({ parent }) => parent === item)) if (latest(child)) this.remove(child, write);
    this.put(item, undefined, write);
  }

  private put(item: Item, row: Row | undefined, write: Write | undefined): void {
    const before = latest(item);
    item.versions.push({ at: this.#clock.now, row, by: write?.number });
    write?.changes.push({ item, before, after: row });
  }
}
