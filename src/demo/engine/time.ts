/** A time in milliseconds since the epoch as the API writes it: UTC without a zone, e.g. `2018-01-01T00:01:01`. */
export const timestamp = (time: number): string => new Date(time).toISOString().slice(0, 19);

/** The time that a timestamp stands for, in milliseconds since the epoch. */
export const parseTimestamp = (text: string): number => Date.parse(`${text}Z`);

export const second = 1000;
export const minute = 60_000;
export const hour = 3_600_000;
export const day = 86_400_000;
