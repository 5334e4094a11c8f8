/** A mistake in how the program was called or configured: one sentence for the user, exit code 2. */
export class UsageError extends Error {}

/** A name that the command line has for nothing, or for several things, as the API tells: exit code 3. */
export class UnknownNameError extends UsageError {}

/** The sentence of a UsageError. Throws any other error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  throw error;
}

/** Throws the sentence of an error as a UsageError. */
export function throwUsage(error: unknown): never {
  throw new UsageError((error as Error).message);
}

/** The result of an act that throws sentences. Throws them as UsageErrors. */
export function explained<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throwUsage(error);
  }
}

/** A word of the command line that names neither an area nor a board; it may be a view of the configuration. */
export class UnknownWordError extends UsageError {
  readonly word: string;
  constructor(word: string, message: string) {
    super(message);
    this.word = word;
  }
}

/** The permissions of a file in octal. */
export const modeText = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');
