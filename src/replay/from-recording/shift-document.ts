/** Shifts all times of an order document as a block to the session's clock. */
import { instantFromValue } from '../../core/traffic/date-time.ts'
import { shiftTimes } from '../../core/traffic/entities/shift-times.ts'

type Document = Readonly<Record<string, unknown>>

/** The document with `createdAt` at `now` (ms since 1970) and all other times shifted alike. */
export function shiftDocument(document: Document, now: number): Document {
  const { createdAt } = document
  // A time without an offset is read alike on every machine.
  const was = instantFromValue(createdAt)
  return was === undefined
    ? document
    : (JSON.parse(shiftTimes(JSON.stringify(document), now - was)) as Document)
}
