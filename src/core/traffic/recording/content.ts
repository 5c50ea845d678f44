/** A whole recording in memory, for correlation, comparison and minimising. */
import type { HeaderLine } from './format.ts'
import type { SessionEnd } from './session-end.ts'
import type { LineProblem } from './reader.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

export interface RecordingContent {
  /** The file that it was read from. */
  readonly file: string
  readonly header: HeaderLine
  /** In the order in which their requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /** What the session recorded at its end; absent where it was interrupted, and where no session was recorded. */
  readonly end?: SessionEnd
  /** Lines that could not be read; all others were. */
  readonly problems: readonly LineProblem[]
  /** It has an end line; otherwise the recorder was interrupted. */
  readonly closed: boolean
}
