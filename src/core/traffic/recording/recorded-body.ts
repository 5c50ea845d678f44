/**
 * Restores what is more than text and headers in a line: bodies that were compressed on the wire, are binary, or stored
 * as blobs; trailers; the version of HTTP.
 */
import { compact } from '../../base/compact.ts'
import type { ExchangeReply, ExchangeRequest, Wire } from '../exchange.ts'
import { bytesToBase64 } from '../redaction/base64.ts'
import type { HttpLine } from './format.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

/** Reads a body stored in a file of its own, by name; undefined when the file is missing. */
export type ReadBlob = (name: string) => Uint8Array | undefined

/** The member `wire` of a line, for one message. */
export type RecordedWire = NonNullable<NonNullable<HttpLine['_rec']['wire']>['q']>

/** Keeps a byte order mark: it belongs to the body. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

const isText = (value: unknown): value is string => typeof value === 'string'

export interface RecordedBodySource {
  /** The request or the response of the entry, and its member that describes the body. */
  readonly holder: unknown
  readonly member: 'postData' | 'content'
  readonly wire: RecordedWire | undefined
  readonly blobs: ReadBlob
  /** The line holds an entry of an imported archive, where base64 may mean anything. */
  readonly isForeign: boolean
}

/** The message with its body and `wire` facts, as exactly as the line has them. */
export function withRecordedBody<Message extends ExchangeRequest | ExchangeReply>(
  message: Message,
  { holder, member, wire, blobs, isForeign }: RecordedBodySource,
): Message {
  const members = isUnknownRecord(holder) ? holder[member] : undefined
  const bodyMembers = isUnknownRecord(members) ? members : {}
  const isBase64 = bodyMembers['encoding'] === 'base64'
  const isOld = !isForeign && isUnknownRecord(holder) && holder['httpVersion'] === 'HTTP/1.0'
  // Most bodies are plain text in their line.
  if (!wire && !isBase64 && !isOld) return message
  const { body: parsedText, ...rest } = message
  const blob = wire?.blob === undefined ? undefined : blobs(wire.blob)
  const binary = isBase64 && (!isForeign || parsedText === undefined)
  const lineText = isText(bodyMembers['text']) ? bodyMembers['text'] : undefined
  const base64 = binary ? (blob ? bytesToBase64(blob) : lineText) : undefined
  const body = binary ? undefined : blob ? textOf(blob) : parsedText
  const exact: Wire = {
    ...(wire?.enc === undefined ? {} : { coding: wire.enc }),
    ...compact({ bytes: wire?.bytes ?? wire?.trunc }),
    ...(wire?.sha256 === undefined ? {} : { sha256: wire.sha256 }),
    ...(isOld ? { version: '1.0' } : {}),
    ...compact({ base64 }),
    ...(wire?.trailers ? { trailers: wire.trailers.map(({ name, value }) => [name, value]) } : {}),
  }
  return {
    ...(rest as Message),
    ...compact({ body }),
    ...(Object.keys(exact).length > 0 ? { wire: exact } : {}),
  }
}
