/** A host with active faults and a client that records what it receives: by polling, or with a webhook receiver. */
import { compact } from '../../src/core/base/compact.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from './webhook-receiver.ts'
import { openOrdersWire, type OrdersWire } from './wire.ts'
import type { ConfigurationInput } from '../../src/core/session-api/configuration/schema.ts'

export type FaultSpecs = NonNullable<ConfigurationInput['faults']>

/** With polling only. */
export const openFaultyWire = (...faults: FaultSpecs): Promise<OrdersWire> =>
  openOrdersWire({ faults })

export interface FaultyWebhooks extends AsyncDisposable {
  readonly wire: OrdersWire
  readonly receiver: Receiver
  /** The types of the webhook events, in order. */
  readonly eventTypes: () => readonly string[]
}

/** With webhooks, or both channels. */
export async function openFaultyWebhooks(
  faults: FaultSpecs,
  channel: 'webhook' | 'both' = 'webhook',
  { conduct, ...receives }: ReceiverOptions & Pick<ConfigurationInput, 'conduct'> = {},
): Promise<FaultyWebhooks> {
  const receiver = await openReceiver(receives)
  const wire = await openOrdersWire({
    faults,
    subject: { url: receiver.url },
    ...compact({ conduct }),
    counterparts: { 'ordering-application': { channel } },
  })
  await wire.pass(0)
  return {
    wire,
    receiver,
    eventTypes: () => receiver.received.map(({ event }) => event.eventType),
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
