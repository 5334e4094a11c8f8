/** One thing that keys do. */
export interface Key {
  /** `ctrl-s`, `shift-tab`, `pagedown`, `space`, or the character itself; the first is the one that is shown. */
  keys: readonly string[];
  /** A few words for the footer. */
  help: string;
  /** Left out of the footer, which has room for the most needed only. */
  minor?: true;
  /** Never left out of the footer for want of room. */
  always?: true;
  /** Changes something, so it is not offered read-only. */
  writes?: true;
}

/** The keys of one layer; a higher layer takes a key before the ones below it. */
export interface Layer {
  title: string;
  depth: number;
  /** The layers below get nothing. */
  modal?: true;
  keys: Readonly<Record<string, Key>>;
}

const moving = {
  up: { keys: ['up', 'k'], help: 'up', minor: true },
  down: { keys: ['down', 'j'], help: 'down', minor: true },
  pageUp: { keys: ['pageup', 'ctrl-b'], help: 'page up', minor: true },
  pageDown: { keys: ['pagedown', 'ctrl-f'], help: 'page down', minor: true },
  first: { keys: ['g', 'home'], help: 'first', minor: true },
  last: { keys: ['G', 'end'], help: 'last', minor: true },
} as const satisfies Record<string, Key>;

const related = { keys: ['x'], help: 'related' } as const satisfies Key;

