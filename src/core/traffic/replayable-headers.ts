/** Which headers of a recorded message are sent again in a replay. */
import type { HeaderPairs } from './exchange.ts'
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

/** Headers of a recorded request to send again: without credentials and signatures, which the sender adds. */
export const replayableRequestHeaders = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => isSendable(name))

/** Headers of a recorded reply to send again. */
export const replayableReplyHeaders = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !transportHeaders.has(lower) && !answererHeaders.has(lower)
  })
