/** A host with active faults and a client that records what it receives: by polling, or with a webhook receiver. */
import { openReceiver, type Receiver, type ReceiverOptions } from './webhook-receiver.ts'
import { openWire, type Wire } from './wire.ts'
import type { ConfigurationInput } from '../../src/configuration/schema.ts'

export type FaultSpecs = NonNullable<ConfigurationInput['faults']>

/** With polling only. */
export const underFaults = (...faults: FaultSpecs): Promise<Wire> => openWire({ faults })

export interface Called extends AsyncDisposable {
  readonly wire: Wire
  readonly receiver: Receiver
  /** The types of the webhook events, in order. */
  readonly heard: () => readonly string[]
}

/** With webhooks, or both channels. */
export async function calledUnderFaults(
  faults: FaultSpecs,
  channel: 'webhook' | 'both' = 'webhook',
  receives: ReceiverOptions = {},
): Promise<Called> {
  const receiver = await openReceiver(receives)
  const wire = await openWire({
    faults,
    subject: { url: receiver.url },
    counterparts: { 'ordering-application': { channel } },
  })
  await wire.pass(0)
  return {
    wire,
    receiver,
    heard: () => receiver.received.map(({ event }) => event.eventType),
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
