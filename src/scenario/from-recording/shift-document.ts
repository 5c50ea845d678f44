/** An order's document on another day: its times move as a block, to where the session's clock is. */
import { instantFromValue } from '../../traffic/date-time.ts'
import { shiftTimes } from '../../traffic/correlation/shift-times.ts'

type Document = Readonly<Record<string, unknown>>

/** The document as it is to be placed now: the session's instant when it is placed again, as near as one can tell. */
export function renewed(document: Document, now: number): Document {
  const { createdAt } = document
  // A time without an offset is read alike on every machine.
  const was = instantFromValue(createdAt)
  return was === undefined
    ? document
    : (JSON.parse(shiftTimes(JSON.stringify(document), now - was)) as Document)
}
