/** Routes for tests in any language: wait for a session, and its verdict in one call. */
import { z } from 'zod'
import { strictObject } from '../../lazy-object.ts'
import { Duration } from '../../protocol/duration.ts'
import { OrderStatus } from '../../protocol/orders/order.ts'
import { contactStatus } from '../../session-api/first-contact.ts'
import { sessionVerdict } from '../../views/session-verdict.ts'
import { jsonAnswer, errorAnswer } from './answer.ts'
import { defineRoute } from './route.ts'
import { controlSchemas } from './schemas.ts'
import { untilConverged, untilStatus, waitUntil } from './wait-until.ts'

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
    id: 'waitUntil',
    method: 'POST',
    path: '/wait',
    summary:
      'Answers when the session has converged (nothing is due, both sides agree about every order, no rule is open), or with `order` and `status` when the order has had that status; after `timeout` with `met: false` and the reasons',
    body: WaitBody,
    success: {
      status: 200,
      what: '`{met, waitedMs, because, status?}`',
      response: controlSchemas.WaitResult,
    },
    async answer(session, { body: { order, status, timeout } }) {
      if (order === undefined || status === undefined)
        return jsonAnswer(await waitUntil(session, untilConverged(session), timeout))
      const { explanation } = await session.look({ explain: order })
      if (explanation?.about.kind !== 'order')
        return errorAnswer('NOT_FOUND', `there is no order ${order}`)
      const { id: orderId } = explanation.about
      return jsonAnswer(await waitUntil(session, untilStatus(session, orderId, status), timeout))
    },
  }),
  defineRoute({
    id: 'getVerdict',
    method: 'GET',
    path: '/verdict',
    summary:
      'The verdict of the session in one object: whether your service passed, the exit code for a script, and the broken rules with clauses and evidence',
    success: {
      status: 200,
      what: '`{passed, exit, because, counts, broken, text}`; `exit` is 0 passed, 1 a rule is broken, 2 no rule is checked, 3 your service was never in contact',
      response: controlSchemas.SessionVerdict,
    },
    async answer(session) {
      const { verdicts, info } = await session.look({ verdicts: true })
      return jsonAnswer(sessionVerdict(verdicts, info, contactStatus(info)))
    },
  }),
]
