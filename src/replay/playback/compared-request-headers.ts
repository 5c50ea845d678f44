/** The headers of a live call that are compared with the recording, or that contain ids. */
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import type { IncomingRequest } from '../../core/runtime/server/messages.ts'

const comparedNames = [
  'content-type',
  'x-request-id',
  'x-correlation-id',
  'idempotency-key',
  'x-idempotency-key',
  'x-app-id',
  'x-app-merchantid',
] as const

export function comparedRequestHeaders({ header }: IncomingRequest): HeaderPairs {
  const pairs: (readonly [string, string])[] = []
  for (const name of comparedNames) {
    const value = header(name)
    if (value !== undefined) pairs.push([name, value])
  }
  return pairs
}
