import { useState } from 'react';

/** Answers keys that do nothing while a dialog is busy. */
export function useBusyKeys(isUnderWay: boolean) {
  const [isPressed, setPressed] = useState(false);
  if (isPressed && !isUnderWay) setPressed(false);
  return {
    /** Blank until the first such key. */
    message: isPressed ? 'Keys do nothing until the API has answered.' : '',
    /** Call it for such a key. */
    press: () => setPressed(true),
  };
}
