/** Schemas of exchanges and of their rate, for the description of the control API. */
import { z } from 'zod'
import { RoleName } from '../../protocol/role-schema.ts'
import type { TrafficRow } from '../../session-api/session-api.ts'
import type { Exchange, ExchangeReply, ExchangeRequest, SpanIds } from '../../traffic/exchange.ts'
import type { TrafficRate } from '../../traffic/rate.ts'
import type { ExchangeNote } from '../../traffic/note.ts'
import type { ResentExchange } from '../../traffic/resend.ts'
import { objectLike } from './object-like.ts'

const text = z.string()
const some = text.optional()
const count = z.int().min(0)
const flag = z.literal(true).optional()
const instant = z.number()

export const TrafficRowBody = objectLike<TrafficRow>()(() => ({
  seq: count,
  startedAt: instant,
  endedAt: instant,
  tookMs: z.number(),
  from: RoleName,
  to: RoleName,
  subject: z.boolean(),
  operation: some,
  method: text,
  path: text,
  status: count,
  failure: some,
  failed: flag,
  reason: some,
  advice: some,
  note: some,
  event: some,
  orderId: some,
  fault: some,
  resendOf: count.optional(),
  idle: flag,
}))

const pairs = z.array(z.tuple([z.string(), z.string()]))
const wire = z.looseObject({}).optional()
const party = z.object({ role: RoleName, party: z.enum(['subject', 'sparring', 'partner']) })

const RequestBody = objectLike<ExchangeRequest>()(() => ({
  method: text,
  url: text,
  headers: pairs,
  body: some,
  wire,
}))

const ReplyBody = objectLike<ExchangeReply>()(() => ({
  status: count,
  headers: pairs,
  body: some,
  wire,
}))

const SpanIdsBody = objectLike<SpanIds>()(() => ({
  kind: z.enum(['server', 'client']),
  traceId: text,
  spanId: text,
  parentSpanId: some,
  links: z.array(z.object({ traceId: text, spanId: text })).optional(),
  sampled: z.boolean(),
  tracestate: some,
}))

export const ExchangeBody = objectLike<Exchange>()(() => ({
  seq: count,
  startedAt: instant,
  tookMs: z.number(),
  wall: z
    .object({ startedAt: instant, tookMs: z.number(), speed: z.number().optional() })
    .optional(),
  sentMs: z.number().optional(),
  repliedMs: z.number().optional(),
  from: party,
  to: party,
  operation: some,
  params: z.record(z.string(), z.string()).optional(),
  orderId: some,
  eventIds: z.array(text).optional(),
  attempt: count.optional(),
  request: RequestBody,
  reply: ReplyBody.optional(),
  failure: z.object({ code: text, message: text }).optional(),
  fault: some,
  unparsed: flag,
  resendOf: count.optional(),
  reason: some,
  advice: some,
  note: some,
  trace: SpanIdsBody.optional(),
}))

export const RateBody = objectLike<TrafficRate>()(() => ({
  counts: z.array(count),
  latencies: z.array(z.number()),
  perSecond: z.number(),
  failed: count,
  p95Ms: z.number().optional(),
}))

export const ResentExchangeBody = objectLike<ResentExchange>()(() => ({
  seq: count.optional(),
  status: count.optional(),
  failure: some,
  tookMs: z.number().optional(),
}))

export const ExchangeNoteBody = objectLike<ExchangeNote>()(() => ({ seq: count, note: some }))
