/**
 * The webhook channel: POST /webhooks/orders. Authenticates the sender first, replies 204 once the event is stored, and
 * processes it afterwards.
 */
import type { AccessControl } from './access-control.ts'
import type { Intake, IntakeResult } from './intake.ts'
import { statusByEventType, statusRank } from './lifecycle.ts'
import { OrderEvent } from './order-document.ts'
import { createSingleAttempt } from './retry-state.ts'
import { type RoutedRequest, errorReply, reply } from './routes.ts'
import { parseJson } from './send.ts'
import type { StoreContext } from './store-context.ts'
import { isSigned } from './signature.ts'

export interface OrderWebhookParts extends StoreContext {
  readonly intake: Intake
  readonly access: AccessControl
  /** Our client secret, which the sender signs with. */
  readonly secret: string
  /** The token needs one of these scopes; undefined when the signature alone is enough. */
  readonly scopes?: readonly string[] | undefined
}

const answers: Readonly<Record<IntakeResult, () => Response>> = {
  new: () => reply(204),
  known: () => reply(204),
  full: () => errorReply(503, 'UNAVAILABLE', 'too many open orders', { 'retry-after': '5' }),
  forbidden: () => errorReply(422, 'UNPROCESSABLE', 'an order of this profile has no such event'),
}

export function createOrderWebhook(
  parts: OrderWebhookParts,
): (asked: RoutedRequest) => Promise<Response> {
  const { intake, access, secret, scopes, life, wrong, book, memory, partner } = parts

  function authenticate({ request, text }: RoutedRequest): Response | undefined {
    const signature = request.headers.get('x-app-signature')
    const isRight = signature !== null && isSigned(text, secret, signature)
    const isSkipped = wrong('ignores-signature') || (wrong('signature-optional') && !signature)
    if (!isRight && !isSkipped)
      return errorReply(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
    return scopes && access.denial(request, scopes)
  }

  /** GET of the order without retries. */
  const read = ({ orderId }: OrderEvent) =>
    partner.callWithRetry(
      { operation: 'getOrder', method: 'GET', path: `/orders/${encodeURIComponent(orderId)}` },
      { retry: createSingleAttempt() },
    )

  async function orderProcessed({ orderId }: OrderEvent): Promise<void> {
    const ticket = book.get(orderId)
    if (ticket?.hasLoop) await new Promise<void>((resolve) => ticket.afterPass.push(resolve))
  }

  function isLate({ orderId, eventType }: OrderEvent): boolean {
    const [announced, known] = [statusByEventType.get(eventType), book.get(orderId)?.status]
    return (
      announced !== undefined && known !== undefined && statusRank(announced) < statusRank(known)
    )
  }

  return async (asked) => {
    const event = OrderEvent.safeParse(parseJson(asked.text))
    if (event.success && wrong('remembers-before-checking'))
      memory.markProcessed(`event/${event.data.eventId}`)
    if (event.success && wrong('acts-before-checking'))
      intake.take({ ...event.data, eventId: `unchecked/${event.data.eventId}` }, 'webhook')
    const refused = authenticate(asked)
    if (refused) return refused
    if (!event.success) return errorReply(400, 'INVALID_PAYLOAD', 'this is no event of an order')
    const merchantId = asked.request.headers.get('x-app-merchantid') ?? ''
    if (merchantId !== '' && !partner.serves(merchantId) && !wrong('acts-for-any-merchant'))
      return errorReply(403, 'FORBIDDEN', 'this merchant is not ours')
    if (wrong('fails-on-late-events') && isLate(event.data))
      return errorReply(500, 'INTERNAL_ERROR', 'the order is not in that status')
    if (wrong('webhook-reads-first')) await read(event.data)
    if (wrong('answers-before-storing')) {
      life.runInBackground(async () => {
        const { kind } = await read(event.data)
        if (kind === 'answered') intake.take(event.data, 'webhook')
      })
      return reply(204)
    }
    const result = intake.take(event.data, 'webhook')
    if (wrong('webhook-waits-for-order')) await orderProcessed(event.data)
    if (result === 'known' && wrong('refuses-known-events'))
      return errorReply(409, 'CONFLICT', 'this event is known')
    return answers[result]()
  }
}
