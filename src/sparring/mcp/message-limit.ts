/**
 * Passes on the lines of an agent, each a JSON-RPC message; one that is too long is left out, and refused by the id that
 * its beginning or its end shows.
 */
import { Transform } from 'node:stream'

/** Of one message, in bytes. */
export const maxMessageBytes = 10 * 1024 * 1024
/** How much of a message that is too long is looked at for its id. */
const keptBytes = 1024
const lineFeed = 10

/** A text or a number; `null` where the id of a message is not known. */
export type MessageId = string | number | null

const idBeforeParams = /^\s*\{(?:(?!"params")[\s\S])*?"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")/
const idAfterParams =
  /[}\]]\s*,(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"]*"\s*,)*\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")(?:\s*,\s*"(?:jsonrpc|method)"\s*:\s*"[^"]*")*\s*\}\s*$/

function idIn(beginning: string, end: string): MessageId {
  const [, text = 'null'] = idBeforeParams.exec(beginning) ?? idAfterParams.exec(end) ?? []
  const id: unknown = JSON.parse(text)
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** `onRefused` gets the id of each message that is left out. */
export function createMessageLimit(
  onRefused: (id: MessageId) => void,
  maxBytes = maxMessageBytes,
): Transform {
  let chunks: Buffer[] = []
  let bytes = 0

  function keep(chunk: Buffer): void {
    if (chunk.length === 0) return
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= maxBytes) return
    // The message is not read any more: its beginning and its end are all that is needed.
    const all = Buffer.concat(chunks)
    chunks = [all.subarray(0, keptBytes), all.subarray(-keptBytes)].map((each) => Buffer.from(each))
  }

  /** The whole line, unless it is too long. */
  function takeLine(): Buffer | undefined {
    const line = chunks
    const isTooLong = bytes > maxBytes
    chunks = []
    bytes = 0
    if (!isTooLong) return Buffer.concat(line)
    const [beginning, end] = line
    onRefused(idIn(String(beginning ?? ''), String(end ?? '')))
    return undefined
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        keep(chunk.subarray(from, at + 1))
        const line = takeLine()
        if (line) this.push(line)
        from = at + 1
      }
      keep(chunk.subarray(from))
      done()
    },
    flush(done) {
      const line = takeLine()
      if (line && line.length > 0) this.push(line)
      done()
    },
  })
}
