/** A whole recording in memory, for whoever has to see all of it at once: correlation, difference, minimising. */
import type { HeaderLine } from './format.ts'
import type { LineProblem } from './reader.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

export interface RecordingContent {
  /** The file that it was read from. */
  readonly file: string
  readonly header: HeaderLine
  /** In the order in which their requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /** What could not be read; the rest was. */
  readonly problems: readonly LineProblem[]
  /** It ends as a recorder ends it; without that it was interrupted. */
  readonly closed: boolean
}
