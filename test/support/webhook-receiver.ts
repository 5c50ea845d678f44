/**
 * A Software Service that receives webhooks on a socket: publishes a manifest, issues tokens, records every webhook, and
 * replies
 * as the test says.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { composeManifest } from '../../src/protocol/discovery/compose-manifest.ts'
import { receiverOperationNames } from '../../src/protocol/orders/operations.ts'
import type { OrderEvent } from '../../src/protocol/orders/event.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly event: OrderEvent
}

interface ReceiverReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** All webhooks, oldest first. */
  readonly received: readonly Received[]
  /** All other requests, as `METHOD /path`. */
  readonly others: readonly string[]
}

export interface ReceiverOptions {
  /** Reply to the n-th webhook, from 1; 204 when absent. It may be asynchronous, to inspect the session first. */
  readonly reply?: (nth: number, event: OrderEvent) => ReceiverReply | Promise<ReceiverReply>
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
  const others: string[] = []
  const manifest = receiverManifest(options)

  async function answer(
    method: string,
    path: string,
    message: Omit<Received, 'path' | 'event'>,
  ): Promise<ReceiverReply & { readonly json?: unknown }> {
    if (path === '/.well-known/protocol' || path === '/oauth/token' || path === '/merchants')
      others.push(`${method} ${path}`)
    if (path === '/.well-known/protocol')
      return options.published?.() === false ? { status: 404 } : { status: 200, json: manifest }
    if (path === '/oauth/token')
      return {
        status: 200,
        json: { access_token: 'let-me-in', token_type: 'bearer', expires_in: 3600 },
      }
    if (path === '/merchants') return { status: 200, json: [] }
    if (method !== 'POST' || !path.startsWith('/webhooks/') || message.text === '') {
      others.push(`${method} ${path}`)
      return { status: 404 }
    }
    const event = JSON.parse(message.text) as OrderEvent
    received.push({ path, ...message, event })
    return (await options.reply?.(received.length, event)) ?? { status: 204 }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { method = '', url = '', headers } = request
      answer(method, url, { headers, text })
        .catch(() => ({ status: 500, headers: {}, json: undefined }))
        .then((reply) => {
          const body = 'json' in reply ? reply.json : undefined
          response.writeHead(reply.status, {
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...reply.headers,
          })
          response.end(body === undefined ? undefined : JSON.stringify(body))
        })
        .catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    others,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
