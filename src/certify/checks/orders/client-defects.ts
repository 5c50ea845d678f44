/** Defects of a Software Service that several checks of Orders must find. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { furtherCall } from '../../judge/defect.ts'

/** A POST with the authorization of another request. */
export const postLike = (request: Request, url: string | URL, body = '{}'): Request =>
  new Request(url, {
    method: 'POST',
    headers: { ...Object.fromEntries(request.headers), 'content-type': 'application/json' },
    body,
  })

/** Replaces a part of the path of a call. */
export const otherPath = (to: string, from: RegExp) => (call: { url: string }) => {
  call.url = call.url.replace(from, to)
}

/** A service that makes the call although the order is in another status. */
export const outOfTurn = (operation: OperationId) =>
  furtherCall('calls it for new orders too', 'getOrder', (request) => {
    const paths: Readonly<Partial<Record<OperationId, string>>> = {
      confirmOrder: 'confirm',
      setOrderPreparing: 'preparing',
      setOrderReadyForPickup: 'ready-for-pickup',
      dispatchOrder: 'dispatch',
      setOrderDelivered: 'delivered',
    }
    return postLike(request, `${request.url}/${paths[operation]}`)
  })
