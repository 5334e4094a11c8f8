import type { Row } from '../../resources/resource.ts';
import { invalid } from '../engine/errors.ts';

/** The values of timers, in seconds (document 3, 2.1 and 2.2). */
const values = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200] as const;

const longest = 2419200;
const names = ['ttl_sec', 'refresh_sec', 'retry_sec', 'expire_sec'] as const;

function secondsIn(body: Row, name: string): number | undefined {
  const seconds = body[name];
  if (seconds === undefined || seconds === null) return undefined;
  if (Number(seconds) < 0) throw invalid(name, 'Must be 0 or more');
  return Number(seconds);
}

/** The timers of a domain that a body sets, each rounded up to a value that there is; 0 stays. */
export function timersIn(body: Row): Partial<Record<(typeof names)[number], number>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const seconds = secondsIn(body, name);
      if (seconds === undefined) return [];
      return [[name, seconds === 0 ? 0 : (values.find((value) => value >= seconds) ?? longest)]];
    }),
  );
}

/** The TTL of a record that a body sets, rounded to the nearest value that there is; 0 stays. */
export function recordTtlIn(body: Row): number | undefined {
  const seconds = secondsIn(body, 'ttl_sec');
  if (seconds === undefined || seconds === 0) return seconds;
  const distance = (value: number) => Math.abs(value - seconds);
  return values.reduce<number>((nearest, value) => (distance(value) < distance(nearest) ? value : nearest), longest);
}
