/** Refusals of requests that come too often or are too large, by the limits of the session's dialect. */
import { requestLimitsOf } from '../../protocol/customer/limits.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import { type Allowance, createRateLimit, type RateLimit } from '../../engine/idempotency.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Client } from '../../engine/settings.ts'
import type { HostReplies } from './host-replies.ts'
import type { IncomingRequest, OutgoingReply } from './messages.ts'
import type { Operation } from '../../protocol/operation.ts'

/**
 * Kilobytes of a call about one order, account or delivery, or of the largest acknowledgment. No document states a
 * limit; what such a call says is kept, so that a body of megabytes would stay in memory thousands of times.
 */
const maxCallKb = 256

/**
 * Maximum size in kB: a batch of Customer is as large as declared; undefined when only the limit of the server holds.
 */
function maxPayloadKbOf(
  row: Pick<Operation, 'capability'>,
  conduct: Pick<Conduct, 'customer'>,
): number | undefined {
  return row.capability === 'customer' ? requestLimitsOf(row, conduct)?.payloadKb : maxCallKb
}

export interface RequestLimiter {
  /** The refusal of a request over the client's rate limit per minute or over the size limit. */
  readonly overLimit: (
    request: IncomingRequest,
    row: CatalogueRow,
    client: Client | undefined,
  ) => OutgoingReply | undefined
  /** The refusal of a request over the capability's declared rate limit per second; malformed requests do not count. */
  readonly overBurstLimit: (
    row: CatalogueRow,
    client: Client | undefined,
  ) => OutgoingReply | undefined
}

export function createRequestLimits(
  conduct: Conduct,
  now: () => Instant,
  refusalReply: HostReplies['refusal'],
): RequestLimiter {
  const rate = createRateLimit(conduct.requestsPerMinute)
  /** Rate limits per second, by the capability that declares them. */
  const burstLimits = new Map<string, RateLimit>()

  function rateLimited({ limit, resetMs }: Allowance, unit: string): OutgoingReply {
    const seconds = String(Math.ceil(resetMs / 1000))
    return refusalReply(
      { code: 'RATE_LIMITED', message: `more than ${limit} a ${unit}` },
      {
        'retry-after': seconds,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': seconds,
      },
    )
  }

  return {
    overLimit(request, row, client) {
      const minute = client && rate(client.clientId, now())
      if (minute && minute.remaining < 0) return rateLimited(minute, 'minute')
      const maxKb = maxPayloadKbOf(row, conduct)
      return maxKb !== undefined && Buffer.byteLength(request.body) > maxKb * 1024
        ? refusalReply({ code: 'PAYLOAD_TOO_LARGE', message: `the body is over ${maxKb} kB` })
        : undefined
    },
    overBurstLimit(row, client) {
      const limits = requestLimitsOf(row, conduct)
      if (!client || !limits) return undefined
      const burst =
        burstLimits.get(row.capability) ?? createRateLimit(limits.requestsPerSecond, 1000)
      burstLimits.set(row.capability, burst)
      const second = burst(client.clientId, now())
      return second && second.remaining < 0 ? rateLimited(second, 'second') : undefined
    },
  }
}
