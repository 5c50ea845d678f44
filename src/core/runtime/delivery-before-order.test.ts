/**
 * An order's delivery is cancelled first, and the order only when the result is known: by the Ordering Application
 * itself, on a merchant's request, with the last line, and by a Software Service.
 */
import { afterEach, describe, expect, test } from 'vitest'
import {
  openDeliverySession,
  type DeliverySession,
  type DeliverySessionOptions,
} from '../../../test/support/delivery-session.ts'

let shipper: DeliverySession
const open = async (options: DeliverySessionOptions = {}): Promise<void> => {
  shipper = await openDeliverySession(options)
}
afterEach(() => shipper.session.close())

const cancelled = (orderId: string) =>
  shipper.push({ orderId, eventId: `${orderId} cancelled`, eventType: 'CANCELLED' })
const refuses = { status: (call: string) => (call === 'cancel' ? 422 : undefined) }

/** The order's facts after its confirmation, and the calls made. */
const after = (): readonly string[] => {
  const story = shipper.timeline()
  return story.slice(story.indexOf('createDelivery') + 1)
}

describe('by the Ordering Application itself', () => {
  test('[LOG-CON-04, LOG-OPS-08, LOG-CON-03] the delivery’s cancel is sent first, and the order waits for its effect', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await shipper.move(orderId, 'cancel')
    expect(after()).toEqual(['cancelDelivery'])
    // 202 is a receipt: the order is unchanged.
    await shipper.pass(10_000)
    expect(await shipper.status(orderId)).toBe('CONFIRMED')
    await cancelled(orderId)
    expect(await shipper.status(orderId)).toBe('CANCELLED')
    expect(after()).toEqual(['cancelDelivery', 'order CANCELLED'])
    expect(await shipper.shipment(orderId)).toMatchObject({ ended: 'cancelled' })
  })

  test('in pull mode it reads the result of the cancel', async () => {
    await open({ platform: { trackingMode: 'pull' } })
    const orderId = await shipper.createConfirmed()
    await shipper.move(orderId, 'cancel')
    shipper.platform.statuses.set(orderId, 'CANCELLED')
    await shipper.pass(10_000)
    expect(await shipper.status(orderId)).toBe('CANCELLED')
  })

  test('[LOG-RUL-02] 422: no retry, the delivery is flagged, and the order is not cancelled', async () => {
    await open({ platform: refuses })
    const orderId = await shipper.createConfirmed()
    await shipper.push({ orderId, eventType: 'ORDER_PICKED' })
    await shipper.move(orderId, 'cancel')
    await shipper.pass(30_000)
    expect(shipper.platform.names().filter((name) => name === 'cancel')).toHaveLength(1)
    expect(await shipper.shipment(orderId)).toMatchObject({
      cancel: 'refused',
      support: true,
      phase: 'open',
    })
    expect(await shipper.status(orderId)).toBe('CONFIRMED')
    expect(shipper.facts('order.lapsed')).toMatchObject([{ orderId, trigger: 'cancel' }])
    // Another cancellation changes nothing and makes no call.
    await shipper.move(orderId, 'cancel')
    await shipper.pass(30_000)
    expect(shipper.platform.names().filter((name) => name === 'cancel')).toHaveLength(1)
    expect(await shipper.status(orderId)).toBe('CONFIRMED')
    const again = await shipper.session.submit({
      kind: 'shipment.cancel',
      role: 'ordering-application',
      orderId,
    })
    expect(again).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('support') },
    })
  })

  test('[LOG-TEN-01] an accepted cancel in IN_TRANSIT may end in CANCELLED or FAILED: both release the order', async () => {
    for (const status of ['CANCELLED', 'FAILED']) {
      await open()
      const orderId = await shipper.createConfirmed()
      await shipper.push({ orderId, eventId: '1', eventType: 'ORDER_PICKED' })
      await shipper.move(orderId, 'cancel')
      await shipper.push({ orderId, eventId: '2', status })
      expect(await shipper.status(orderId)).toBe('CANCELLED')
      await shipper.session.close()
    }
  })

  /** A platform during whose creation the order is cancelled, before its answer arrives. */
  async function cancelledDuringCreation(status?: number): Promise<string> {
    let cancelNow = (): void => {}
    await open({
      platform: {
        status: (call) => {
          if (call !== 'create') return undefined
          cancelNow()
          return status
        },
      },
    })
    const made = await shipper.session.createOrder({ type: 'DELIVERY' })
    const orderId = made.ok ? made.value.orderId : ''
    cancelNow = () => {
      void shipper.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    }
    await shipper.move(orderId, 'confirm')
    await shipper.pass(0)
    return orderId
  }

  test('a delivery in creation is cancelled as soon as it exists', async () => {
    const orderId = await cancelledDuringCreation()
    expect(after()).toEqual(['cancelDelivery'])
    await cancelled(orderId)
    expect(await shipper.status(orderId)).toBe('CANCELLED')
  })

  test('if the creation fails after all, no other platform is asked', async () => {
    const orderId = await cancelledDuringCreation(422)
    expect(await shipper.status(orderId)).toBe('CANCELLED')
    expect(await shipper.shipment(orderId)).toMatchObject({ ended: 'withdrawn' })
    expect(shipper.platform.names()).toEqual(['availability', 'create'])
  })

  test('a delivery that was given up is followed again when it is cancelled', async () => {
    await open({ platform: { trackingMode: 'pull' } })
    const orderId = await shipper.createConfirmed()
    await shipper.session.settle()
    expect(await shipper.shipment(orderId)).toMatchObject({ stuck: true })
    await shipper.move(orderId, 'cancel')
    shipper.platform.statuses.set(orderId, 'CANCELLED')
    await shipper.pass(10_000)
    expect(await shipper.status(orderId)).toBe('CANCELLED')
  })

  test('a delivery that was not yet requested is never created, and the order is cancelled at once', async () => {
    await open({ platform: { published: () => false }, conduct: { manifest: 'require' } })
    const orderId = await shipper.createConfirmed()
    await shipper.move(orderId, 'cancel')
    expect(await shipper.status(orderId)).toBe('CANCELLED')
    expect(await shipper.shipment(orderId)).toMatchObject({ ended: 'withdrawn' })
    expect(shipper.platform.calls).toEqual([])
  })

  test('a final delivery does not hold up the cancellation', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await shipper.push({ orderId, eventType: 'REJECTED' })
    await shipper.move(orderId, 'cancel')
    expect(await shipper.status(orderId)).toBe('CANCELLED')
    expect(shipper.platform.names()).toEqual(['availability', 'create'])
  })

  test('an operator may force it: the delivery’s cancel is sent all the same', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await shipper.move(orderId, 'cancel', true)
    expect(after()).toEqual(['order CANCELLED', 'cancelDelivery'])
  })

  test('a platform that never reports the result keeps the order open, which is flagged', async () => {
    await open({ platform: { forgetsCancellations: true } })
    const orderId = await shipper.createConfirmed()
    await shipper.move(orderId, 'cancel')
    await shipper.session.settle()
    expect(await shipper.status(orderId)).toBe('CONFIRMED')
    expect(await shipper.shipment(orderId)).toMatchObject({ stuck: true, support: true })
    expect(shipper.facts('order.lapsed')).toHaveLength(1)
  })
})

