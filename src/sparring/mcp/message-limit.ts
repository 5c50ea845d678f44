/**
 * Passes on the lines of an agent, each a JSON-RPC message. One that is none is left out and refused, as is one that is too long, by
 * the id that its beginning or its end shows.
 */
import { Transform } from 'node:stream'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { problem } from '../../core/base/problem.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

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
  return messageId(JSON.parse(text))
}

/** The error that answers a message. */
export interface MessageError {
  readonly code: number
  readonly message: string
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isInteger(id)
const messageId = (id: unknown): MessageId => (isId(id) ? id : null)

const errorOf = (code: number, wrong: string, remedy: string): MessageError => {
  const { message } = problem('reading a message', wrong, remedy)
  return { code, message }
}

const isRequest = ({ id, method, params }: Readonly<Record<string, unknown>>): boolean =>
  typeof method === 'string' &&
  (id === undefined || isId(id)) &&
  (params === undefined || isUnknownRecord(params))

/** What answers us is never answered. */
const isResponse = (fields: Readonly<Record<string, unknown>>): boolean =>
  fields['method'] === undefined && ('result' in fields || 'error' in fields)

/** What is wrong with a line; undefined for a message, and for an empty line. */
function refusalOf(line: string): readonly [MessageId, MessageError] | undefined {
  if (line.trim() === '') return undefined
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    const remedy = 'Send each message as one line of JSON.'
    return [null, errorOf(ProtocolErrorCode.ParseError, 'it is no JSON', remedy)]
  }
  const fields = isUnknownRecord(message) ? message : {}
  if (fields['jsonrpc'] === '2.0' && (isRequest(fields) || isResponse(fields))) return undefined
  const wrong = 'it is no request, notification or response of JSON-RPC 2.0'
  const remedy = 'Send one object a line, with jsonrpc "2.0" and a method.'
  return [messageId(fields['id']), errorOf(ProtocolErrorCode.InvalidRequest, wrong, remedy)]
}

/** `refuse` gets the id of each message that is left out, and what answers it. */
export function createMessageLimit(
  refuse: (id: MessageId, error: MessageError) => void,
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
    const wrong = `it has more than ${maxBytes / 2 ** 20} MiB`
    const remedy = 'Send less at once, or name a file.'
    const error = errorOf(ProtocolErrorCode.InvalidRequest, wrong, remedy)
    refuse(idIn(String(beginning ?? ''), String(end ?? '')), error)
    return undefined
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
        keep(chunk.subarray(from, at + 1))
        const line = takeLine()
        const refusal = line && refusalOf(String(line))
        if (refusal) refuse(...refusal)
        else if (line) this.push(line)
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
