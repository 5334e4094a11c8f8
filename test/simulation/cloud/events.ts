import type { Clock } from '../clock.ts';
import { type Item, latest, type Row, stamp } from './items.ts';

/** An event with what is behind it. */
interface Told {
  account: string;
  row: Row;
  write: number | undefined;
  endsAt?: number;
  /** From then on the API lists it. */
  shownAt: number;
}

/** The events of one address by account, and the jobs behind them. */
export class Events {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #all: Told[] = [];
  #lastId = 7000;
  /** So much later than it happens an event is listed, in milliseconds. */
  lateMs = 0;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The events of an account, the newest first. */
  of(account: string): readonly Row[] {
    return this.#all
      .filter((one) => one.account === account && one.shownAt <= this.#clock.now)
      .map(({ row }) => row)
      .reverse();
  }

  /** The number of the write that caused an event. */
  causeOf(id: unknown): number | undefined {
    return this.#all.find(({ row }) => row.id === id)?.write;
  }

  /** When the job of a write ends, or has ended; undefined where it begins none. */
  endOf(write: number): number | undefined {
    return this.#all.find((one) => one.write === write)?.endsAt;
  }

  /** Tells of something that is over. */
  tell(action: string, item: Item, username: string, write?: number): void {
    this.#add(action, item, username, 'finished', 100, write);
  }

  /** Begins a job that takes some seconds, and tells of it. */
  begin(
    action: string,
    item: Item,
    username: string,
    { seconds: [least, most], write }: { seconds: readonly [number, number]; write: number | undefined },
    end: () => void,
  ): void {
    const event = this.#add(action, item, username, 'started', 0, write);
    const ms = (least + this.#random() * (most - least)) * 1000;
    event.endsAt = this.#clock.now + ms;
    this.#clock.after(ms, () => {
      event.row = { ...event.row, status: 'finished', percent_complete: 100, duration: ms / 1000 };
      end();
    });
  }

  #add(action: string, item: Item, username: string, status: string, percent: number, write?: number) {
    const { kind, id } = item;
    const row = latest(item) ?? item.versions.at(-2)?.row ?? {};
    const event: Told = {
      account: item.account,
      write,
      // None comes before an older one.
      shownAt: Math.max(this.#all.at(-1)?.shownAt ?? 0, this.#clock.now + this.lateMs),
      row: {
        id: ++this.#lastId,
        action,
        status,
        created: stamp(this.#clock.now),
        percent_complete: percent,
        username,
        entity: { id, type: entities[kind] ?? kind, label: row.label ?? row.domain ?? row.summary, url: '' },
        secondary_entity: null,
        message: null,
        duration: 0,
        rate: null,
        time_remaining: null,
        read: false,
        seen: false,
      },
    };
    this.#all.push(event);
    return event;
  }
}

/** The types of the entities of events by kind. */
const entities: Readonly<Record<string, string>> = {
  servers: 'server',
  volumes: 'volume',
  domains: 'domain',
  records: 'domain',
  nodebalancers: 'nodebalancer',
  tickets: 'ticket',
};
