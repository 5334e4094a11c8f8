/** Spelled so that it is not replaced by the class below. */
const { Segmenter: IcuSegmenter } = Intl;

/** Texts in which every code unit is a grapheme of its own: no marks, no joiners, no surrogates, no `\r\n`. */
const single = /^[\x00-\x0c\x0e-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u28ff]*$/;

type Segment = Pick<Intl.SegmentData, 'segment' | 'index'>;

/** The graphemes of a text, in order and by the place of one of their code units. */
interface Segments extends Iterable<Segment> {
  containing(index?: number): Segment | undefined;
}

/**
 * Takes the place of `Intl.Segmenter` in the bundle, where only graphemes are asked for. Almost every text of a screen
 * can be divided without the tables of ICU, which take milliseconds to load and microseconds for each line.
 */
export class Segmenter {
  #complete: Intl.Segmenter | undefined;

  segment(text: string): Segments {
    if (single.test(text)) {
      const segments = Array.from(text, (segment, index) => ({ segment, index }));
      return Object.assign(segments, { containing: (index = 0) => segments[index] });
    }
    this.#complete ??= new IcuSegmenter();
    return this.#complete.segment(text);
  }
}

/**
 * Takes the place of the global `performance` in the bundle, where only the time is asked for: with that one comes all
 * that measures the program, which takes milliseconds to load.
 */
export const performance = {
  /** Milliseconds on a clock that only goes forward. */
  now: (): number => Number(process.hrtime.bigint()) / 1e6,
};
