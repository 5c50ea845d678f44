/**
 * A Software Service that receives webhooks on a socket: publishes a manifest, issues tokens, records every webhook,
 * and replies as the test says.
 */
import type { SessionOptions } from '../../src/core/session/options.ts'
import { createScriptedHost, type HostCall, type HostReply, refusal } from './scripted-host.ts'
import { type OnSocket, serveOnSocket } from './on-socket.ts'
import { composeManifest } from '../../src/core/protocol/discovery/compose-manifest.ts'
import { receiverOperationNames } from '../../src/core/protocol/orders/operations.ts'
import type { OrderEvent } from '../../src/core/protocol/orders/event.ts'

interface Received extends HostCall {
  readonly event: OrderEvent
}

export interface Receiver extends OnSocket {
  /** All webhooks, oldest first. */
  readonly received: readonly Received[]
  /** All other requests, as `METHOD /path`. */
  readonly others: readonly string[]
}

export interface ReceiverOptions {
  /** Reply to the n-th webhook, from 1; 204 when absent. It may be asynchronous, to inspect the session first. */
  readonly reply?: (nth: number, event: OrderEvent) => HostReply | Promise<HostReply>
  readonly supportsWebhook?: boolean
  readonly supportsPolling?: boolean
  /** Whether its manifest is available; evaluated per request. */
  readonly published?: () => boolean
  /** Whether its manifest declares Orders. */
  readonly declaresOrders?: boolean
}

/** The manifest of a Software Service that receives orders. */
export function receiverManifest({
  declaresOrders,
  supportsWebhook = true,
  supportsPolling = true,
}: Pick<ReceiverOptions, 'declaresOrders' | 'supportsWebhook' | 'supportsPolling'> = {}) {
  const operations = [...receiverOperationNames]
  return composeManifest({
    participantId: 'a-software-service',
    version: 'v2',
    supportedVersions: ['v2'],
    grantTypes: ['client_credentials'],
    credentialModels: ['by_app'],
    notation: 'keyed',
    declarations: [
      {
        name: declaresOrders === false ? 'merchant' : 'orders',
        version: 'v2',
        supported: true,
        role: 'RECEIVER',
        operations,
        receiver: {
          supported: true,
          supportedOperations: operations,
          unsupportedOperations: [],
          supportsWebhook,
          supportsPolling,
        },
      },
    ],
  })
}

export async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = []
  const manifest = receiverManifest(options)
  const isWebhook = ({ name, text }: HostCall): boolean => name === 'event' && text !== ''
  const host = createScriptedHost({
    operations: { event: 'POST /webhooks/.*' },
    manifest: () => (options.published?.() === false ? undefined : manifest),
    async reply(call) {
      if (!isWebhook(call)) return refusal(404, 'NOT_FOUND')
      const event = JSON.parse(call.text) as OrderEvent
      received.push({ ...call, event })
      return (await options.reply?.(received.length, event)) ?? { status: 204 }
    },
  })
  return {
    ...(await serveOnSocket(host.fetch)),
    received,
    get others() {
      return host.all
        .filter((call) => !isWebhook(call))
        .map(({ method, path }) => `${method} ${path}`)
    },
  }
}

/** Options of a session that hands events of orders to a receiver at this URL, and records everything as it was. */
export const receiverSession = (url: string, file: string) =>
  ({
    port: 0,
    subject: { role: 'software-service', url },
    capabilities: { indoor: false, logistics: false, customer: false },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    tolerances: { on: false },
    recording: { file, redact: false, unsafe: true },
  }) as const satisfies SessionOptions
