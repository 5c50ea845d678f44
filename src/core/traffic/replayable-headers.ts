/** Which headers of a recorded message are sent again in a replay. */
import { type ExchangeReply, fieldLines, type HeaderPairs, isStillCoded } from './exchange.ts'
import { headerKind } from './redaction/headers.ts'
import { memoise } from './memoise.ts'

/** Headers of one connection, or computed by the sender. */
const transportHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
])
const answererHeaders: ReadonlySet<string> = new Set(['x-request-id', 'date'])
const credentialKinds: ReadonlySet<string> = new Set([
  'credentials',
  'cookie',
  'secret',
  'signature',
])

/** Headers that belong to one connection or that the sender computes: no caller can choose them. */
export const isTransportHeader = (name: string): boolean => transportHeaders.has(name.toLowerCase())

/** Credentials and signatures, which the sender makes anew. */
export const isRenewedHeader = (name: string): boolean => credentialKinds.has(headerKind(name))

const isSendable = memoise(
  2000,
  (name) => !isTransportHeader(name) && !isRenewedHeader(name.toLowerCase()),
)

export const isFieldName = (name: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(name)

/** What a field can hold: text beyond Latin-1 goes as its bytes in UTF-8, and control characters go nowhere. */
const sendableValue = (value: string): string =>
  (/[^\0-\xFF]/.test(value)
    ? String.fromCodePoint(...new TextEncoder().encode(value))
    : value
  ).replaceAll(/(?![\t\x80-\x9F])\p{Cc}/gu, '')

/** Fields that a message can carry: files of other programs hold more. */
const sendableFields = (headers: HeaderPairs): HeaderPairs =>
  headers.flatMap(([name, value]) =>
    isFieldName(name) ? fieldLines(value).map((line) => [name, sendableValue(line)] as const) : [],
  )

type Message = Pick<ExchangeReply, 'headers' | 'wire'>

/** The coding of a body that is sent as it was on the wire still holds. */
const isOfCoding = (message: Message, name: string): boolean =>
  name.toLowerCase() === 'content-encoding' && isStillCoded(message)

/** Headers of a recorded request to send again: without credentials and signatures, which the sender adds. */
export const replayableRequestHeaders = (message: Message): HeaderPairs =>
  sendableFields(message.headers).filter(([name]) => isSendable(name) || isOfCoding(message, name))

/** Headers of a recorded reply to send again. */
export const replayableReplyHeaders = (message: Message): HeaderPairs =>
  sendableFields(message.headers).filter(([name]) => {
    const lower = name.toLowerCase()
    if (transportHeaders.has(lower)) return isOfCoding(message, lower)
    return !answererHeaders.has(lower)
  })

/** Fields behind the body of a recorded request to send again: as its headers, without secrets. */
export const replayableTrailers = ({ wire }: Message): HeaderPairs =>
  replayableRequestHeaders({ headers: wire?.trailers ?? [] })
