/** Mistakes of a consumer of Logistics. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { recogniseOperation } from '../../../core/traffic/recognise-operation.ts'
import { type Defect, remembering } from '../../judge/defect.ts'

const isIn = (request: Request, operation: OperationId): boolean =>
  recogniseOperation(request.method, request.url)?.row.id === operation

/** It neither takes delivery events nor reads deliveries. */
export const followsNothing: Defect = {
  about: 'neither takes delivery events nor reads deliveries',
  answer: async (request, forward) =>
    isIn(request, 'receiveDeliveryEvent') ? new Response(null, { status: 500 }) : forward(request),
  call: async (request, forward) =>
    isIn(request, 'getDelivery') ? new Response(null, { status: 404 }) : forward(request),
}

const cancelText = (tells: boolean): string =>
  tells ? 'takes 202 to a cancel for its effect' : 'cancels the order and not its delivery'

/** It takes the delivery for cancelled at its next look, before anything has shown it; and may not even tell the platform. */
export const cancelsBlindly = (tells: boolean): Defect =>
  remembering(cancelText(tells), () => {
    let isCancelled = false
    return {
      about: cancelText(tells),
      answer: async (request, forward) =>
        isCancelled && isIn(request, 'receiveDeliveryEvent')
          ? new Response(null, { status: 500 })
          : forward(request),
      async call(request, forward) {
        const isCancel = isIn(request, 'cancelDelivery')
        isCancelled ||= isCancel
        if (isCancel && !tells) return new Response(null, { status: 202 })
        return isCancelled && isIn(request, 'getDelivery')
          ? Response.json({ status: 'CANCELLED' })
          : forward(request)
      },
    }
  })

const quote = { available: true, price: { amount: 7.5, currency: 'BRL' } }

/** A question for availability never leaves the service, or its answer is not minded. */
export const minds = (asks: boolean): Defect => ({
  about: asks ? 'creates a delivery whatever was answered' : 'asks for no availability',
  async call(request, forward) {
    if (!isIn(request, 'checkDeliveryAvailability')) return forward(request)
    if (asks) await forward(request)
    return Response.json(quote)
  },
})

/** It asks to cancel the order as soon as it would cancel the delivery, which it may leave out. */
export const requestsAtOnce = (tells: boolean): Defect =>
  remembering(cancelText(tells), () => {
    let confirmation: { readonly url: string; readonly headers: Headers } | undefined
    return {
      about: cancelText(tells),
      async call(request, forward) {
        const { url, headers } = request
        if (isIn(request, 'confirmOrder')) confirmation = { url, headers: new Headers(headers) }
        if (!isIn(request, 'cancelDelivery') || !confirmation) return forward(request)
        const answer = tells ? await forward(request) : new Response(null, { status: 202 })
        confirmation.headers.delete('content-length')
        confirmation.headers.delete('x-request-id')
        await forward(
          new Request(confirmation.url.replace(/confirm$/, 'requestCancellation'), {
            method: 'POST',
            headers: confirmation.headers,
            body: JSON.stringify({ reason: 'falta', code: 'UNAVAILABLE_ITEM', mode: 'MANUAL' }),
          }),
        )
        return answer
      },
    }
  })
