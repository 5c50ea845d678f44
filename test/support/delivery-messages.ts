/** Messages about the delivery of one order, as its consumer gets and makes them. */
import type { Message } from './judged-messages.ts'

export const orderId = 'o1'

export const deliveryCall = (
  operation: Message['operation'],
  more: Partial<Message> = {},
): Message => ({ operation, by: 'service', orderId, request: {}, status: 202, ...more })

export const deliveryEvent = (status: string, more: Partial<Message> = {}): Message => ({
  operation: 'receiveDeliveryEvent',
  orderId,
  status: 204,
  request: { eventId: status, eventType: 'delivery.status_changed', orderId, status },
  ...more,
})
export const deliveryRead = (status: string): Message =>
  deliveryCall('getDelivery', {
    status: 200,
    request: undefined,
    reply: { id: 'd1', orderId, status },
  })
