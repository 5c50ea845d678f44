/**
 * Sends a reply as a fault distorts it: later, in pieces, broken off, or never. HTTP server and fetch handler share it,
 * each with its own reply writer. All waiting is in session time.
 */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { compact } from '../../base/compact.ts'
import type { SubjectCrash, Distortion } from '../../engine/faults/distortion.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { contentOf, type OutgoingReply, receivedContent } from './messages.ts'

/** How a fault distorts the sending of a reply. */
export interface ReplyDistortion extends Pick<Distortion, 'afterMs' | 'end' | 'encoding'> {
  /** Label of the fault and the message it hit. */
  readonly fault: string
  /** Waits in session time; resolves to false when aborted, or dropped from the agenda. */
  readonly wait: (ms: number, stop: AbortSignal) => Promise<boolean>
  /** Aborted when the world of the reply is stopped: the reply is never sent. */
  readonly worldStopped: AbortSignal
  /** Ends the process of the client, before or after the reply. */
  readonly crash?: { readonly when: SubjectCrash['when']; readonly end: () => void }
}

/** What the client received. */
export type SendOutcome = Pick<Exchange, 'failure'> & {
  /** Absent when no byte was sent. */
  readonly reply?: OutgoingReply
}

/** Writes a reply to one client. */
export interface ReplyWriter {
  /** Aborted when the client disconnects. */
  readonly clientGone: AbortSignal
  /** Resolves when the reply has been flushed, or the client has disconnected. */
  readonly sendWhole: (reply: OutgoingReply) => Promise<void>
  /** Sends the headers for a body of `length` bytes that follows in pieces. */
  readonly writeHead: (reply: OutgoingReply, length: number) => void
  /** Resolves when the piece has been flushed. */
  readonly writePiece: (bytes: Buffer) => Promise<void>
  readonly end: () => void
  /** Breaks the connection, before or after the headers. */
  readonly abort: () => void
}

/** Longest hang, in milliseconds of session time. */
const longestHangMs = 600_000

/** Maximum pieces of a body. */
const maxPieces = 5

/** Splits a body into about equal, non-empty pieces. */
export function splitBody(bytes: Buffer): readonly Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / maxPieces))
  const pieces: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size)
    pieces.push(bytes.subarray(start, start + size))
  return pieces
}

/** The part of a body that is sent before it is cut. */
export const firstHalf = (content: string | Uint8Array): Buffer => {
  const bytes = bufferOf(content)
  return bytes.subarray(0, bytes.length >> 1)
}

export const bufferOf = (content: string | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)

/** A reply of which only these bytes were sent. */
const partOf = ({ bytes: _bytes, ...reply }: OutgoingReply, sent: Buffer): OutgoingReply => ({
  ...reply,
  ...receivedContent(sent),
})

const compress = { gzip: gzipSync, br: brotliCompressSync } as const

/** As it goes over the wire: what is recorded is what the client reads. */
function encodedReply(
  reply: OutgoingReply,
  encoding: keyof typeof compress | undefined,
): OutgoingReply {
  const content = contentOf(reply)
  if (encoding === undefined || content === undefined) return reply
  const headers = { ...reply.headers, 'content-encoding': encoding }
  return { ...reply, headers, bytes: compress[encoding](content) }
}

/** Sends a distorted reply and calls `over` once with the outcome. */
export async function sendDistorted(
  reply: OutgoingReply,
  { afterMs = 0, end, encoding, fault, wait, worldStopped, crash }: ReplyDistortion,
  writer: ReplyWriter,
  onSent: (ending: SendOutcome) => void,
): Promise<void> {
  const stop = AbortSignal.any([worldStopped, writer.clientGone])
  const bytes = bufferOf(contentOf(reply) ?? '')

  function breakOff(code: 'HUNG' | 'RESET' | 'CUT', sentPart?: OutgoingReply): void {
    writer.abort()
    const message = `${failureTexts[code]}: ${fault}`
    onSent({ ...compact({ reply: sentPart }), failure: { code, message } })
  }

  async function sendInPieces(): Promise<void> {
    const pieces = splitBody(bytes)
    writer.writeHead(reply, bytes.length)
    let sent = 0
    for (const piece of pieces) {
      if (!(await wait(Math.floor(afterMs / pieces.length), stop)))
        return breakOff('CUT', partOf(reply, bytes.subarray(0, sent)))
      await writer.writePiece(piece)
      sent += piece.length
    }
    writer.end()
    onSent({ reply })
  }

  if (crash?.when === 'before-answer') crash.end()
  if (end === 'hang') {
    await wait(longestHangMs, stop)
    return breakOff('HUNG')
  }
  if (end === 'slow-body' && bytes.length > 0) return sendInPieces()
  if (afterMs > 0 && !(await wait(afterMs, stop))) return breakOff('HUNG')
  // A reply without a body cannot be cut in the middle: it is reset before its first byte.
  if (end === 'reset' || (end === 'truncate' && bytes.length < 2)) return breakOff('RESET')
  if (end === 'truncate') {
    const half = firstHalf(bytes)
    writer.writeHead(reply, bytes.length)
    await writer.writePiece(half)
    return breakOff('CUT', partOf(reply, half))
  }
  const flushed = writer.sendWhole(encodedReply(reply, encoding))
  onSent({ reply })
  if (crash?.when !== 'after-answer') return
  await flushed
  crash.end()
}

const failureTexts = {
  HUNG: 'no answer came',
  RESET: 'the connection was reset before the answer',
  CUT: 'the answer broke off',
} as const
