/**
 * Carries out what a fault makes of an answer: later, in pieces, broken off, or never. Both faces use it, each with its own
 * line to the client, so whatever the one does the other does. All waiting is in the session's time.
 */
import { compact } from '../../compact.ts'
import type { Distortion } from '../../engine/faults/distortion.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Outgoing } from './messages.ts'

/** How an answer goes out that a fault distorts. */
export interface Way extends Pick<Distortion, 'afterMs' | 'end'> {
  /** Which fault it is, and what it met. */
  readonly fault: string
  /** Lets time pass, and says whether it did: not when it was enough, nor when somebody will not have it go on. */
  readonly wait: (ms: number, enough: AbortSignal) => Promise<boolean>
  /** The world that the answer comes from is no more: it never goes out. */
  readonly struck: AbortSignal
}

/** What the client saw in the end. */
export type Ending = Pick<Exchange, 'failure'> & {
  /** Absent when not a byte came. */
  readonly reply?: Outgoing
}

/** The way to one client. */
export interface Line {
  /** The client went away. */
  readonly gone: AbortSignal
  readonly whole: (reply: Outgoing) => void
  /** The headers, for a body of so many bytes that comes in pieces. */
  readonly begin: (reply: Outgoing, length: number) => void
  /** Resolves when it has left. */
  readonly piece: (bytes: Buffer) => Promise<void>
  readonly end: () => void
  /** Breaks the connection, with or without an answer begun. */
  readonly breakOff: () => void
}

/** Nobody is left hanging longer than this, in the session's time. */
const longestHangMs = 600_000

/** Pieces that a body comes in. */
const mostPieces = 5

/** A body in about equal pieces, none of them empty. */
export function piecesOf(bytes: Buffer): readonly Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / mostPieces))
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

/** As much of a body as goes out before it breaks off. */
export const halfOf = (body: string): Buffer => {
  const bytes = Buffer.from(body)
  return bytes.subarray(0, bytes.length >> 1)
}

/** Carries it out and tells how it ended, once. */
export async function carryOut(
  reply: Outgoing,
  { afterMs = 0, end, fault, wait, struck }: Way,
  line: Line,
  over: (ending: Ending) => void,
): Promise<void> {
  const enough = AbortSignal.any([struck, line.gone])
  const bytes = Buffer.from(reply.body ?? '')

  function broken(code: 'HUNG' | 'RESET' | 'CUT', begun?: Outgoing): void {
    line.breakOff()
    const message = `${brokenBy[code]}: ${fault}`
    over({ ...compact({ reply: begun }), failure: { code, message } })
  }

  async function inPieces(): Promise<void> {
    const pieces = piecesOf(bytes)
    line.begin(reply, bytes.length)
    let sent = 0
    for (const piece of pieces) {
      if (!(await wait(Math.floor(afterMs / pieces.length), enough)))
        return broken('CUT', { ...reply, body: bytes.subarray(0, sent).toString('utf8') })
      await line.piece(piece)
      sent += piece.length
    }
    line.end()
    over({ reply })
  }

  if (end === 'hang') {
    await wait(longestHangMs, enough)
    return broken('HUNG')
  }
  if (end === 'trickle' && bytes.length > 0) return inPieces()
  if (afterMs > 0 && !(await wait(afterMs, enough))) return broken('HUNG')
  // Half of nothing is nothing: an answer without a body is broken off before its first byte.
  if (end === 'reset' || (end === 'cut' && bytes.length < 2)) return broken('RESET')
  if (end === 'cut') {
    const half = halfOf(reply.body ?? '')
    line.begin(reply, bytes.length)
    await line.piece(half)
    return broken('CUT', { ...reply, body: half.toString('utf8') })
  }
  line.whole(reply)
  over({ reply })
}

const brokenBy = {
  HUNG: 'no answer came',
  RESET: 'the connection was reset before the answer',
  CUT: 'the answer broke off',
} as const
