/** A mistake in how the program was called or configured: one sentence for the user, exit code 2. */
export class UsageError extends Error {}

/** The permissions of a file in octal. */
export const modeText = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');
