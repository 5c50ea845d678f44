/**
 * Bodies that are more than their text: compressed on the wire, no text at all, or so long that they lie in files of
 * their own. What a line says of them, put together again.
 */
import type { ExchangeReply, ExchangeRequest, Wire } from '../exchange.ts'
import { isMembers } from '../har-message.ts'
import type { HttpLine } from './format.ts'

/** The bodies that lie in files of their own, by name; undefined for one that is not there. */
export type Blobs = (name: string) => Uint8Array | undefined

type RecWire = NonNullable<HttpLine['_rec']['wire']>['q']

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  // Too many arguments at once would overflow the stack.
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** Bytes as they are: a mark at their beginning belongs to them. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

const isText = (value: unknown): value is string => typeof value === 'string'

export interface BodyParts {
  /** The request or the response of the entry, and the member of it that tells of the body. */
  readonly holder: unknown
  readonly member: 'postData' | 'content'
  readonly wire: RecWire
  readonly blobs: Blobs
  /** The line holds an entry of somebody else's archive: there base64 may mean anything. */
  readonly isForeign: boolean
}

/** A message with its body as exactly as the line knows it. */
export function withExactBody<Message extends ExchangeRequest | ExchangeReply>(
  message: Message,
  { holder, member, wire, blobs, isForeign }: BodyParts,
): Message {
  const members = isMembers(holder) ? holder[member] : undefined
  const said = isMembers(members) ? members : {}
  const isBase64 = said['encoding'] === 'base64'
  // Most bodies are a text in their line, and there is no more to say.
  if (!wire && !isBase64) return message
  const { body: read, ...rest } = message
  const blob = wire?.blob === undefined ? undefined : blobs(wire.blob)
  const binary = isBase64 && (!isForeign || read === undefined)
  const written = isText(said['text']) ? said['text'] : undefined
  const base64 = binary ? (blob ? base64Of(blob) : written) : undefined
  const body = binary ? undefined : blob ? textOf(blob) : read
  const exact: Wire = {
    ...(wire?.enc === undefined ? {} : { coding: wire.enc }),
    ...(wire?.bytes === undefined ? {} : { bytes: wire.bytes }),
    ...(wire?.sha256 === undefined ? {} : { sha256: wire.sha256 }),
    ...(base64 === undefined ? {} : { base64 }),
  }
  return {
    ...(rest as Message),
    ...(body === undefined ? {} : { body }),
    ...(Object.keys(exact).length > 0 ? { wire: exact } : {}),
  }
}
