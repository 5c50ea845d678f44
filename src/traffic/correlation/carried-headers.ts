/** Which headers of a recorded message are carried over to a replay. */
import type { HeaderPairs } from '../exchange.ts'
import { headerKind } from '../redaction/headers.ts'

/** What belongs to one connection, or is measured anew by whoever sends. */
const ofTransport: ReadonlySet<string> = new Set([
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
const ofAnswer: ReadonlySet<string> = new Set(['x-request-id', 'date'])
const secretive: ReadonlySet<string> = new Set(['credentials', 'cookie', 'secret', 'signature'])

/** Whether a header goes out again, by the names that were asked before. */
const sent = new Map<string, boolean>()
const mostHeaders = 2000

function isSendable(name: string): boolean {
  const known = sent.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  const fresh = !ofTransport.has(lower) && !secretive.has(headerKind(lower))
  if (sent.size >= mostHeaders) sent.clear()
  sent.set(name, fresh)
  return fresh
}

/** Those of a recorded request that go out again: credentials and signatures are put in by whoever sends. */
export const sendable = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => isSendable(name))

/** Those of a recorded reply that are given again. */
export const answerable = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !ofTransport.has(lower) && !ofAnswer.has(lower)
  })
