import type { StoreApi } from 'zustand/vanilla';
import type { Configuration } from '../../config/configuration.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { ViewConfig } from './columns.ts';

type Views = Readonly<Record<string, ViewConfig>>;

/** The file of the views that are saved while the program runs. */
export interface ViewsFile {
  path: string;
  /** Replaces the views in the file. Rejects with an Error of one sentence; what `alter` throws is passed on. */
  change(alter: (views: Views) => Views): Promise<void>;
}

/** A view of this name was saved before. */
export class ViewExistsError extends Error {}

/** Saves the user's own views and forgets them. */
export function createSavedViews(configuration: StoreApi<Configuration>, file: ViewsFile | undefined) {
  let session: Views = {};

  async function change(name: string, view: ViewConfig | undefined, mayReplace: boolean): Promise<void> {
    const altered = (own: Views): Views => {
      if (Object.hasOwn(configuration.getState().views, name) && !Object.hasOwn(own, name))
        throw new Error(`${name} is a view of the configuration file itself; change it there, or choose another name.`);
      if (!mayReplace && Object.hasOwn(own, name)) {
        const again = keyLabel('saveView.save', 'enter');
        throw new ViewExistsError(`There is a view ${name} already; ${again} once more replaces it.`);
      }
      const { [name]: _, ...others } = own;
      return view ? { ...others, [name]: view } : others;
    };
    if (file) await file.change(altered);
    else session = altered(session);
    configuration.setState(({ views: { [name]: _, ...others } }) => ({
      views: view ? { ...others, [name]: view } : others,
    }));
  }

  return {
    /** Where they are saved; undefined where they last for the session. */
    path: file?.path,
    /** Rejects with an Error of one sentence: a ViewExistsError where it would replace another one without leave. */
    save: (name: string, view: ViewConfig, mayReplace: boolean = true) => {
      const key = configuration.getState().views[name]?.key;
      return change(name, { ...view, ...(key !== undefined && { key }) }, mayReplace);
    },
    /** Rejects with an Error of one sentence. */
    forget: (name: string) => change(name, undefined, true),
  };
}
