/** Restores bodies that are more than text in a line: compressed on the wire, binary, or stored as blobs. */
import { compact } from '../../compact.ts'
import type { ExchangeReply, ExchangeRequest, Wire } from '../exchange.ts'
import { isJsonMembers } from '../har-message.ts'
import type { HttpLine } from './format.ts'

/** Reads a body stored in a file of its own, by name; undefined when the file is missing. */
export type ReadBlob = (name: string) => Uint8Array | undefined

type RecWire = NonNullable<HttpLine['_rec']['wire']>['q']

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  // In chunks, since too many arguments would overflow the stack.
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** Keeps a byte order mark: it belongs to the body. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

const isText = (value: unknown): value is string => typeof value === 'string'

export interface RecordedBodySource {
  /** The request or the response of the entry, and its member that describes the body. */
  readonly holder: unknown
  readonly member: 'postData' | 'content'
  readonly wire: RecWire
  readonly blobs: ReadBlob
  /** The line holds an entry of an imported archive, where base64 may mean anything. */
  readonly isForeign: boolean
}

/** The message with its body and `wire` facts, as exactly as the line has them. */
export function withRecordedBody<Message extends ExchangeRequest | ExchangeReply>(
  message: Message,
  { holder, member, wire, blobs, isForeign }: RecordedBodySource,
): Message {
  const members = isJsonMembers(holder) ? holder[member] : undefined
  const bodyMembers = isJsonMembers(members) ? members : {}
  const isBase64 = bodyMembers['encoding'] === 'base64'
  // Most bodies are plain text in their line.
  if (!wire && !isBase64) return message
  const { body: parsedText, ...rest } = message
  const blob = wire?.blob === undefined ? undefined : blobs(wire.blob)
  const binary = isBase64 && (!isForeign || parsedText === undefined)
  const lineText = isText(bodyMembers['text']) ? bodyMembers['text'] : undefined
  const base64 = binary ? (blob ? base64Of(blob) : lineText) : undefined
  const body = binary ? undefined : blob ? textOf(blob) : parsedText
  const exact: Wire = {
    ...(wire?.enc === undefined ? {} : { coding: wire.enc }),
    ...(wire?.bytes === undefined ? {} : { bytes: wire.bytes }),
    ...(wire?.sha256 === undefined ? {} : { sha256: wire.sha256 }),
    ...compact({ base64 }),
  }
  return {
    ...(rest as Message),
    ...compact({ body }),
    ...(Object.keys(exact).length > 0 ? { wire: exact } : {}),
  }
}
