/**
 * The webhook channel: POST /webhooks/orders. Authenticates the sender first, replies 204 once the event is stored, and
 * processes it afterwards.
 */
import type { Access } from './access.ts'
import type { Intake, Taken } from './intake.ts'
import { OrderEvent } from './order-document.ts'
import { noPatience } from './patience.ts'
import { type Asked, complaint, reply } from './routes.ts'
import { parsed } from './send.ts'
import type { Shop } from './shop.ts'
import { isSigned } from './signature.ts'

export interface WebhooksParts extends Shop {
  readonly intake: Intake
  readonly access: Access
  /** Our client secret, which the sender signs with. */
  readonly secret: string
  /** The token needs one of these scopes; undefined when the signature alone is enough. */
  readonly scopes?: readonly string[] | undefined
}

const answers: Readonly<Record<Taken, () => Response>> = {
  new: () => reply(204),
  known: () => reply(204),
  full: () => complaint(503, 'UNAVAILABLE', 'too many open orders', { 'retry-after': '5' }),
  forbidden: () => complaint(422, 'UNPROCESSABLE', 'an order of this profile has no such event'),
}

export function createWebhook(parts: WebhooksParts): (asked: Asked) => Promise<Response> {
  const { intake, access, secret, scopes, life, wrong, book, memory, partner } = parts

  function authenticate({ request, text }: Asked): Response | undefined {
    const signature = request.headers.get('x-app-signature')
    const isRight = signature !== null && isSigned(text, secret, signature)
    const isSkipped = wrong('ignores-signature') || (wrong('signature-optional') && !signature)
    if (!isRight && !isSkipped)
      return complaint(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
    return scopes && access.refusal(request, scopes)
  }

  /** GET of the order without retries. */
  const read = ({ orderId }: OrderEvent) =>
    partner.insist(
      { operation: 'getOrder', method: 'GET', path: `/orders/${encodeURIComponent(orderId)}` },
      { patience: noPatience() },
    )

  async function orderProcessed({ orderId }: OrderEvent): Promise<void> {
    const ticket = book.get(orderId)
    if (ticket?.alive) await new Promise<void>((resolve) => ticket.afterPass.push(resolve))
  }

  return async (asked) => {
    const event = OrderEvent.safeParse(parsed(asked.text))
    if (event.success && wrong('remembers-before-checking'))
      memory.first(`event/${event.data.eventId}`)
    if (event.success && wrong('acts-before-checking'))
      intake.take({ ...event.data, eventId: `unchecked/${event.data.eventId}` }, 'webhook')
    const refused = authenticate(asked)
    if (refused) return refused
    if (!event.success) return complaint(400, 'INVALID_PAYLOAD', 'this is no event of an order')
    const merchantId = asked.request.headers.get('x-app-merchantid') ?? ''
    if (merchantId !== '' && !partner.serves(merchantId) && !wrong('acts-for-any-merchant'))
      return complaint(403, 'FORBIDDEN', 'this merchant is not ours')
    if (wrong('webhook-reads-first')) await read(event.data)
    if (wrong('answers-before-storing')) {
      life.go(async () => {
        const { kind } = await read(event.data)
        if (kind === 'answered') intake.take(event.data, 'webhook')
      })
      return reply(204)
    }
    const result = intake.take(event.data, 'webhook')
    if (wrong('webhook-waits-for-order')) await orderProcessed(event.data)
    return answers[result]()
  }
}