describe('on a merchant’s request', () => {
  const request = (orderId: string) =>
    shipper.session.submit({
      kind: 'cancellation.request',
      orderId,
      request: { reason: 'acabou o gás' },
    })
  const outcomes = () =>
    shipper
      .facts('event.emitted')
      .flatMap(({ event }) => (event.eventType.startsWith('CANCEL') ? [event.eventType] : []))

  test('[LOG-CON-04] the request is granted when the delivery is cancelled, and not before', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await request(orderId)
    await shipper.pass(5000)
    expect(outcomes()).toEqual(['CANCELLATION_REQUESTED'])
    await cancelled(orderId)
    await shipper.pass(5000)
    expect(outcomes()).toEqual([
      'CANCELLATION_REQUESTED',
      'CANCELLATION_REQUEST_ACCEPTED',
      'CANCELLED',
    ])
    expect(after()).toEqual(['cancelDelivery', 'order CANCELLED'])
  })

  test('[LOG-RUL-02] it is denied when the delivery cannot be cancelled', async () => {
    await open({ platform: refuses })
    const orderId = await shipper.createConfirmed()
    await request(orderId)
    await shipper.pass(5000)
    expect(outcomes()).toEqual(['CANCELLATION_REQUESTED', 'CANCELLATION_REQUEST_DENIED'])
    expect(await shipper.status(orderId)).toBe('CONFIRMED')
  })

  test('the last line of an order: the delivery first, and the line cannot be denied', async () => {
    for (const platform of [{}, refuses]) {
      await open({ platform })
      const made = await shipper.session.createOrder({ type: 'DELIVERY', items: 1 })
      const orderId = made.ok ? made.value.orderId : ''
      await shipper.move(orderId, 'confirm')
      const { order } = await shipper.session.look({ orderId })
      const { items = [] } = (order?.document ?? {}) as { items?: { id: string }[] }
      for (const { id } of items)
        await shipper.session.submit({
          kind: 'item.request-cancel',
          orderId,
          itemId: id,
          cancellation: {},
        })
      await shipper.pass(1000)
      if (platform !== refuses) await cancelled(orderId)
      await shipper.pass(1000)
      expect(after()).toEqual(['cancelDelivery', 'order CANCELLED'])
      await shipper.session.close()
    }
  })
})

describe('a Software Service', () => {
  const request = { reason: 'acabou o gás', code: 'PROBLEM_AT_MERCHANT' } as const
  const asStore = async (platform: DeliverySessionOptions['platform']): Promise<string> => {
    await open({
      consumer: 'software-service',
      only: ['ordering-application', 'software-service'],
      platform: platform ?? {},
      counterparts: {
        'ordering-application': { deliveries: false },
        'software-service': { deliveries: true, behaviour: 'slow' },
      },
    })
    const orderId = await shipper.createConfirmed()
    await shipper.pass(35_000)
    expect(shipper.platform.names()).toEqual(['availability', 'create'])
    await shipper.session.submit({ kind: 'ticket.cancel', orderId, request })
    await shipper.pass(0)
    return orderId
  }
  const requests = () =>
    shipper.facts('call.placed').filter(({ call }) => call.operation === 'requestCancellation')

  test('[LOG-CON-04] cancels the delivery before it requests the cancellation of the order', async () => {
    const orderId = await asStore({})
    expect(shipper.platform.names().at(-1)).toBe('cancel')
    expect(requests()).toHaveLength(0)
    await cancelled(orderId)
    expect(requests()).toHaveLength(1)
  })

  test('[LOG-RUL-02] makes no request when the delivery’s cancel was refused', async () => {
    const orderId = await asStore(refuses)
    await shipper.pass(1000)
    expect(requests()).toHaveLength(0)
    expect(await shipper.shipment(orderId)).toMatchObject({ support: true })
    expect(
      shipper.facts('agenda.refused').some(({ refusal }) => refusal.message.includes('support')),
    ).toBe(true)
  })
})
