/** Routes of the reference Ordering Application: Orders, guarded by a token, and account webhooks. */
import { z } from 'zod'
import type { AccessControl } from './access-control.ts'
import { steps } from './lifecycle.ts'
import { type RoutedRequest, errorReply, reply, type Route } from './routes.ts'
import { parseJson } from './send.ts'
import { isSigned } from './signature.ts'
import type { OrderHost, CallReception } from './order-host.ts'
import { AccountEvent } from './account-client.ts'

export interface HostingParts {
  readonly desk: OrderHost
  readonly access: AccessControl
  readonly scopes: readonly string[]
  /** Our client secret, which signs account events. */
  readonly secret: string
  /** Called for each account event. */
  readonly onAccount: (event: AccountEvent) => void
}

const Acknowledgment = z.object({ eventIds: z.array(z.string()).min(1).max(1000) })

export const callReplies: Readonly<Record<CallReception, () => Response>> = {
  accepted: () => reply(202),
  unknown: () => errorReply(404, 'ORDER_NOT_FOUND', 'there is no such order'),
  impossible: () =>
    errorReply(409, 'INVALID_ORDER_STATE_TRANSITION', 'the order cannot do that now'),
}

export const orderIdIn = ({ params: [orderId = ''] }: RoutedRequest): string => orderId

export function hostedRoutes(parts: HostingParts): readonly Route[] {
  const { desk, access, scopes, secret, onAccount } = parts

  const guarded = (
    method: Route['method'],
    path: string,
    answer: (asked: RoutedRequest) => Response,
  ): Route => ({
    method,
    path,
    answer: (asked) => access.denial(asked.request, scopes) ?? answer(asked),
  })

  return [
    guarded('GET', '/events:polling', () => {
      const events = desk.pending()
      return events.length === 0 ? reply(204) : reply(200, events)
    }),
    guarded('POST', '/events/acknowledgment', ({ text }) => {
      const body = Acknowledgment.safeParse(parseJson(text))
      if (!body.success) return errorReply(400, 'INVALID_PARAMETER', 'eventIds has 1 to 1000 ids')
      desk.acknowledge(body.data.eventIds)
      return reply(202)
    }),
    guarded('GET', '/orders/{orderId}', (asked) => {
      const order = desk.order(orderIdIn(asked))
      return order ? reply(200, order) : callReplies.unknown()
    }),
    ...steps.map(({ call }) =>
      guarded('POST', `/orders/{orderId}/${call}`, (asked) =>
        callReplies[desk.acceptCall(orderIdIn(asked), call)](),
      ),
    ),
    guarded('POST', '/orders/{orderId}/requestCancellation', (asked) =>
      callReplies[desk.requestCancellation(orderIdIn(asked))](),
    ),
    guarded('POST', '/webhooks/accounts', ({ request, text }) => {
      const signature = request.headers.get('x-app-signature') ?? ''
      if (!isSigned(text, secret, signature))
        return errorReply(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
      const event = AccountEvent.safeParse(parseJson(text))
      if (!event.success) return errorReply(400, 'INVALID_PARAMETER', 'this is no account event')
      onAccount(event.data)
      return reply(204)
    }),
  ]
}
