/** An order's document on another day: its times move as a block, to where the session's clock is. */
import { shiftTimes } from '../../traffic/correlation/times.ts'

type Document = Readonly<Record<string, unknown>>

/** The document as it is to be placed now: the session's instant when it is placed again, as near as one can tell. */
export function renewed(document: Document, now: number): Document {
  const { createdAt } = document
  const was = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  return Number.isNaN(was)
    ? document
    : (JSON.parse(shiftTimes(JSON.stringify(document), now - was)) as Document)
}