/** Every key of the program: the footer, the help and the documentation are printed from this table. */
export const keymap = {
  everywhere: {
    title: 'Everywhere',
    depth: 0,
    keys: {
      palette: { keys: [':'], help: 'go to', always: true },
      help: { keys: ['?'], help: 'keys', always: true },
      escape: { keys: ['esc', 'left'], help: 'back', minor: true },
      back: { keys: ['['], help: 'previous place', minor: true },
      forward: { keys: [']'], help: 'next place', minor: true },
      refresh: { keys: ['r'], help: 'refresh now', minor: true },
      notices: { keys: ['!'], help: 'notices', minor: true },
      fleet: { keys: ['F'], help: 'fleet graphs', minor: true },
      transfers: { keys: ['T'], help: 'file transfers', minor: true },
      quit: { keys: ['q', 'ctrl-c'], help: 'quit', minor: true },
    },
  },
  home: {
    title: 'Home',
    depth: 1,
    keys: {
      ...moving,
      nextTile: { keys: ['tab'], help: 'next part' },
      previousTile: { keys: ['shift-tab'], help: 'previous part', minor: true },
      open: { keys: ['enter', 'right'], help: 'open' },
      related: { ...related, minor: true },
    },
  },
  list: {
    title: 'Lists',
    depth: 2,
    keys: {
      open: { keys: ['enter', 'right'], help: 'open' },
      create: { keys: ['n'], help: 'new', writes: true },
      edit: { keys: ['e'], help: 'edit', writes: true },
      remove: { keys: ['d'], help: 'delete', minor: true, writes: true },
      actions: { keys: ['a'], help: 'actions', writes: true },
      mark: { keys: ['space'], help: 'mark', writes: true },
      markAll: { keys: ['*'], help: 'mark all shown, or none', minor: true, writes: true },
      filter: { keys: ['/'], help: 'filter' },
      sort: { keys: ['s'], help: 'sort' },
      json: { keys: ['y'], help: 'JSON', minor: true },
      copy: { keys: ['c'], help: 'copy', minor: true },
      related: { ...related, minor: true },
      preview: { keys: ['p'], help: 'preview beside the list, or not', minor: true },
      clear: { keys: ['esc'], help: 'clear filter and marks', minor: true },
      jump: { keys: ['o'], help: 'open what it is about' },
      ticket: { keys: ['t'], help: 'support ticket about it', minor: true, writes: true },
      ...moving,
    },
  },
  sections: {
    title: 'Lists of several views',
    depth: 2.5,
    keys: {
      next: { keys: ['tab'], help: 'next view' },
      previous: { keys: ['shift-tab'], help: 'previous view', minor: true },
    },
  },
  problems: {
    title: 'Problems',
    depth: 1.5,
    keys: {
      remedy: { keys: ['f'], help: 'what helps' },
      acknowledge: { keys: ['m'], help: 'acknowledge' },
    },
  },
  detail: {
    title: 'Details',
    depth: 1,
    keys: {
      nextTab: { keys: ['tab'], help: 'next tab' },
      previousTab: { keys: ['shift-tab'], help: 'previous tab', minor: true },
      nthTab: { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], help: 'that tab', minor: true },
      edit: { keys: ['e'], help: 'edit', writes: true },
      actions: { keys: ['a'], help: 'actions', writes: true },
      remove: { keys: ['d'], help: 'delete', minor: true, writes: true },
      json: { keys: ['y'], help: 'JSON', minor: true },
      copy: { keys: ['c'], help: 'copy' },
      related,
      jump: { keys: ['o'], help: 'open what it is about' },
      ticket: { keys: ['t'], help: 'support ticket about it', minor: true, writes: true },
    },
  },
  overview: { title: 'Overview', depth: 2, keys: moving },
  text: {
    title: 'Text and JSON',
    depth: 2,
    keys: {
      search: { keys: ['/'], help: 'search' },
      next: { keys: ['n'], help: 'next match' },
      previous: { keys: ['N'], help: 'previous match', minor: true },
      copy: { keys: ['Y'], help: 'copy the text' },
      clear: { keys: ['esc'], help: 'end the search', minor: true },
      ...moving,
    },
  },
  graphs: {
    title: 'Graphs',
    depth: 2,
    keys: {
      left: { keys: ['left'], help: 'crosshair' },
      right: { keys: ['right'], help: 'crosshair', minor: true },
      off: { keys: ['esc'], help: 'crosshair off', minor: true },
      next: { keys: ['down', 'j'], help: 'next graph' },
      previous: { keys: ['up', 'k'], help: 'previous graph', minor: true },
      zoom: { keys: ['z'], help: 'one or all' },
      earlier: { keys: ['<', ','], help: 'month before' },
      beside: { keys: ['b'], help: 'month before beside it' },
      later: { keys: ['>', '.'], help: 'month after', minor: true },
      day: { keys: ['t'], help: 'last 24 hours', minor: true },
      month: { keys: ['m'], help: 'type a month', minor: true },
    },
  },
  fleet: {
    title: 'Fleet',
    depth: 2,
    keys: {
      open: { keys: ['enter', 'right'], help: 'graphs' },
      chart: { keys: ['v'], help: 'chart' },
      mark: { keys: ['space'], help: 'mark' },
      next: { keys: ['tab'], help: 'load' },
      previous: { keys: ['shift-tab'], help: 'previous load', minor: true },
      sort: { keys: ['s'], help: 'sort' },
      filter: { keys: ['/'], help: 'filter' },
      clear: { keys: ['esc'], help: 'clear filter and marks', minor: true },
      ...moving,
    },
  },
  months: {
    title: 'Transfer',
    depth: 2,
    keys: {
      earlier: { keys: ['<', ','], help: 'month before' },
      later: { keys: ['>', '.'], help: 'month after' },
      beside: { keys: ['b'], help: 'against the month before' },
      month: { keys: ['m'], help: 'type a month' },
    },
  },
  conversation: {
    title: 'Ticket conversation',
    depth: 2,
    keys: { reply: { keys: ['n'], help: 'reply', writes: true }, ...moving },
  },
  spending: {
    title: 'Spending',
    depth: 2,
    keys: { open: { keys: ['enter', 'right'], help: 'open the invoice' }, ...moving },
  },
  rebuild: {
    title: 'Rebuild of a balancer config',
    depth: 3,
    modal: true,
    keys: {
      send: { keys: ['ctrl-s'], help: 'send' },
      edit: { keys: ['enter', 'e'], help: 'edit the node' },
      add: { keys: ['n'], help: 'new node' },
      leaveOut: { keys: ['d', 'space'], help: 'leave out, or not' },
      mode: { keys: ['m'], help: 'next mode' },
      config: { keys: ['c'], help: 'edit the config' },
      preview: { keys: ['ctrl-p'], help: 'preview the request', minor: true },
      discard: { keys: ['ctrl-x'], help: 'start over', minor: true },
      close: { keys: ['esc', 'ctrl-c'], help: 'close, keep the draft', minor: true },
      ...moving,
    },
  },
  objects: {
    title: 'Objects of a bucket',
    depth: 1,
    keys: {
      prefix: { keys: ['p'], help: 'begins with' },
      above: { keys: ['backspace'], help: 'one level up' },
      flat: { keys: ['f'], help: 'levels or one list' },
    },
  },
  menu: {
    title: 'Menus',
    depth: 3,
    modal: true,
    keys: {
      choose: { keys: ['enter'], help: 'choose' },
      close: { keys: ['esc', 'ctrl-c'], help: 'close' },
      up: { keys: ['up'], help: 'up', minor: true },
      down: { keys: ['down'], help: 'down', minor: true },
      pageUp: { keys: ['pageup'], help: 'page up', minor: true },
      pageDown: { keys: ['pagedown'], help: 'page down', minor: true },
      clear: { keys: ['ctrl-u'], help: 'clear what is typed', minor: true },
      tick: { keys: ['tab'], help: 'tick one of several' },
      hotkey: { keys: ['any'], help: 'choose by the letter shown', minor: true },
    },
  },
  line: {
    title: 'One line of input',
    depth: 4,
    modal: true,
    keys: {
      accept: { keys: ['enter'], help: 'accept' },
      cancel: { keys: ['esc', 'ctrl-c'], help: 'cancel' },
      clear: { keys: ['ctrl-u'], help: 'clear', minor: true },
    },
  },
  form: {
    title: 'Forms',
    depth: 3,
    modal: true,
    keys: {
      send: { keys: ['ctrl-s'], help: 'send' },
      choose: { keys: ['enter', 'space', 'right'], help: 'choose' },
      complete: { keys: ['tab'], help: 'complete the path' },
      load: { keys: ['ctrl-o'], help: 'take the file of this path' },
      pick: { keys: ['ctrl-o'], help: 'pick from a list' },
      list: { keys: ['enter'], help: 'all choices' },
      next: { keys: ['down', 'tab', 'enter'], help: 'next field' },
      previous: { keys: ['up', 'shift-tab'], help: 'previous field', minor: true },
      change: { keys: ['space', 'left', 'right'], help: 'change' },
      editor: { keys: ['ctrl-e'], help: 'editor' },
      preview: { keys: ['ctrl-p'], help: 'preview' },
      clear: { keys: ['ctrl-u'], help: 'clear the field', minor: true },
      discard: { keys: ['ctrl-x'], help: 'start over', minor: true },
      close: { keys: ['esc', 'ctrl-c'], help: 'keep and close', always: true },
    },
  },
  request: {
    title: 'Preview of a request',
    depth: 3.5,
    modal: true,
    keys: {
      send: { keys: ['ctrl-s'], help: 'send' },
      close: { keys: ['esc', 'ctrl-p', 'ctrl-c'], help: 'back' },
      ...moving,
    },
  },
  confirm: {
    title: 'Confirmations',
    depth: 3,
    modal: true,
    keys: {
      agree: { keys: ['enter'], help: 'do it' },
      preview: { keys: ['ctrl-p'], help: 'preview' },
      clear: { keys: ['ctrl-u'], help: 'clear what is typed', minor: true },
      cancel: { keys: ['esc', 'ctrl-c'], help: 'cancel', always: true },
    },
  },
  secret: {
    title: 'Secrets shown once',
    depth: 3,
    modal: true,
    keys: {
      copy: { keys: ['c'], help: 'copy' },
      save: { keys: ['s'], help: 'save to a file' },
      close: { keys: ['esc', 'ctrl-c'], help: 'leave' },
    },
  },
  notices: {
    title: 'Notices',
    depth: 3,
    modal: true,
    keys: {
      open: { keys: ['enter', 'right'], help: 'open what it is about' },
      close: { keys: ['esc', 'q', 'ctrl-c', '!', '?', 'left'], help: 'close' },
      ...moving,
    },
  },
  pane: {
    title: 'Help and results',
    depth: 3,
    modal: true,
    keys: { close: { keys: ['esc', 'q', 'ctrl-c', 'enter', '?'], help: 'close' }, ...moving },
  },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof keymap;
export type KeyName<L extends LayerName> = keyof (typeof keymap)[L]['keys'] & string;
