export { day, hour, minute, second } from '../../text/times.ts';

/** A time in milliseconds since the epoch as the API writes it: UTC without a zone, e.g. `2018-01-01T00:01:01`. */
export const timestamp = (time: number): string => new Date(time).toISOString().slice(0, 19);

/** The time that a timestamp stands for, in milliseconds since the epoch. */
export const parseTimestamp = (text: string): number => Date.parse(`${text}Z`);
