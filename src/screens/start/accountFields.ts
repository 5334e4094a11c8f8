/** The fields of the first start, in their order. */
export const accountFields = ['address', 'token'] as const;

export type AccountField = (typeof accountFields)[number];

/** An account as it was typed. */
export type AccountEntries = Readonly<Record<AccountField, string>>;

/** Why an account cannot be used: the field to change, the request that was made, if any, and its outcome as a sentence. */
export interface AccountRefusal {
  field: AccountField;
  tried?: string;
  says: string;
}

/** The way that somebody without an account in the configuration has chosen. */
export type FirstChoice = 'demo' | 'account' | 'quit';
