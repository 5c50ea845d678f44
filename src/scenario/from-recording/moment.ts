/** A point of a recording: in time, and in the sequence of exchanges where times are unknown. */
export interface RecordedMoment {
  /** In ms since the recording began. */
  readonly at: number
  readonly seq: number
}

/** By time, where exchanges have one, else by exchange. */
export const compareMoments = (
  a: RecordedMoment,
  b: RecordedMoment,
  hasExchangeTimes: boolean,
): number => (hasExchangeTimes ? a.at - b.at || a.seq - b.seq : a.seq - b.seq || a.at - b.at)
