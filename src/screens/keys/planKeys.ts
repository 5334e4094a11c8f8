import { type Layer, moving } from './layer.ts';

/** The keys of the plan. */
export const planKeys = {
  plan: {
    title: 'Plan',
    depth: 3,
    modal: true,
    keys: {
      carryOut: { keys: ['ctrl-s'], help: 'carry out' },
      request: { keys: ['enter', 'ctrl-p'], help: 'request' },
      edit: { keys: ['e'], help: 'edit' },
      remove: { keys: ['d'], help: 'delete' },
      restore: { keys: ['u'], help: 'bring back', minor: true },
      earlier: { keys: ['K'], help: 'earlier' },
      later: { keys: ['J'], help: 'later' },
      removeDone: { keys: ['c'], help: 'clear what is done' },
      close: { keys: ['esc', 'q', 'ctrl-c'], help: 'close', always: true },
      ...moving,
    },
  },
} as const satisfies Record<string, Layer>;
