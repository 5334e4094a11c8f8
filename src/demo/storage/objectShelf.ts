/** An object as it is kept. */
export interface Kept {
  name: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
  etag: string;
  /** What it holds, where that is kept; otherwise it is made up when it is asked for. */
  data?: Buffer;
}

/** What lay in a bucket at first: any number of objects, each worked out from its place, in the order of their names. */
export interface Stock {
  count: number;
  /** The size of all together. */
  bytes: number;
  name: (place: number) => string;
  kept: (place: number) => Kept;
}

/** One element of an object list: an object, or what the names of several begin with. */
export type Element = { object: Kept } | { prefix: string };

/** What a listing asks for. */
export interface Listing {
  prefix: string;
  /** Empty where names are not grouped. */
  delimiter: string;
  /** The last element of the page before. */
  marker: string;
  most: number;
}

/** Greater than anything that a name goes on with. */
const last = '\u{10ffff}';

/** The objects of one bucket, in the order of their names: its stock, and what has changed since. */
export class Shelf {
  readonly #stock: Stock;
  /** Objects that were written since, and those that were deleted. */
  readonly #changes = new Map<string, Kept | undefined>();
  #sorted: readonly string[] = [];
  #count: number;
  #bytes: number;

  constructor(stock: Stock) {
    this.#stock = stock;
    this.#count = stock.count;
    this.#bytes = stock.bytes;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): Kept | undefined {
    if (this.#changes.has(name)) return this.#changes.get(name);
    const place = this.#placeFrom(name);
    return place < this.#stock.count && this.#stock.name(place) === name ? this.#stock.kept(place) : undefined;
  }

  put(object: Kept): void {
    this.#change(object.name, object);
  }

  delete(name: string): void {
    if (this.get(name)) this.#change(name, undefined);
  }

  #change(name: string, object: Kept | undefined): void {
    const before = this.get(name);
    this.#count += Number(object !== undefined) - Number(before !== undefined);
    this.#bytes += (object?.size ?? 0) - (before?.size ?? 0);
    this.#changes.set(name, object);
    this.#sorted = [...this.#changes.keys()].sort();
  }

  /** One page of a listing, and whether more follows. */
  list({ prefix, delimiter, marker, most }: Listing): { elements: readonly Element[]; truncated: boolean } {
    const elements: Element[] = [];
    const isGroup = delimiter !== '' && marker.endsWith(delimiter);
    let from = marker === '' ? prefix : marker + (isGroup ? last : '\0');
    for (;;) {
      const object = this.#first(from);
      if (!object?.name.startsWith(prefix)) return { elements, truncated: false };
      if (elements.length === most) return { elements, truncated: true };
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
  #first(name: string): Kept | undefined {
    let place = this.#placeFrom(name);
    while (place < this.#stock.count && this.#isChanged(place)) place++;
    const changed = this.#sorted.find((other) => other >= name && this.#changes.get(other) !== undefined);
    const stocked = place < this.#stock.count ? this.#stock.name(place) : undefined;
    if (changed === undefined) return stocked === undefined ? undefined : this.#stock.kept(place);
    return stocked === undefined || changed < stocked ? this.#changes.get(changed) : this.#stock.kept(place);
  }

  #isChanged = (place: number) => this.#changes.has(this.#stock.name(place));

  /** The place of the first of the stock whose name is not less than this. */
  #placeFrom(name: string): number {
    let [low, high] = [0, this.#stock.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#stock.name(middle) < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
