import type { ResourceName } from '../../resources/names.ts';

/** The formats that other programs take, each with the resource whose rows it has; undefined where it has those of all. */
export const formatRows = {
  'terraform-import': undefined,
  ansible: 'servers',
  prometheus: 'servers',
  'ssh-config': 'servers',
  zone: 'domains',
} as const satisfies Record<string, ResourceName | undefined>;

export type CodeFormatName = keyof typeof formatRows;

/** All of them. */
export const codeFormatNames = Object.keys(formatRows) as readonly CodeFormatName[];

/** A name of one of them. */
export const isCodeFormat = (name: string): name is CodeFormatName => Object.hasOwn(formatRows, name);
