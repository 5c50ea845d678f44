/** A service as a newcomer has it: one webhook path, no manifest, no token endpoint. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BareEndpoint extends AsyncDisposable {
  readonly url: string
  /** Resolves with the first CREATED whose signature is right by this secret. */
  readonly created: (secret: string) => Promise<void>
}

export async function openBareEndpoint(): Promise<BareEndpoint> {
  const received: { readonly body: string; readonly signature: unknown }[] = []
  const listeners = new Set<() => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => (body += data.toString()))
    request.on('end', () => {
      const isWebhook = request.method === 'POST' && request.url === '/webhooks/orders'
      if (isWebhook) received.push({ body, signature: request.headers['x-app-signature'] })
      response.writeHead(isWebhook ? 204 : 404).end()
      for (const each of listeners) each()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    created: (secret) =>
      new Promise((resolve) => {
        const look = (): void => {
          const isThere = received.some(
            ({ body, signature }) =>
              body.includes('"CREATED"') &&
              signature === createHmac('sha256', secret).update(body).digest('hex'),
          )
          if (isThere) resolve()
        }
        listeners.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
