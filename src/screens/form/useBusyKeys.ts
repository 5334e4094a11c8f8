import { useState } from 'react';

/** The message for keys that a dialog ignores while it is reread or sent. */
export interface BusyKeys {
  /** Blank until the first such key. */
  message: string;
  /** Call it for such a key. */
  press: () => void;
}

/** Answers keys that do nothing while a dialog is busy. */
export function useBusyKeys(isUnderWay: boolean): BusyKeys {
  const [isPressed, setPressed] = useState(false);
  if (isPressed && !isUnderWay) setPressed(false);
  return { message: isPressed ? 'Keys do nothing until the API has answered.' : '', press: () => setPressed(true) };
}
