/** An object of a bucket. */
export interface StoredObject {
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
  etag: string;
  /** Its content where that is kept; otherwise it is made up when it is read. */
  data?: Buffer;
}

/** The objects of a bucket at first: any number of objects, each worked out from its place, in the order of their names. */
export interface InitialObjects {
  count: number;
  /** The size of all together. */
  bytes: number;
  name: (place: number) => string;
  at: (place: number) => StoredObject;
}

/** One element of an object list: an object, or what the names of several begin with. */
export type Element = { object: StoredObject } | { prefix: string };

/** The parameters of a listing. */
export interface Listing {
  prefix: string;
  /** Empty where names are not grouped. */
  delimiter: string;
  /** The last element of the page before. */
  marker: string;
  pageSize: number;
}

/** Greater than anything that a name goes on with. */
const last = '\u{10ffff}';

/** The objects of one bucket, in the order of their names: those there were at first, and the changes since. */
export class ObjectStore {
  readonly #initial: InitialObjects;
  /** Objects that were written since, and those that were deleted. */
  readonly #changes = new Map<string, StoredObject | undefined>();
  #sorted: readonly string[] = [];
  #count: number;
  #bytes: number;

  constructor(initial: InitialObjects) {
    this.#initial = initial;
    this.#count = initial.count;
    this.#bytes = initial.bytes;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): StoredObject | undefined {
    if (this.#changes.has(name)) return this.#changes.get(name);
    const place = this.#placeFrom(name);
    return place < this.#initial.count && this.#initial.name(place) === name ? this.#initial.at(place) : undefined;
  }

  put(object: StoredObject): void {
    this.#change(object.name, object);
  }

  delete(name: string): void {
    if (this.get(name)) this.#change(name, undefined);
  }

  #change(name: string, object: StoredObject | undefined): void {
    const before = this.get(name);
    this.#count += Number(object !== undefined) - Number(before !== undefined);
    this.#bytes += (object?.size ?? 0) - (before?.size ?? 0);
    this.#changes.set(name, object);
    this.#sorted = [...this.#changes.keys()].sort();
  }

  /** One page of a listing, and whether more follows. */
  list({ prefix, delimiter, marker, pageSize }: Listing): { elements: readonly Element[]; truncated: boolean } {
    const elements: Element[] = [];
    const isGroup = delimiter !== '' && marker.endsWith(delimiter);
    let from = marker === '' ? prefix : marker + (isGroup ? last : '\0');
    for (;;) {
      const object = this.#first(from);
      if (!object?.name.startsWith(prefix)) return { elements, truncated: false };
      if (elements.length === pageSize) return { elements, truncated: true };
      const cut = delimiter === '' ? -1 : object.name.indexOf(delimiter, prefix.length);
      if (cut < 0) {
        elements.push({ object });
        from = `${object.name}\0`;
      } else {
        const group = object.name.slice(0, cut + delimiter.length);
        elements.push({ prefix: group });
        from = group + last;
      }
    }
  }

  /** The first object whose name is not less than this. */
  #first(name: string): StoredObject | undefined {
    let place = this.#placeFrom(name);
    while (place < this.#initial.count && this.#isChanged(place)) place++;
    const changed = this.#sorted.find((other) => other >= name && this.#changes.get(other) !== undefined);
    const unchanged = place < this.#initial.count ? this.#initial.name(place) : undefined;
    if (changed === undefined) return unchanged === undefined ? undefined : this.#initial.at(place);
    return unchanged === undefined || changed < unchanged ? this.#changes.get(changed) : this.#initial.at(place);
  }

  #isChanged = (place: number) => this.#changes.has(this.#initial.name(place));

  /** The place of the first initial object whose name is not less than this. */
  #placeFrom(name: string): number {
    let [low, high] = [0, this.#initial.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#initial.name(middle) < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
