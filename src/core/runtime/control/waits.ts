/** The route that waits: until a session has converged, or an order has a status. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { Duration } from '../../protocol/duration.ts'
import { OrderStatus } from '../../protocol/orders/order.ts'
import { type ControlWait, errorAnswer, jsonAnswer } from './answer.ts'
import { defineRoute, gives, postRoute } from './route.ts'
import { controlSchemas } from './schemas.ts'
import { waitResult } from './wait-result.ts'
import {
  untilConverged,
  untilOrderStatus,
  type SessionCondition,
  type WaitLook,
  waitUntil,
} from '../wait-until.ts'

/** In ms. A proxy or a client library may give up sooner. */
const defaultTimeoutMs = 10_000
const maxTimeoutMs = 300_000

const WaitBody = strictObject(() => ({
  order: z.string().min(1).max(200).optional().describe('its id, or its slot `o2`; with `status`'),
  status: OrderStatus.optional().describe('that the order has, or has had; with `order`'),
  timeout: Duration.refine((ms) => ms <= maxTimeoutMs, {
    message: `at most ${maxTimeoutMs / 60_000}m in one call`,
  })
    .default(defaultTimeoutMs)
    .describe('wall time, such as `10s`; 10 s unless given, 5 m at most'),
})).refine(({ order, status }) => (order === undefined) === (status === undefined), {
  message: 'say order and status, or neither',
})

export const waitRoutes = [
  defineRoute({
    ...postRoute('waitUntil', '/wait'),
    summary:
      'Answers when the session has converged (nothing is due, both sides agree about every order, no rule is open), or with `order` and `status` when the order has had that status; after `timeout` with `met: false` and the reasons',
    reads: true,
    body: WaitBody,
    refuses: ['NOT_FOUND', 'UNAVAILABLE'],
    success: gives('`{met, waitedMs, because, status?}`', controlSchemas.WaitResult),
    async answer(session, { body: { order, status, timeout: timeoutMs } }) {
      const waitFor = <Observed extends WaitLook>(
        condition: SessionCondition<Observed>,
      ): ControlWait => ({
        async wait(signal) {
          const result = waitResult(await waitUntil(session, condition, { timeoutMs, signal }))
          // What the service has done inside is counted now: a verdict that is read next would not know of it.
          if (order === undefined && result.met) await session.judge()
          return jsonAnswer(result)
        },
      })
      if (order === undefined || status === undefined) return waitFor(untilConverged(session))
      const { explanation } = await session.look({ explain: order })
      return explanation?.about.kind === 'order'
        ? waitFor(untilOrderStatus(session, explanation.about.id, status))
        : errorAnswer('NOT_FOUND', `there is no order ${order}`)
    },
  }),
]
